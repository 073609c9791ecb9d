internal import APNS

/// The rules that APNs enforces with a reason. Violations of all others are the sender's problem:
/// APNs accepts the push, and may drop it.
struct AnsweredRules {
  private let rules: [Rule]

  private init(where isMeant: (Rule.Subject) -> Bool) {
    rules = RuleTable.all.filter { $0.reason != nil && isMeant($0.subject) }
  }

  /// The rules about headers, except those about `apns-id`.
  static let headers = AnsweredRules { $0 != .payload && $0 != .header(.id) }
  /// The rules about `apns-id`.
  static let id = AnsweredRules { $0 == .header(.id) }
  /// The rules about the payload.
  static let payload = AnsweredRules { $0 == .payload }

  /// The rules about one subject.
  static func about(_ subject: Rule.Subject) -> AnsweredRules { AnsweredRules { $0 == subject } }

  /// The first rule that a draft breaks; nil if it breaks none. No rule with a reason depends on
  /// the time, so the result can be cached.
  ///
  /// - Parameter storage: the storage policy of the channel it goes to.
  func fault(
    of draft: Draft, _ authentication: Authentication,
    storage: ChannelStorage = .notLookedUp
  ) -> RequestFault? {
    var context = RuleContext(now: 0, authentication: authentication)
    context.channelStorage = storage
    for rule in rules {
      if let problem = rule.problems(in: draft, context).first, let reason = rule.reason {
        return RequestFault(
          CheckStep(rule.subject),
          APNSRefusal(reason: reason, note: problem.message, fix: problem.fix))
      }
    }
    return nil
  }
}
