internal import PushModel

/// How many answers took how long.
struct LatencyBars {
  /// Where each bar but the last ends, in milliseconds.
  private static let ends = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000]

  private var counts = [Int](repeating: 0, count: ends.count + 1)
  private var histogram = LatencyHistogram()

  mutating func add(microseconds: Int) {
    let index = Self.ends.firstIndex { microseconds < $0 * 1000 } ?? Self.ends.count
    counts[index] += 1
    histogram.add(microseconds: microseconds)
  }

  /// In milliseconds, the latency that this share of all stays within; nil when there is none.
  func percentile(_ share: Double) -> Double? { histogram.percentile(share) }

  /// The bars from the first that counts something to the last.
  var all: [(name: String, count: Int)] {
    guard let first = counts.firstIndex(where: { $0 > 0 }),
      let last = counts.lastIndex(where: { $0 > 0 })
    else { return [] }
    return (first...last).map { (Self.name($0), counts[$0]) }
  }

  private static func name(_ index: Int) -> String {
    if index == 0 { return "under \(span(ends[0]))" }
    if index == ends.count { return "over \(span(ends[index - 1]))" }
    return "\(span(ends[index - 1])) to \(span(ends[index]))"
  }

  private static func span(_ milliseconds: Int) -> String {
    milliseconds < 1000 ? "\(milliseconds) ms" : "\(milliseconds / 1000) s"
  }
}
