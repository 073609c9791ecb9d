public import APNS

// Findings from the rules and the tables of reasons, computed on demand.
extension ReceivedPush {
  /// The problems found by the rules that `send` applies.
  public var findings: [Problem] { findings(in: request.draft) }

  /// The cause of the refusal and the fix; nil if it was not refused, or without a reason.
  public var explanation: (cause: String, fix: String)? { explanation(\.fix) }

  /// The same without words of the command line.
  package var plainExplanation: (cause: String, fix: String)? { explanation(\.plainFix) }

  private func explanation(_ fix: (Cause) -> String) -> (cause: String, fix: String)? {
    if let fixOfNote, let note { return (note.sentence, fixOfNote) }
    guard let reason, !processed else { return nil }
    if let own = EmulatorReason.table.first(where: { $0.reason == reason }) {
      return (own.meaning, own.advice)
    }
    return reason.causes(of: facts).first.map { ($0.text, fix($0)) }
  }

  func findings(in draft: Draft) -> [Problem] {
    guard let shape = request.head?.shape, !isRefusedByHTTP2, shape.kind != .channel else {
      return []
    }
    var context = RuleContext(now: Int64(time), authentication: shape.authentication)
    context.isReceived = true
    let problems = RuleTable.problems(in: draft, context)
    // Only the start of an overlong payload is available.
    let isWhole = request.bodyCount == request.body.count
    return isWhole ? problems : problems.filter { !$0.place.isInPayload }
  }

  private var facts: RequestFacts {
    RequestFacts(
      service: .other, isBroadcast: request.kind == .broadcast,
      pushType: pushType.flatMap(PushType.init(rawValue:)), topic: topic,
      tokenDigits: token?.utf8.count ?? 64,
      providerTokenAge: request.authorization?.issuedAt.map {
        Int64(time).subtractingReportingOverflow(Int64($0)).partialValue
      },
      clocks: request.authorization?.issuedAt.map {
        Clocks(here: Int64($0), server: Int64(time))
      })
  }
}

extension ProblemPlace {
  fileprivate var isInPayload: Bool {
    if case .payload = self { true } else { false }
  }
}

extension String {
  /// The note as a sentence. The claims of a provider token are never capitalized.
  fileprivate var sentence: String {
    let word = prefix { $0.isLetter }
    let start = ["alg", "kid", "iss", "iat"].contains(word) ? String(word) : word.capitalized
    return start + dropFirst(word.count) + (hasSuffix(".") ? "" : ".")
  }
}

extension Substring {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
