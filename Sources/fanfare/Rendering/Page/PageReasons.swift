internal import APNS

/// Why pushes were refused, what that means, and what to do.
struct PageReasons {
  let figures: PageFigures

  init(_ figures: PageFigures) { self.figures = figures }

  /// The section.
  var html: String {
    let others = figures.otherReasons
    let rest = others > 0 ? "<p>\(counted(others, "more answer")) had other reasons.</p>" : ""
    return """
      <section aria-labelledby="reasons"><h2 id="reasons">Reasons</h2>
      <ul class="reasons">
      \(figures.reasons.map(item).joined(separator: "\n"))
      </ul>\(rest)</section>
      """
  }

  private func item(_ row: PageFigures.ReasonCount) -> String {
    let count = counted(row.count, "push", plural: "pushes")
    return """
      <li><h3>\(row.name.html) <span class="count">\(count)</span></h3>
      \(advice(row).map { "<p>\($0)</p>" }.joined())</li>
      """
  }

  private func advice(_ row: PageFigures.ReasonCount) -> [String] {
    guard let reason = row.reason, let info = reason.info else {
      return ["fanfare does not know this one."]
    }
    var lines = [info.meaning.html]
    if let cause = reason.causes(of: row.facts).first {
      if cause.text != info.meaning { lines.append("Most likely: \(cause.text.html)") }
      lines.append("<strong>To do:</strong> \(cause.fix.html)")
    }
    return lines
  }
}
