internal import APNS

/// The rules whose breach APNs answers with a reason. All others are the sender's business: APNs
/// accepts the push, and perhaps drops it.
struct AnsweredRules {
  private let rules: [Rule]

  private init(where isMeant: (Rule.Subject) -> Bool) {
    rules = RuleTable.all.filter { $0.reason != nil && isMeant($0.subject) }
  }

  /// The rules about headers, without those about `apns-id`.
  static let headers = AnsweredRules { $0 != .payload && $0 != .header(.id) }
  /// The rules about `apns-id`.
  static let id = AnsweredRules { $0 == .header(.id) }
  /// The rules about the payload.
  static let payload = AnsweredRules { $0 == .payload }

  /// The rules about one thing.
  static func about(_ subject: Rule.Subject) -> AnsweredRules { AnsweredRules { $0 == subject } }

  /// The first rule that a draft breaks; nil when it breaks none. No rule with a reason looks at
  /// the time, so that what it says can be remembered.
  ///
  /// - Parameter storage: what the channel that it goes to stores.
  func fault(
    of draft: Draft, _ authentication: Authentication,
    storage: ChannelStorage = .notLookedUp
  ) -> RequestFault? {
    var context = RuleContext(now: 0, authentication: authentication)
    context.channelStorage = storage
    for rule in rules {
      if let problem = rule.problems(in: draft, context).first, let reason = rule.reason {
        return RequestFault(
          CheckStep(rule.subject), Refusal(reason: reason, note: problem.message, fix: problem.fix))
      }
    }
    return nil
  }
}
