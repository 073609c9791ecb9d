public import APNS

/// The figures of a run.
public struct RunSummary: Sendable, Hashable {
  /// Pushes by outcome, those of earlier passes among them.
  public private(set) var outcomes: [Outcome: Int] = [:]

  /// The pushes of this pass of a resumed run, by outcome; nil for a new run, and before the end.
  public private(set) var inThisPass: OutcomeTally?

  /// Pushes for which this process made a request.
  public private(set) var sent = 0

  /// Refused pushes by reason.
  public private(set) var reasons: [Refusal: Int] = [:]

  /// The counts of the lists' lines, as far as any pass of the run has read them.
  public package(set) var recipients = RecipientCounts()

  /// Pushes that were sent again while an earlier attempt was in doubt: each may arrive twice.
  public private(set) var resentInDoubt = 0

  /// Skipped pushes whose notification expired before they were sent.
  public private(set) var expired = 0

  /// The number of pushes this process has to finish; nil while unknown, as when reading a pipe.
  public package(set) var expected: PushTotal?

  /// The time from an attempt to its answer.
  public private(set) var latency = LatencyHistogram()

  /// The time from the start of the run to its last result, in seconds.
  public package(set) var seconds: Double = 0

  /// The total length of pauses that answers asked for with `Retry-After`, in seconds; known at the
  /// end.
  public package(set) var pausedSeconds: Double = 0

  /// The connection figures; nil before the first connection.
  public package(set) var connections: ConnectionFigures?

  /// A refusal: its status and its reason, if any.
  public struct Refusal: Sendable, Hashable {
    /// The status.
    public var status: Status
    /// The reason; nil when the answer had no readable one.
    public var reason: Reason?

    /// Creates a refusal.
    public init(status: Status, reason: Reason? = nil) {
      self.status = status
      self.reason = reason
    }
  }

  /// Creates empty figures.
  public init() {}

  /// The number of pushes.
  public var total: Int { outcomes.values.reduce(0, +) }

  /// The number of pushes with this outcome.
  public subscript(outcome: Outcome) -> Int { outcomes[outcome, default: 0] }

  /// The number of pushes sent per second of the run.
  public var pushesPerSecond: Double {
    seconds > 0 ? Double(sent) / seconds : 0
  }

  /// Replaces the outcomes with those of all passes of a resumed run.
  package mutating func take(_ tally: OutcomeTally) {
    var pass = OutcomeTally()
    for (outcome, count) in outcomes { pass.add(count, to: outcome) }
    inThisPass = pass
    outcomes = [:]
    for outcome in Outcome.allCases where tally[outcome] > 0 { outcomes[outcome] = tally[outcome] }
  }

  package mutating func add(_ results: PushResults) {
    let accepted = results.accepted
    if !accepted.isEmpty { outcomes[.accepted, default: 0] += accepted.count }
    sent += accepted.count
    for push in accepted { latency.add(microseconds: push.latencyMicroseconds) }
    for result in results.others { add(result) }
  }

  package mutating func add(_ result: PushResult) {
    outcomes[result.outcome, default: 0] += 1
    if result.attempts > 0 { sent += 1 }
    if result.hasExpired { expired += 1 }
    if result.wasResentInDoubt { resentInDoubt += 1 }
    if let latency = result.latencyMicroseconds { self.latency.add(microseconds: latency) }
    if let response = result.response, !response.isAccepted {
      reasons[Refusal(status: response.status, reason: response.reason), default: 0] += 1
    }
  }
}
