internal import APNS
internal import PushModel

/// Outcomes over time.
struct PageTimes {
  private let bars: TimeBars
  private let all: [(start: Int64, bar: TimeBars.Bar)]
  private let most: Int

  init(_ bars: TimeBars) {
    self.bars = bars
    all = bars.all
    most = all.map { $0.bar.values.reduce(0, +) }.max() ?? 1
  }

  /// The section.
  var html: String {
    """
    <section aria-labelledby="over-time"><h2 id="over-time">Outcomes over time</h2>
    <p>Each bar is \(span(bars.width)); the highest has \(counted(most, "push", plural: "pushes")).</p>
    <p class="legend">\(legend)</p>
    <svg class="times" viewBox="0 0 \(12 * max(all.count, Self.fewest)) 160" \
    preserveAspectRatio="none" role="img" \
    aria-label="Outcomes over time; the figures are in the table below.">
    \(all.enumerated().map { column($0, $1.bar) }.joined(separator: "\n"))
    </svg>
    <p class="ends">\(ends.map { "<span>\($0)</span>" }.joined())</p>
    <details><summary>The figures</summary>\(table)</details></section>
    """
  }

  /// As if there were so many bars, so that a single one is not as wide as the page.
  private static let fewest = 12

  /// When the first bar begins; and the last, where it stands at the end.
  private var ends: [String] {
    let shown = all.count < Self.fewest ? [all.first] : [all.first, all.last]
    return shown.compactMap { $0.map { time($0.start) } }
  }

  private var outcomes: [Outcome] {
    Outcome.allCases.filter { outcome in all.contains { $0.bar[outcome] != nil } }
  }

  private var legend: String {
    outcomes.map { "<span>\(swatch($0))\($0.words)</span>" }.joined(separator: " ")
  }

  /// The outcomes of a bar, one upon the other.
  private func column(_ index: Int, _ bar: TimeBars.Bar) -> String {
    var below = 0
    let parts = outcomes.compactMap { outcome -> String? in
      guard let count = bar[outcome] else { return nil }
      below += count
      return part(index, count, below, outcome)
    }
    return parts.joined()
  }

  /// - Parameter top: the pushes up to the upper end of this part.
  private func part(_ index: Int, _ count: Int, _ top: Int, _ outcome: Outcome) -> String {
    // What is there is to be seen.
    let height = max(160 * Double(count) / Double(most), 1.5)
    let y = min(160 - 160 * Double(top) / Double(most), 160 - height)
    let numbers = "y=\"\(fixed(y, decimals: 2))\" height=\"\(fixed(height, decimals: 2))\""
    return "<rect x=\"\(12 * index + 1)\" width=\"10\" \(numbers) fill=\"\(fill(outcome))\"/>"
  }

  private var table: String {
    let heads = outcomes.map { "<th scope=\"col\" class=\"n\">\($0.words)</th>" }.joined()
    let rows = all.filter { !$0.bar.isEmpty }.map { row in
      let cells = outcomes.map { "<td class=\"n\">\(grouped(row.bar[$0] ?? 0))</td>" }.joined()
      return "<tr><th scope=\"row\">\(time(row.start))</th>\(cells)</tr>"
    }
    return """
      <div class="wide" tabindex="0" role="region" aria-label="Outcomes over time, the figures">\
      <table class="figures"><thead><tr><th scope="col">From</th>\(heads)</tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
      """
  }

  private func span(_ seconds: Int64) -> String {
    let units: [(Int64, String)] = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
    let unit = units.first { seconds % $0.0 == 0 } ?? (1, "second")
    return counted(Int(seconds / unit.0), unit.1)
  }
}
