public import APNS
public import PushModel

/// What answers the pushes of a step are expected to get.
///
/// Status and reason are those of every push, or with `acceptedAtLeast`, of every push that was not
/// accepted. Without any of the three, every push must be accepted.
public struct Expectation: Sendable, Hashable {
  /// The status of the answers; nil takes any.
  public var status: Status?
  /// The reason of the answers; nil takes any.
  public var reason: Reason?
  /// The least share of lines that must be accepted, from 0 to 1; nil asks for none.
  public var acceptedAtLeast: Double?
  /// The limit of the 99th percentile of latencies, in milliseconds; nil takes any.
  public var latencyP99Below: Int?
  /// Where it is written.
  public var origin: Origin
}

/// An expectation that was not met.
public enum Miss: Sendable, Hashable {
  /// Some lines have another status, or none. `got` is what they came to, most frequent first.
  case status(wanted: Status, got: [Count])
  /// Some lines have another reason, or none.
  case reason(wanted: Reason, got: [Count])
  /// Fewer were accepted. `others` is what the rest came to, most frequent first.
  case accepted(wanted: Double, got: Int, of: Int, others: [Count])
  /// The 99th percentile was higher; nil when nothing was answered.
  case latency(wanted: Int, got: Double?)

  /// What became of a line.
  public enum Came: Sendable, Hashable {
    /// An answer: its status, and its reason unless it had none. An accepted push has none.
    case answer(status: Status, reason: Reason?)
    /// A push without an answer.
    case outcome(Outcome)
    /// A line that is not a recipient.
    case badLine

    /// The answer to an accepted push.
    public static let accepted = Came.answer(status: .accepted, reason: nil)

    /// What became of a push.
    public init(_ result: PushResult) {
      let answer = result.response.map { response in
        Came.answer(
          status: response.status, reason: response.isAccepted ? nil : response.reason)
      }
      self = answer ?? .outcome(result.outcome)
    }

    /// The status of the answer; nil without one.
    public var status: Status? { if case .answer(let status, _) = self { status } else { nil } }

    /// The reason of the answer; nil without one.
    public var reason: Reason? { if case .answer(_, let reason) = self { reason } else { nil } }
  }

  /// How many lines came to the same.
  public struct Count: Sendable, Hashable {
    /// What became of them.
    public var value: Came
    /// The number of lines.
    public var count: Int
  }
}

extension Expectation {
  /// What of it a run did not meet. Bad lines count as pushes that were not accepted.
  ///
  /// If every line was left out (a duplicate, suppressed, another shard's), nothing can be missed.
  public func misses(in summary: RunSummary) -> [Miss] {
    if summary.lines == 0, summary.recipients.lines > 0 { return [] }
    var misses: [Miss] = []
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

  /// What lines came to instead of what is expected, most frequent first.
  private func others(
    in summary: RunSummary, isWanted: (Miss.Came) -> Bool
  ) -> [Miss.Count] {
    let lines = acceptedAtLeast == nil ? summary.came : summary.notAccepted
    return lines.filter { !isWanted($0.value) }
  }

  /// Whether it says nothing at all.
  public var saysNothing: Bool { wantsAcceptance && latencyP99Below == nil }

  /// Whether it says nothing about answers, so that every push has to be accepted.
  public var wantsAcceptance: Bool { status == nil && reason == nil && acceptedAtLeast == nil }
}

extension RunSummary {
  /// Pushes and bad lines.
  package var lines: Int { total + recipients.badLines }

  /// What the lines came to that were not accepted, most frequent first.
  package var notAccepted: [Miss.Count] { came.filter { $0.value != .accepted } }

  /// What all lines came to, most frequent first.
  fileprivate var came: [Miss.Count] {
    var counts = unanswered
    counts[.accepted, default: 0] += self[.accepted]
    for (refusal, count) in reasons {
      counts[.answer(status: refusal.status, reason: refusal.reason), default: 0] += count
    }
    return counts.filter { $0.value > 0 }
      .sorted { ($1.value, "\($0.key)") < ($0.value, "\($1.key)") }
      .map { Miss.Count(value: $0.key, count: $0.value) }
  }

  /// Of these, those that no answer tells of. Of refused pushes the outcome does not tell which were
  /// answered, so answers are taken from those of the outcomes in turn.
  fileprivate var unanswered: [Miss.Came: Int] {
    var answered = reasons.values.reduce(0, +) - self[.rejected]
    var counts: [Miss.Came: Int] = [.badLine: recipients.badLines]
    for outcome in [Outcome.deferred, .unknown, .skipped, .notAttempted] {
      let told = min(max(answered, 0), self[outcome])
      answered -= told
      counts[.outcome(outcome)] = self[outcome] - told
    }
    return counts
  }
}
