/// Latency counts in buckets no wider than 1/32 of their value, so that percentiles take the same
/// memory for any number of pushes.
public struct LatencyHistogram: Sendable, Hashable {
  private static let perDoubling = 32
  /// Only as many buckets as are needed, so that histograms of short latencies stay small.
  private var counts: [Int] = []

  /// The number of latencies counted.
  public private(set) var total = 0

  /// An empty histogram.
  public init() {}

  /// Counts a latency.
  public mutating func add(microseconds: Int) {
    let bucket = Self.bucket(of: max(0, microseconds))
    if bucket >= counts.count {
      counts += repeatElement(0, count: bucket + 1 - counts.count)
    }
    counts[bucket] += 1
    total += 1
  }

  /// Returns the latency within which this share lies, in milliseconds; nil when none was counted.
  ///
  /// - Parameter share: 0 to 1; 0.99 for the 99th percentile.
  public func percentile(_ share: Double) -> Double? {
    guard total > 0 else { return nil }
    var missing = max(1, Int((share * Double(total)).rounded(.up)))
    for (bucket, count) in counts.enumerated() {
      missing -= count
      if missing <= 0 { return Double(Self.upperEnd(of: bucket)) / 1000 }
    }
    return nil
  }

  /// The percentiles that reports show, in milliseconds, by their names in JSON.
  public var percentiles: [(name: String, value: Double?)] {
    [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)].map { ($0, percentile($1)) }
  }

  private static func bucket(of value: Int) -> Int {
    guard value >= perDoubling else { return value }
    let doublings = Int.bitWidth - value.leadingZeroBitCount - 6
    let bucket = (doublings + 1) * perDoubling + (value >> doublings) - perDoubling
    return min(bucket, 40 * perDoubling - 1)
  }

  private static func upperEnd(of bucket: Int) -> Int {
    guard bucket >= perDoubling else { return bucket }
    let doublings = bucket / perDoubling - 1
    return (bucket % perDoubling + perDoubling + 1) << doublings - 1
  }
}
