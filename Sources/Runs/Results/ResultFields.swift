package import APNS
package import JSONText
internal import PlainText
package import PushModel
package import Reporting
package import Settings

// Fields that several outputs have in common.
extension OutputField {
  /// Returns the numbers of pushes by outcome.
  ///
  /// - Parameters:
  ///   - shown: the outcomes that people see.
  ///   - words: words for people, by outcome and number; nil if they see none.
  package static func outcomes(
    _ tally: @escaping @Sendable (Source) -> OutcomeTally,
    of outcomes: [Outcome] = Outcome.allCases, shown: [Outcome] = Outcome.allCases,
    words: (@Sendable (Source, Outcome, Int) -> StyledText?)? = nil
  ) -> Self {
    let fields = outcomes.map { outcome -> Self in
      let label = words == nil || !shown.contains(outcome) ? nil : outcome.heading
      return .always(outcome.rawValue, { tally($0)[outcome] }, outcome.meaning, as: label) {
        words?($0, outcome, tally($0)[outcome])
      }
    }
    return .all(fields) { $0 }
  }

  /// Returns the latencies that half, 95 % and 99 % of the answers stay within.
  ///
  /// - Parameters:
  ///   - shares: the three, in milliseconds.
  ///   - labels: labels for people; nil if they do not see them.
  ///   - words: how people read a latency.
  package static func latency(
    _ shares: @escaping @Sendable (Source) -> [Double?], in labels: [StyledText]? = nil,
    _ words: @escaping @Sendable (Double?) -> StyledText? = { _ in nil }
  ) -> Self {
    let fields = ["p50", "p95", "p99"].enumerated().map { index, name in
      OutputField<[Double?]>.always(
        name, { $0[index] }, "Milliseconds that this share of answers stays within.",
        as: labels?[index]
      ) { words($0[index]) }
    }
    let meaning = "Milliseconds from a push's last request to its answer."
    return Self([.init("latency", fields.shape(), meaning)]) {
      [.object("latency", fields.parts(of: shares($0)))]
    }
  }

  /// Returns the counts of reasons, the most frequent first.
  package static func reasons(
    _ reasons: @escaping @Sendable (Source) -> [(name: String, count: Int)]
  ) -> Self {
    let meaning = "How often each reason came, the most frequent first."
    return Self([.init("reasons", .map(.integer), meaning)]) {
      let facts = reasons($0).map { Report.Part.fact("  \($0.name)", $0.name, .number($0.count)) }
      return [.object("reasons", facts)]
    }
  }
}

extension RecipientCounts: JSONDescribed {
  /// The lines that did not become pushes.
  package static let fields: [OutputField<Self>] = [
    .always("badLines", \.badLines, "Lines that are not a valid recipient."),
    .always("duplicates", \.duplicates, "Lines whose token appeared before."),
    .always("suppressed", \.suppressed, "Lines whose token is in a --suppress list."),
    .always("otherShards", \.otherShards, "Lines left to other parts by --shard."),
  ]

  /// The same with words for people, who see those that are not zero.
  package static func fields(badLines tone: StyledText.Tone) -> [OutputField<Self>] {
    @Sendable func words(_ count: Int, _ tone: StyledText.Tone = .plain) -> StyledText? {
      count > 0 ? StyledText(grouped(count), tone) : nil
    }
    return [
      fields[0].labelled("bad lines") { words($0.badLines, tone) },
      fields[1].labelled("duplicates") { words($0.duplicates) },
      fields[2].labelled("suppressed") { words($0.suppressed) },
      fields[3].labelled("other shards") { words($0.otherShards) },
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

extension JSONFields {
  /// - Parameter listed: the columns of lists that are allowed besides the fields.
  /// - Throws: `Failure` for the first name that is not a field.
  package func refuseUnknown(
    among fields: @autoclosure () -> [JSONShape.Key], _ listed: [String] = []
  ) throws(Failure) {
    guard let names else { return }
    let known = fields().map(\.name) + listed
    for name in names where !known.contains(name) {
      throw .unknownField(name, of: "--json", among: known)
    }
  }
}

extension Settings {
  /// Results of pushes go to standard output.
  package var resultsTakeOutput: Bool { results?.value == "-" || template != nil }

  /// The list columns that are added to results.
  package var listed: [String] { columns?.value ?? [] }

  /// The template for printing each push; nil for none.
  ///
  /// - Parameter isOfStep: true for a push of a scenario.
  package func lineTemplate(isOfStep: Bool = false, _ context: Context) throws(Failure)
    -> LineTemplate?
  {
    guard let text = template?.value else { return nil }
    if text.isEmpty {
      throw Failure(
        "--template is empty.", fix: "Give a line of text, such as '{{token}} {{status}}'.")
    }
    let fields = (Outputs.result + (isOfStep ? Outputs.resultStep : [])).map(\.name) + listed
    do throws(LineTemplateError) {
      return try LineTemplate(text, fields: fields, now: context.now)
    } catch {
      switch error {
      case .malformed(let message, let fix): throw Failure("--template: \(message)", fix: fix)
      case .unknownField(let name): throw .unknownField(name, of: "--template", among: fields)
      case .numberFilter:
        throw Failure(
          "--template: 'number' has no effect in a line of text.",
          fix: "Leave it out; 'default' supplies what is missing.")
      }
    }
  }
}

extension Failure {
  /// An unknown field of an output, with the known ones.
  static func unknownField(
    _ name: String, of option: String, among fields: [String]
  ) -> Failure {
    let question = Suggestion.question(Suggestion.near(name, among: fields))
    return Failure(
      "\(option): unknown field '\(name.printable)'.",
      fix: (question.map { $0 + " " } ?? "")
        + "The fields are: \(fields.joined(separator: ", ")).")
  }
}

extension Failure {
  /// Broken rules in JSON, as in a line of `run --json`.
  package static let refusal: [OutputField<Self>] = [
    .always("error", \.sentence, "Why nothing is sent."),
    .always("problems", \.problems, "The broken rules."),
  ]
}

extension Outputs {
  /// A notification that breaks rules: `send --json`.
  package static let refusal = Failure.refusal.keys()
}
