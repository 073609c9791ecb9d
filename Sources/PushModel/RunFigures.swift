internal import APNS

/// The end of a run, or of a pass of it.
public struct RunEnding: Sendable, Hashable {
  /// `finished` when the lists were read to the end and each push has a result.
  public var state: RunState
  /// Counts of the lists' lines in this pass, up to the last push that was passed on to be sent.
  public var recipients: RecipientCounts
  /// The figures to keep; nil keeps none.
  public var figures: RunFigures?
  /// The reasons of this pass, each with its count.
  public var reasons: [ReasonCount]
  /// The answers of the environments that were asked, in order; none where the right one was known.
  public var asked: [EnvironmentAnswer]
  /// The time, in milliseconds since 1970 UTC.
  public var at: Int64

  /// An ending.
  public init(
    _ state: RunState, recipients: RecipientCounts, figures: RunFigures? = nil,
    reasons: [ReasonCount] = [], asked: [EnvironmentAnswer] = [], at time: Int64
  ) {
    (self.state, self.recipients, self.figures) = (state, recipients, figures)
    (self.reasons, self.asked, at) = (reasons, asked, time)
  }

  /// Pushes were rejected for the credentials.
  public var refusesCredentials: Bool {
    reasons.contains { ReasonCount.ofRefusedCredentials.contains($0.name) }
  }
}

/// The figures of a run as its last pass left them. The summary prints them, and the history keeps them.
public struct RunFigures: Sendable, Hashable {
  /// The environment's name, where the pass sent.
  public var environment: String
  /// The number of the pass, from 1.
  public var pass: Int
  /// The outcomes of all pushes, those of earlier passes among them.
  public var outcomes = OutcomeTally()
  /// Counts of the lists' lines, as far as any pass has read them.
  public var recipients = RecipientCounts()
  /// The recipients that no pass has read; nil when one came to the end of the lists.
  public var unread: UnreadRecipients?
  /// Pushes for which a request was made in the pass.
  public var sent = 0
  /// Pushes that were sent again while an earlier attempt was in doubt.
  public var resentInDoubt = 0
  /// From the start of the pass to its last result.
  public var nanoseconds: Int64 = 0
  /// From an attempt to its answer; nil when nothing was answered.
  public var latency: LatencyShares?
  /// The connections that there were; nil when there was none.
  public var connections: ConnectionFigures?

  /// Figures of nothing.
  public init(environment: String, pass: Int) {
    (self.environment, self.pass) = (environment, pass)
  }

  /// The figures of a run that has ended.
  ///
  /// - Parameters:
  ///   - unread: the recipients that no pass has read.
  ///   - environment: the environment's name.
  ///   - pass: the number of the pass, from 1.
  public init(
    _ summary: RunSummary, unread: UnreadRecipients?, environment: String, pass: Int
  ) {
    self.init(environment: environment, pass: pass)
    for outcome in Outcome.allCases { outcomes.add(summary[outcome], to: outcome) }
    (recipients, self.unread, connections) = (summary.recipients, unread, summary.connections)
    (sent, resentInDoubt) = (summary.sent, summary.resentInDoubt)
    nanoseconds = Int64((summary.seconds * 1e9).rounded())
    latency = LatencyShares(summary.latency)
  }

  /// From the start of the pass to its last result, in seconds.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Pushes that were sent, in each second of the pass.
  public var pushesPerSecond: Double { nanoseconds > 0 ? Double(sent) / seconds : 0 }
}

/// The latencies that certain shares of all stay within, in microseconds.
public struct LatencyShares: Sendable, Hashable {
  /// The latency that half of them stay within.
  public var p50: Int
  /// The latency that 95 % stay within.
  public var p95: Int
  /// The latency that 99 % stay within.
  public var p99: Int

  /// Shares that were kept.
  public init(p50: Int, p95: Int, p99: Int) { (self.p50, self.p95, self.p99) = (p50, p95, p99) }

  /// The shares of a histogram; nil when nothing was counted.
  public init?(_ histogram: LatencyHistogram) {
    let shares = [0.5, 0.95, 0.99].compactMap { histogram.percentile($0) }
      .map { Int(($0 * 1000).rounded()) }
    guard shares.count == 3 else { return nil }
    self.init(p50: shares[0], p95: shares[1], p99: shares[2])
  }
}

/// A reason, and its count in a pass of a run.
public struct ReasonCount: Sendable, Hashable {
  /// The reason, or `status 500` for an answer without one.
  public var name: String
  /// The number of answers that gave it.
  public var count: Int

  /// A count.
  public init(_ name: String, _ count: Int) { (self.name, self.count) = (name, count) }

  /// The names of answers that refuse the key or certificate. They say nothing of a push.
  public static let ofRefusedCredentials =
    Reason.table.filter { $0.status == .ofRefusedCredentials }.map(\.reason.rawValue)
    + ["status \(Status.ofRefusedCredentials.rawValue)"]
}

/// The answer of an environment that was asked for a device token.
public struct EnvironmentAnswer: Sendable, Hashable {
  /// The environment's name.
  public var environment: String
  /// The status; nil when there was no answer.
  public var status: Int?
  /// The reason; nil when there was none.
  public var reason: String?

  /// An answer.
  public init(environment: String, status: Int?, reason: String?) {
    (self.environment, self.status, self.reason) = (environment, status, reason)
  }
}

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
