public import APNS
public import PushModel

/// What must come back of a step's pushes.
///
/// Status and reason are those of every push. With a share that is to be accepted, they are those
/// of every push that was not. When none of the three is said, every push is to be accepted.
public struct Expectation: Sendable, Hashable {
  /// The status of the answers; nil takes any.
  public var status: Status?
  /// The reason of the answers; nil takes any.
  public var reason: Reason?
  /// The least share of lines that are to be accepted, from 0 to 1; nil asks for none.
  public var acceptedAtLeast: Double?
  /// What the slowest answer in a hundred has to stay below, in milliseconds; nil takes any.
  public var latencyP99Below: Int?
  /// Where it is written.
  public var origin: Origin

  /// An expectation that takes anything.
  public init(from origin: Origin) { self.origin = origin }
}

/// Something that was expected and did not come.
public enum Miss: Sendable, Hashable {
  /// Some lines have another status, or none. `got` are the others, most frequent first.
  case status(wanted: Status, got: [Count])
  /// Some lines have another reason, or none.
  case reason(wanted: Reason, got: [Count])
  /// Fewer were accepted.
  case accepted(wanted: Double, got: Int, of: Int)
  /// The slowest in a hundred took longer; nil when nothing was answered.
  case latency(wanted: Int, got: Double?)

  /// What became of a line in place of what was wanted.
  public enum Came: Sendable, Hashable {
    case status(Status)
    case reason(Reason)
    /// An answer without a reason: an accepted push has none.
    case noReason
    /// A push without an answer.
    case outcome(Outcome)
    /// A line that is no recipient.
    case badLine
  }

  /// How many lines came to the same.
  public struct Count: Sendable, Hashable {
    /// What they came to.
    public var value: Came
    /// How many they are.
    public var count: Int
  }
}

extension Expectation {
  /// What of it a run did not meet. Lines that are no recipient count as pushes that were not
  /// accepted.
  ///
  /// Where every line was left out (a duplicate, suppressed, another shard's) nothing can be missed.
  public func misses(in summary: RunSummary) -> [Miss] {
    if summary.lines == 0, summary.recipients.lines > 0 { return [] }
    return [
      status.flatMap { missed($0, in: summary) }, reason.flatMap { missed($0, in: summary) },
      acceptedAtLeast.flatMap { missed($0, in: summary) },
      latencyP99Below.flatMap { missed($0, in: summary) },
    ].compactMap(\.self)
  }

  private func missed(_ wanted: Status, in summary: RunSummary) -> Miss? {
    let got = others(in: summary, accepted: .status(.accepted), wanted: .status(wanted)) {
      .status($0.status)
    }
    return got.isEmpty ? nil : .status(wanted: wanted, got: got)
  }

  private func missed(_ wanted: Reason, in summary: RunSummary) -> Miss? {
    let got = others(in: summary, accepted: .noReason, wanted: .reason(wanted)) {
      $0.reason.map { .reason($0) } ?? .noReason
    }
    return got.isEmpty ? nil : .reason(wanted: wanted, got: got)
  }

  private func missed(_ wanted: Double, in summary: RunSummary) -> Miss? {
    let (accepted, all) = (summary[.accepted], summary.lines)
    let isMet = all > 0 && Double(accepted) >= wanted * Double(all) - 1e-9
    return isMet ? nil : .accepted(wanted: wanted, got: accepted, of: all)
  }

  private func missed(_ wanted: Int, in summary: RunSummary) -> Miss? {
    let got = summary.latency.percentile(0.99)
    return got.map { $0 < Double(wanted) } ?? false ? nil : .latency(wanted: wanted, got: got)
  }

  /// What lines came to in place of what is wanted, most frequent first.
  ///
  /// - Parameter accepted: what accepted pushes came to.
  private func others(
    in summary: RunSummary, accepted: Miss.Came, wanted: Miss.Came,
    value: (RunSummary.Refusal) -> Miss.Came
  ) -> [Miss.Count] {
    var counts = summary.unanswered
    if acceptedAtLeast == nil { counts[accepted, default: 0] += summary[.accepted] }
    for (refusal, count) in summary.reasons { counts[value(refusal), default: 0] += count }
    counts[wanted] = nil
    return counts.filter { $0.value > 0 }.sorted { $0.value > $1.value }
      .map { Miss.Count(value: $0.key, count: $0.value) }
  }

  /// Whether it says nothing at all.
  public var saysNothing: Bool { wantsAcceptance && latencyP99Below == nil }

  /// Whether it says nothing of what answers are to be, so that everything has to be accepted.
  public var wantsAcceptance: Bool { status == nil && reason == nil && acceptedAtLeast == nil }
}

extension RunSummary {
  /// Pushes, and lines that are no recipient.
  fileprivate var lines: Int { total + recipients.badLines }

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
