public import APNS

/// The figures of a run.
public struct RunSummary: Sendable, Hashable {
  /// Pushes by outcome.
  public private(set) var outcomes: [Outcome: Int] = [:]

  /// Pushes for which a request was made while this process ran.
  public private(set) var sent = 0

  /// Refused pushes by reason.
  public private(set) var reasons: [Refusal: Int] = [:]

  /// What became of the lines of the lists, as far as any pass of the run has read them.
  public package(set) var recipients = RecipientCounts()

  /// Pushes that were sent again while an earlier attempt was in doubt: each may arrive twice.
  public private(set) var resentInDoubt = 0

  /// Of the pushes skipped those whose notification had expired before they were sent.
  public private(set) var expired = 0

  /// How many pushes this process has to finish; nil while that is unknown, as when a pipe
  /// is read.
  public package(set) var expected: PushTotal?

  /// From an attempt to its answer.
  public private(set) var latency = LatencyHistogram()

  /// From the start of the run to its last result, in seconds.
  public package(set) var seconds: Double = 0

  /// How long nothing was sent because answers asked for it with `Retry-After`, in seconds; known at
  /// the end.
  public package(set) var pausedSeconds: Double = 0

  /// How many connections there were; nil before the first.
  public package(set) var connections: ConnectionFigures?

  /// A refusal: its status, and its reason unless the answer had none.
  public struct Refusal: Sendable, Hashable {
    /// The status.
    public var status: Status
    /// The reason; nil when the answer had none that could be read.
    public var reason: Reason?

    /// A status, with the reason if there was one.
    public init(status: Status, reason: Reason? = nil) {
      self.status = status
      self.reason = reason
    }
  }

  /// Figures of nothing.
  public init() {}

  /// How many pushes there are.
  public var total: Int { outcomes.values.reduce(0, +) }

  /// How many pushes have this outcome.
  public subscript(outcome: Outcome) -> Int { outcomes[outcome, default: 0] }

  /// Pushes that were sent, in each second of the run.
  public var pushesPerSecond: Double {
    seconds > 0 ? Double(sent) / seconds : 0
  }

  /// Takes the outcomes of all passes of a run that was resumed.
  package mutating func take(_ tally: OutcomeTally) {
    outcomes = [:]
    for outcome in Outcome.allCases where tally[outcome] > 0 { outcomes[outcome] = tally[outcome] }
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
