/// Headers and payload that break no rule, before they have a recipient.
public struct Notification: Sendable, Hashable {
  /// The destination of a notification.
  public enum Target: Sendable, Hashable {
    /// Devices, with a topic.
    case devices(Topic)
    /// A channel of an app.
    case channel(ChannelID, app: BundleID)
  }

  /// The destination.
  public let target: Target
  /// The push type.
  public let pushType: PushType
  /// The priority as written, or the push type's default.
  public let priority: Priority
  /// The expiration; nil to let APNs decide on storing.
  public let expiration: Expiration?
  /// The collapse ID; nil for none.
  public let collapseID: CollapseID?
  /// The requested `apns-id`, or for a channel `apns-request-id`; nil to give each push its own.
  public let apnsID: APNSID?
  /// Headers for which this tool has no type.
  public let extraFields: [HeaderField]
  /// The payload.
  public let payload: Payload
  /// The broken rules of severity warning.
  public let warnings: [Problem]

  /// Creates a notification from a draft. For a channel, missing headers are supplied as in
  /// `Draft.filledForChannel()`.
  ///
  /// - Throws: `BrokenRules` with all problems of the draft, including warnings, if one of them is
  ///   an error.
  public init(_ draft: Draft, in context: RuleContext) throws(BrokenRules) {
    let draft = draft.filledForChannel()
    let problems = RuleTable.problems(in: draft, context)
    guard !problems.contains(where: { $0.severity == .error }), let target = Target(draft),
      let pushType = draft.pushTypeInfo?.type,
      let payload = draft.payload.flatMap({ Payload($0.bytes) })
    else { throw BrokenRules(problems) }
    self.target = target
    self.pushType = pushType
    self.payload = payload
    priority =
      draft.priority.flatMap { Priority($0) }
      ?? pushType.info?.defaultPriority(for: draft.payload?.json) ?? .immediate
    expiration = draft.expiration.flatMap { try? Expiration(wire: $0) }
    collapseID = draft.collapseID.flatMap { try? CollapseID($0) }
    apnsID = draft.apnsID.flatMap { APNSID($0) }
    extraFields = draft.extraFields
    warnings = problems
  }
}

extension Notification.Target {
  fileprivate init?(_ draft: Draft) {
    switch draft.target {
    case .device:
      guard let topic = draft.topic.flatMap({ try? Topic($0) }) else { return nil }
      self = .devices(topic)
    case .channel(let app):
      guard let channel = draft.channel.flatMap({ try? ChannelID($0) }),
        let app = app.flatMap({ try? BundleID($0.value) })
      else { return nil }
      self = .channel(channel, app: app)
    }
  }

  fileprivate var field: HeaderField {
    switch self {
    case .devices(let topic): HeaderField(.topic, checked: topic.text)
    case .channel(let channel, _): HeaderField(.channelID, checked: channel.text)
    }
  }
}

extension Notification {
  /// The headers of every push: topic or channel, push type and priority, then any others. The ID
  /// is not included because each push has its own.
  public var fields: [HeaderField] {
    var fields = [
      target.field,
      HeaderField(.pushType, checked: pushType.rawValue),
      HeaderField(.priority, checked: priority.description),
    ]
    if let expiration { fields.append(HeaderField(.expiration, checked: expiration.description)) }
    if let collapseID { fields.append(HeaderField(.collapseID, checked: collapseID.text)) }
    return fields + extraFields
  }
}

extension Draft {
  /// Returns the headers as written, even if they break rules, for a draft sent with force. The ID
  /// is not included, as in ``Notification/fields``.
  ///
  /// - Throws: `BrokenRules` with the problems that cannot be forced: characters that would corrupt
  ///   the request, connection headers, `authorization`.
  public func fieldsForced(in context: RuleContext) throws(BrokenRules) -> [HeaderField] {
    let problems = RuleTable.problems(in: self, context).filter { !$0.isForceable }
    if !problems.isEmpty { throw BrokenRules(problems) }
    return fields.filter { !idNames.contains($0.name) }.compactMap(\.checked)
  }

  fileprivate var extraFields: [HeaderField] {
    let others = HeaderName.typed.map(\.text) + (isBroadcast ? [HeaderName.channelID.text] : [])
    return fields.filter { !(others + idNames).contains($0.name) }.compactMap(\.checked)
  }

  // The headers that identify a push, set separately for each request.
  private var idNames: [String] {
    [HeaderName.id.text] + (isBroadcast ? [HeaderName.requestID.text] : [])
  }
}

extension DraftField {
  /// The header in a form that can be sent; nil if it breaks a rule that cannot be forced.
  var checked: HeaderField? {
    guard let name = try? HeaderName(name) else { return nil }
    return try? HeaderField(name, value)
  }
}
