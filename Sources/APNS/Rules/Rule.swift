/// One thing that a notification has to hold: a row of ``RuleTable``. A class, because every draft is
/// led past every row, and copying the texts of the rows would take longer than the rules.
public final class Rule: Sendable {
  /// What a rule looks at.
  public enum Subject: Sendable, Hashable {
    /// Headers of any name.
    case headers
    /// The header of this name.
    case header(HeaderName)
    /// The bundle ID in the path of a push to a channel.
    case bundleID
    /// The payload, with the push type it is for.
    case payload
    /// An `.apns` file, which takes a payload to a simulator and never to APNs.
    case simulator
    /// The placeholders of a payload. APNs never sees them.
    case template
  }

  /// The rule's name, in kebab case; stable, for scripts and suppressions.
  public let identifier: String
  /// How bad it is to break the rule.
  public let severity: Severity
  /// What it looks at.
  public let subject: Subject
  /// Which pushes it is about.
  public let scope: RequestScope
  /// What has to hold, in one sentence.
  public let summary: String
  /// What to do when it does not, in one sentence.
  public let fix: String
  /// The page that says so.
  public let source: String
  /// What APNs answers when it is broken; nil when it accepts the push, and perhaps drops it.
  public let reason: Reason?
  /// Whether that is known. When it is not, ``reason`` is nil, and the emulator answers with a word
  /// of its own.
  public let isAnswerKnown: Bool
  /// Whether `--force` may send a notification that breaks it.
  public let isForceable: Bool
  /// Looks at a draft; what it returns breaks the rule.
  let check: @Sendable (ExaminedDraft, RuleContext) -> [Finding]

  /// A rule.
  ///
  /// - Parameter scope: which pushes it is about; by default those that have its subject.
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

  /// Whether it is about pushes that go there.
  public func applies(to target: DraftTarget) -> Bool {
    switch scope {
    case .device: target == .device
    case .broadcast: target != .device
    case .both: true
    }
  }

  /// The problems a draft has with this rule; none when it is about other pushes.
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
  /// The pushes that have it.
  fileprivate var scope: RequestScope {
    switch self {
    case .header(let name): HeaderTable.info(name.text)?.scope ?? .both
    case .bundleID: .broadcast
    case .headers, .payload, .simulator, .template: .both
    }
  }
}

/// What is known of what a channel stores.
public enum ChannelStorage: Sendable, Hashable {
  /// It was not looked up.
  case notLookedUp
  /// It was looked up where channels are written down, and the channel is not there.
  case unknown
  /// This.
  case known(StoragePolicy)
}

/// What the rules have to know beside the draft.
public struct RuleContext: Sendable, Hashable {
  /// Who is to receive the notification.
  public enum Audience: String, Sendable, Hashable {
    /// A device, through APNs.
    case device
    /// A simulator, through an `.apns` file: it gets the payload alone.
    case simulator
  }

  /// The present, in seconds since 1970.
  public var now: Int64
  /// How the sender authenticates; nil when that is not known yet.
  public var authentication: Authentication?
  /// Who is to receive it.
  public var audience: Audience
  /// Whether the draft is of a request that was received: what it lacks is filled in no more.
  public var isReceived = false
  /// What is known of what the channel stores.
  public var channelStorage = ChannelStorage.notLookedUp

  /// What the rules have to know.
  public init(now: Int64, authentication: Authentication? = nil, audience: Audience = .device) {
    self.now = now
    self.authentication = authentication
    self.audience = audience
  }
}
