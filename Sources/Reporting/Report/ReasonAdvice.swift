package import APNS
internal import JSONText

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
  package var parts: [Report.Part] {
    if isEmpty { return [] }
    let rows = enumerated().map { index, cause -> [Report.Part] in
      [.fact("\(index + 1).", "text", .text(cause.text)), .fix(cause.fix)]
    }
    return [.section("Possible causes, the most likely first:", [.list("causes", rows)])]
  }
}
