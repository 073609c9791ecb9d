package import APNS
package import JSONText

extension Reason {
  /// The meaning of the reason, its most likely cause, and the fix, as lines.
  package func advice(_ facts: RequestFacts) -> [StyledText] {
    guard let info else { return [] }
    var lines: [StyledText] = ["\(rawValue, .bold): \(info.meaning)"]
    if let cause = causes(of: facts).first {
      if cause.text != info.meaning { lines.append("  Most likely: \(cause.text)") }
      lines.append("  \(cause.fix)")
    }
    return lines
  }
}

extension [Cause] {
  /// The causes, most likely first, each with its fix.
  package var parts: [Report.Part] { isEmpty ? [] : [Self.field].parts(of: self) }

  /// The keys that they have in an object.
  package static var keys: [JSONShape.Key] { field.keys.map(\.sometimes) }

  private static let field = ReportField<Self>.section(
    "Possible causes, the most likely first:",
    [
      .list("causes", "The causes, likeliest first.", cause) {
        $0.enumerated().map { (number: $0 + 1, cause: $1) }
      }
    ])

  private static let cause: [ReportField<(number: Int, cause: Cause)>] = [
    .always("text", "The cause.") { $0.cause.text },
    .people { [.text("\($0.number).", StyledText($0.cause.text))] },
    .fix { $0.cause.fix },
  ]
}
