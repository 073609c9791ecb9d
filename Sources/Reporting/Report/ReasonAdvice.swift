package import APNS
package import JSONText

extension Reason {
  /// The meaning of the reason, its most likely cause, and the fix, as lines.
  package func advice(_ facts: RequestFacts) -> [StyledText] {
    guard let info else { return [] }
    var lines: [StyledText] = [
      "\(rawValue, .bold, link: Hyperlink.reason(self)): \(info.meaning)"
    ]
    if let cause = causes(of: facts).first {
      if cause.text != info.meaning { lines.append("  Most likely: \(cause.text)") }
      lines.append("  \(cause.fix)")
    }
    return lines
  }
}

extension [Cause] {
  /// The causes, most likely first, each with its fix.
  package static let field = OutputField<Self>.section(
    "Possible causes, the most likely first:",
    [
      .list(
        "causes", { $0.enumerated().map { (number: $0 + 1, cause: $1) } },
        "The causes, likeliest first.",
        [
          .always("text", { $0.cause.text }, "The cause."),
          .people { [.text("\($0.number).", StyledText($0.cause.text))] },
          .fix({ $0.cause.fix }, "What to do.", .text),
        ])
    ])

  package var parts: [Report.Part] { isEmpty ? [] : [Self.field].parts(of: self) }
}
