public import APNS

/// What must come back of a step's pushes.
///
/// Status and reason are those of every push. With a share that is to be accepted, they are those
/// of every push that was not.
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
  /// Some pushes have another status, or none. `got` are the others, most frequent first; a status
  /// of nil stands for pushes without an answer.
  case status(wanted: Status, got: [Count<Status?>])
  /// Some pushes have another reason, or none.
  case reason(wanted: Reason, got: [Count<Reason?>])
  /// Fewer were accepted.
  case accepted(wanted: Double, got: Int, of: Int)
  /// The slowest in a hundred took longer; nil when nothing was answered.
  case latency(wanted: Int, got: Double?)

  /// How many pushes have a value.
  public struct Count<Value: Sendable & Hashable>: Sendable, Hashable {
    /// What they have.
    public var value: Value
    /// How many they are.
    public var count: Int
  }
}

extension Expectation {
  /// What of it a run did not meet. Lines that are no recipient count as pushes that were not
  /// accepted.
  public func misses(in summary: RunSummary) -> [Miss] {
    [
      status.flatMap { missed($0, in: summary) }, reason.flatMap { missed($0, in: summary) },
      acceptedAtLeast.flatMap { missed($0, in: summary) },
      latencyP99Below.flatMap { missed($0, in: summary) },
    ].compactMap(\.self)
  }

  private func missed(_ wanted: Status, in summary: RunSummary) -> Miss? {
    let got = others(in: summary, accepted: .accepted, wanted: wanted) { $0.status }
    return got.isEmpty ? nil : .status(wanted: wanted, got: got)
  }

  private func missed(_ wanted: Reason, in summary: RunSummary) -> Miss? {
    let got = others(in: summary, accepted: nil, wanted: wanted) { $0.reason }
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

  /// What pushes have in place of what is wanted, most frequent first.
  ///
  /// - Parameter accepted: what accepted pushes have.
  private func others<Value: Hashable & Sendable>(
    in summary: RunSummary, accepted: Value?, wanted: Value,
    value: (RunSummary.Refusal) -> Value?
  ) -> [Miss.Count<Value?>] {
    var counts: [Value?: Int] = [:]
    if acceptedAtLeast == nil { counts[accepted, default: 0] += summary[.accepted] }
    for (refusal, count) in summary.reasons { counts[value(refusal), default: 0] += count }
    counts[.none, default: 0] += summary.unanswered
    counts[wanted] = nil
    return counts.filter { $0.value > 0 }.sorted { $0.value > $1.value }
      .map { Miss.Count(value: $0.key, count: $0.value) }
  }
}

extension RunSummary {
  /// Pushes, and lines that are no recipient.
  fileprivate var lines: Int { total + recipients.badLines }

  /// Of these, those that no answer tells of.
  fileprivate var unanswered: Int { lines - self[.accepted] - reasons.values.reduce(0, +) }
}
