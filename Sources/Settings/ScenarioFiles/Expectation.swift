public import APNS
public import PushModel

/// The responses expected for the pushes of a step.
///
/// Status and reason apply to every push, or with `acceptedAtLeast`, to every push that was not
/// accepted. Without any of the three, every push must be accepted.
public struct Expectation: Sendable, Hashable {
  /// The expected status; nil accepts any.
  public var status: Status?
  /// The expected reason; nil accepts any.
  public var reason: Reason?
  /// The minimum share of lines accepted, from 0 to 1; nil sets no minimum.
  public var acceptedAtLeast: Double?
  /// The limit for the 99th percentile of latencies, in milliseconds; nil sets no limit.
  public var latencyP99Below: Int?
  /// The place of the expectation.
  public var origin: Origin
}

/// An expectation that was not met.
public enum UnmetExpectation: Sendable, Hashable {
  /// Some lines have another status, or none. `got` counts the results, most frequent first.
  case status(wanted: Status, got: [Count])
  /// Some lines have another reason, or none.
  case reason(wanted: Reason, got: [Count])
  /// Too few were accepted. `others` counts the other results, most frequent first.
  case accepted(wanted: Double, got: Int, of: Int, others: [Count])
  /// The 99th percentile was too high; nil when nothing was answered.
  case latency(wanted: Int, got: Double?)

  /// The result of a line.
  public enum Came: Sendable, Hashable {
    /// A response: its status, and its reason if any. An accepted push has none.
    case answer(status: Status, reason: Reason?)
    /// A push without a response.
    case outcome(Outcome)
    /// A line that is not a recipient.
    case badLine

    /// The response to an accepted push.
    public static let accepted = Came.answer(status: .accepted, reason: nil)

    /// The result of a push.
    public init(_ result: PushResult) {
      let answer = result.response.map { response in
        Came.answer(
          status: response.status, reason: response.isAccepted ? nil : response.reason)
      }
      self = answer ?? .outcome(result.outcome)
    }

    /// The status of the response; nil without one.
    public var status: Status? { if case .answer(let status, _) = self { status } else { nil } }

    /// The reason of the response; nil without one.
    public var reason: Reason? { if case .answer(_, let reason) = self { reason } else { nil } }
  }

  /// The number of lines with the same result.
  public struct Count: Sendable, Hashable {
    /// The result.
    public var value: Came
    /// The number of lines.
    public var count: Int
  }
}

extension Expectation {
  /// The expectations that a run did not meet. Bad lines count as pushes that were not accepted.
  ///
  /// If every line was left out (a duplicate, suppressed, another shard's), nothing is missed.
  public func misses(in summary: RunSummary) -> [UnmetExpectation] {
    if summary.lines == 0, summary.recipients.lines > 0 { return [] }
    var misses: [UnmetExpectation] = []
    if let status {
      let got = others(in: summary) { $0.status == status }
      if !got.isEmpty { misses.append(.status(wanted: status, got: got)) }
    }
    if let reason {
      let got = others(in: summary) { $0.reason == reason }
      if !got.isEmpty { misses.append(.reason(wanted: reason, got: got)) }
    }
    let (accepted, lines) = (summary[.accepted], summary.lines)
    if let share = acceptedAtLeast,
      lines == 0 || Double(accepted) < share * Double(lines) - 1e-9
    {
      misses.append(
        .accepted(wanted: share, got: accepted, of: lines, others: summary.notAccepted))
    }
    let latency = summary.latency.percentile(0.99)
    if let limit = latencyP99Below, latency.map({ $0 >= Double(limit) }) ?? true {
      misses.append(.latency(wanted: limit, got: latency))
    }
    return misses
  }

  /// The unexpected results of lines, most frequent first.
  private func others(
    in summary: RunSummary, isWanted: (UnmetExpectation.Came) -> Bool
  ) -> [UnmetExpectation.Count] {
    let lines = acceptedAtLeast == nil ? summary.came : summary.notAccepted
    return lines.filter { !isWanted($0.value) }
  }

  /// Nothing is expected explicitly.
  public var saysNothing: Bool { wantsAcceptance && latencyP99Below == nil }

  /// No response is expected explicitly, so every push must be accepted.
  public var wantsAcceptance: Bool { status == nil && reason == nil && acceptedAtLeast == nil }
}

extension RunSummary {
  /// The number of pushes and bad lines.
  package var lines: Int { total + recipients.badLines }

  /// The results of lines that were not accepted, most frequent first.
  package var notAccepted: [UnmetExpectation.Count] { came.filter { $0.value != .accepted } }

  /// The results of all lines, most frequent first.
  fileprivate var came: [UnmetExpectation.Count] {
    var counts = unanswered
    counts[.accepted, default: 0] += self[.accepted]
    for (refusal, count) in reasons {
      counts[.answer(status: refusal.status, reason: refusal.reason), default: 0] += count
    }
    return counts.filter { $0.value > 0 }
      .sorted { ($1.value, "\($0.key)") < ($0.value, "\($1.key)") }
      .map { UnmetExpectation.Count(value: $0.key, count: $0.value) }
  }

  /// The results of lines without a response. Outcomes do not record which pushes were answered, so
  /// responses are deducted from one outcome after the other.
  fileprivate var unanswered: [UnmetExpectation.Came: Int] {
    var answered = reasons.values.reduce(0, +) - self[.rejected]
    var counts: [UnmetExpectation.Came: Int] = [.badLine: recipients.badLines]
    for outcome in [Outcome.deferred, .unknown, .skipped, .notAttempted] {
      let told = min(max(answered, 0), self[outcome])
      answered -= told
      counts[.outcome(outcome)] = self[outcome] - told
    }
    return counts
  }
}
