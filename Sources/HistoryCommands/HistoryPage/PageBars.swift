internal import PushModel

/// Outcomes over time in a few bars, which get wider as the time range grows.
struct TimeBars {
  static let most = 48

  /// The outcomes within one bar.
  typealias Bar = [Outcome: Int]

  /// Widths in seconds, each a multiple of the previous one.
  private static let widths: [Int64] = [
    1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400, 604_800, 2_419_200, 31_449_600, 314_496_000,
    31_449_600_000_000,
  ]

  private var step = 0
  private var bars: [Int64: Bar] = [:]
  /// From the first outcome to the last, in seconds since 1970; nil if there is none yet.
  private(set) var range: ClosedRange<Int64>?

  /// The duration of a bar, in seconds.
  var width: Int64 { Self.widths[step] }

  /// Counts an outcome at a time in milliseconds since 1970.
  mutating func add(_ outcome: Outcome, at milliseconds: Int64) {
    let second = milliseconds / 1000
    let range = min(range?.lowerBound ?? second, second)...max(range?.upperBound ?? second, second)
    self.range = range
    while range.upperBound / width - range.lowerBound / width >= Int64(Self.most),
      step + 1 < Self.widths.count
    { widen() }
    bars[second / width, default: [:]][outcome, default: 0] += 1
  }

  private mutating func widen() {
    let factor = Self.widths[step + 1] / width
    step += 1
    var wider: [Int64: Bar] = [:]
    for (index, bar) in bars { wider[index / factor, default: [:]].merge(bar, uniquingKeysWith: +) }
    bars = wider
  }

  /// The bars in order, including empty ones, each with its start in seconds since 1970.
  var all: [(start: Int64, bar: Bar)] {
    guard let range else { return [] }
    return (range.lowerBound / width...range.upperBound / width).map {
      ($0 * width, bars[$0] ?? [:])
    }
  }
}

/// A histogram of latencies.
struct LatencyBars {
  /// The upper bounds of all bars but the last, in milliseconds.
  private static let ends = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000]

  private var counts = [Int](repeating: 0, count: ends.count + 1)

  mutating func add(microseconds: Int) {
    let index = Self.ends.firstIndex { microseconds < $0 * 1000 } ?? Self.ends.count
    counts[index] += 1
  }

  /// The bars from the first to the last that is not empty.
  var all: [(name: String, count: Int)] { used.map { (Self.name($0), counts[$0]) } }

  /// The same bars with bounds in milliseconds; the last has no upper bound.
  var spans: [(from: Int, below: Int?, count: Int)] {
    used.map { index in
      let below = index == Self.ends.count ? nil : Self.ends[index]
      return (index == 0 ? 0 : Self.ends[index - 1], below, counts[index])
    }
  }

  private var used: Range<Int> {
    let first = counts.firstIndex { $0 > 0 } ?? 0
    return first..<(counts.lastIndex { $0 > 0 }.map { $0 + 1 } ?? first)
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
