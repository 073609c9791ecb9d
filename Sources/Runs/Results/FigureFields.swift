package import JSONText
internal import PlainText
package import PushModel
package import Reporting

// Fields that several outputs have in common.
extension JSONField {
  /// Returns the numbers of pushes by outcome.
  package static func outcomes(
    _ tally: @escaping @Sendable (Source) -> OutcomeTally
  ) -> [Self] {
    Outcome.allCases.map { outcome in
      .always(outcome.rawValue, outcome.meaning) { tally($0)[outcome] }
    }
  }
}

extension ReportField {
  /// Returns the numbers of pushes by outcome.
  ///
  /// - Parameters:
  ///   - shown: the outcomes that people see.
  ///   - words: words for people, by outcome and number.
  package static func outcomes(
    _ tally: @escaping @Sendable (Source) -> OutcomeTally,
    shown: [Outcome] = Outcome.allCases,
    words: @escaping @Sendable (Source, Outcome, Int) -> StyledText?
  ) -> [Self] {
    zip(Outcome.allCases, JSONField.outcomes(tally)).map { outcome, field in
      let field = ReportField(field)
      if !shown.contains(outcome) { return field }
      return field.label(StyledText(outcome.words)) { words($0, outcome, tally($0)[outcome]) }
    }
  }

  /// Returns the latencies that half, 95 % and 99 % of the answers stay within.
  ///
  /// - Parameters:
  ///   - columns: labels for people, and how they read a latency; nil if they do not see them.
  ///   - shares: the three, in milliseconds.
  package static func latency(
    in columns: (names: [StyledText], words: @Sendable (Double?) -> StyledText)? = nil,
    _ shares: @escaping @Sendable (Source) -> [Double?]
  ) -> Self {
    let fields = ["p50", "p95", "p99"].enumerated().map { index, name in
      let field = ReportField<[Double?]>.always(
        name, "Milliseconds that this share of answers stays within."
      ) { $0[index] }
      guard let (names, words) = columns else { return field }
      return field.label(names[index]) { words($0[index]) }
    }
    return .object(
      "latency", "Milliseconds from a push's last request to its answer.", fields, of: shares)
  }

  /// Returns the counts of reasons, the most frequent first.
  package static func reasons(
    _ reasons: @escaping @Sendable (Source) -> [(name: String, count: Int)]
  ) -> Self {
    .map("reasons", "How often each reason came, the most frequent first.", of: .integer) {
      reasons($0).map { .fact("  \($0.name)", $0.name, .number($0.count)) }
    }
  }
}

extension RecipientCounts: JSONDescribed {
  /// The lines that did not become pushes.
  package static let fields: [JSONField<Self>] = [
    .always("badLines", "Lines that are not a valid recipient.") { $0.badLines },
    .always("duplicates", "Lines whose token appeared before.") { $0.duplicates },
    .always("suppressed", "Lines whose token is in a --suppress list.") { $0.suppressed },
    .always("otherShards", "Lines left to other parts by --shard.") { $0.otherShards },
  ]

  /// The same with words for people, who see those that are not zero.
  package static func fields(badLines tone: StyledText.Tone) -> [ReportField<Self>] {
    @Sendable func words(_ count: Int, _ tone: StyledText.Tone = .plain) -> StyledText? {
      count > 0 ? StyledText(grouped(count), tone) : nil
    }
    return [
      ReportField(fields[0]).label("bad lines") { words($0.badLines, tone) },
      ReportField(fields[1]).label("duplicates") { words($0.duplicates) },
      ReportField(fields[2]).label("suppressed") { words($0.suppressed) },
      ReportField(fields[3]).label("other shards") { words($0.otherShards) },
    ]
  }
}

extension Outcome: JSONWord {
  fileprivate var meaning: String {
    switch self {
    case .accepted: "Pushes that were answered with 200."
    case .rejected: "Pushes refused for a reason that resending does not change."
    case .skipped: "Pushes not sent: their row breaks a rule, or they expired."
    case .deferred: "Pushes that APNs asked to send later."
    case .unknown: "Pushes that were sent and got no answer."
    case .notAttempted: "Pushes that the run ended before."
    }
  }
}

extension RunState: JSONWord {}
