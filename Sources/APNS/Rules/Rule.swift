/// A requirement for notifications: a row of ``RuleTable``. A class because every draft is checked
/// against every row, and copying the rows' texts would take longer than the rules.
public final class Rule: Sendable {
  /// The part of a notification that a rule checks.
  public enum Subject: Sendable, Hashable {
    /// Headers of any name.
    case headers
    /// The header of this name.
    case header(HeaderName)
    /// The bundle ID in the path of a push to a channel.
    case bundleID
    /// The payload, together with its push type.
    case payload
    /// An `.apns` file, which delivers a payload to a simulator and never to APNs.
    case simulator
    /// The placeholders of a payload. APNs never sees them.
    case template
  }

  /// The name of the rule, in kebab case; stable, for scripts and suppressions.
  public let identifier: String
  /// The severity of breaking the rule.
  public let severity: Severity
  /// The part it checks.
  public let subject: Subject
  /// The pushes to which it applies.
  public let scope: RequestScope
  /// The requirement, in one sentence.
  public let summary: String
  /// The fix if it is not met, in one sentence.
  public let fix: String
  /// The page that documents it.
  public let source: String
  /// APNs' answer if it is broken; nil if APNs accepts the push, and perhaps drops it.
  public let reason: Reason?
  /// True if the answer is known. Otherwise ``reason`` is nil, and the emulator answers with a
  /// reason of its own.
  public let isAnswerKnown: Bool
  /// True if `--force` may send a notification that breaks it.
  public let isForceable: Bool
  /// Checks a draft and returns the violations.
  let check: @Sendable (ExaminedDraft, RuleContext) -> [Finding]

  /// Creates a rule.
  ///
  /// - Parameter scope: the pushes to which it applies; by default those that have its subject.
  init(
    _ identifier: String, _ severity: Severity, about subject: Subject,
    on scope: RequestScope? = nil, summary: String, fix: String,
    source: String = Source.sending, reason: Reason? = nil, isAnswerKnown: Bool = true,
    isForceable: Bool = true,
    check: @escaping @Sendable (ExaminedDraft, RuleContext) -> [Finding]
  ) {
    self.identifier = identifier
    self.severity = severity
    self.subject = subject
    self.scope = scope ?? subject.scope
    self.summary = summary
    self.fix = fix
    self.source = source
    self.reason = reason
    self.isAnswerKnown = isAnswerKnown
    self.isForceable = isForceable
    self.check = check
  }

  /// APNs' answer to a push that breaks the rule, in words: a reason, or why there is none.
  public var answer: String {
    if let reason { return reason.rawValue }
    if !isForceable || subject == .simulator { return "never sent" }
    return isAnswerKnown ? "no error" : "unknown"
  }

  /// Returns true if the rule applies to pushes with this destination.
  public func applies(to target: DraftTarget) -> Bool {
    switch scope {
    case .device: target == .device
    case .broadcast: target != .device
    case .both: true
    }
  }

  /// The problems of a draft with this rule; none if the rule does not apply.
  public func problems(in draft: Draft, _ context: RuleContext) -> [Problem] {
    applies(to: draft.target) ? problems(in: ExaminedDraft(draft, context)) : []
  }

  func problems(in draft: ExaminedDraft) -> [Problem] {
    let findings = check(draft, draft.context)
    guard !findings.isEmpty else { return [] }
    return findings.map(problem)
  }

  func problem(_ finding: Finding) -> Problem {
    Problem(
      severity, rule: identifier, at: finding.place, from: finding.origin,
      message: finding.message, fix: finding.fix ?? fix, reason: reason, isForceable: isForceable)
  }
}

extension Rule.Subject {
  /// The pushes that have this part.
  fileprivate var scope: RequestScope {
    switch self {
    case .header(let name): HeaderTable.info(name.text)?.scope ?? .both
    case .bundleID: .broadcast
    case .headers, .payload, .simulator, .template: .both
    }
  }
}

/// The knowledge about a channel's storage.
public enum ChannelStorage: Sendable, Hashable {
  /// The policy was not looked up.
  case notLookedUp
  /// The policy was looked up in the records, which do not contain the channel.
  case unknown
  /// The policy is known.
  case known(StoragePolicy)
}

/// The context for the rules, in addition to the draft.
public struct RuleContext: Sendable, Hashable {
  /// The receiver of a notification.
  public enum Audience: String, Sendable, Hashable {
    /// A device, through APNs.
    case device
    /// A simulator, through an `.apns` file, which gets only the payload.
    case simulator
  }

  /// The current time, in seconds since 1970.
  public var now: Int64
  /// The sender's way to authenticate; nil if not yet known.
  public var authentication: Authentication?
  /// The receiver.
  public var audience: Audience
  /// True for a request that was received, to which no defaults are added.
  public var isReceived = false
  /// The knowledge about the channel's storage.
  public var channelStorage = ChannelStorage.notLookedUp

  /// Creates a context.
  public init(now: Int64, authentication: Authentication? = nil, audience: Audience = .device) {
    self.now = now
    self.authentication = authentication
    self.audience = audience
  }
}
