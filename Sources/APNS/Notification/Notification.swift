/// Headers and payload without a broken rule, before they have a recipient.
public struct Notification: Sendable, Hashable {
  /// Where a notification goes.
  public enum Target: Sendable, Hashable {
    /// To devices, under a topic.
    case devices(Topic)
    /// To a channel of an app.
    case channel(ChannelID, app: BundleID)
  }

  /// Where it goes.
  public let target: Target
  /// The push type.
  public let pushType: PushType
  /// The priority: the one written, or the push type's default.
  public let priority: Priority
  /// The expiration; nil leaves storing to APNs.
  public let expiration: Expiration?
  /// The collapse ID; nil when it replaces nothing.
  public let collapseID: CollapseID?
  /// The `apns-id`, for a channel the `apns-request-id`, that was asked for; nil when each push is
  /// to have one of its own.
  public let apnsID: APNSID?
  /// Headers this tool has no type for.
  public let extraFields: [HeaderField]
  /// The payload.
  public let payload: Payload
  /// Rules of severity warning that it breaks.
  public let warnings: [Problem]

  /// Makes a notification of a draft. What one to a channel does not say is filled in, as
  /// ``Draft/filledForChannel()`` does.
  ///
  /// - Throws: `BrokenRules` with every problem of the draft, warnings included, when one of them is
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
      draft.priority.flatMap { Priority($0) } ?? pushType.info?.defaultPriority ?? .immediate
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
  /// The headers of every push: topic or channel, push type and priority, then the others that were
  /// given. Its ID is not among them: it belongs to a push.
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
  /// The headers as written, rules or not, for a draft that is sent by force; its ID is left out,
  /// as in ``Notification/fields``.
  ///
  /// - Throws: `BrokenRules` with the problems that no force can send: characters that would break
  ///   the request apart, connection headers, `authorization`.
  public func fieldsForced(in context: RuleContext) throws(BrokenRules) -> [HeaderField] {
    let problems = RuleTable.problems(in: self, context).filter { !$0.isForceable }
    if !problems.isEmpty { throw BrokenRules(problems) }
    return fields.filter { !idNames.contains($0.name) }.compactMap(\.checked)
  }

  fileprivate var extraFields: [HeaderField] {
    let others = HeaderName.typed.map(\.text) + (isBroadcast ? [HeaderName.channelID.text] : [])
    return fields.filter { !(others + idNames).contains($0.name) }.compactMap(\.checked)
  }

  // The headers that name a push, of which each request gets its own.
  private var idNames: [String] {
    [HeaderName.id.text] + (isBroadcast ? [HeaderName.requestID.text] : [])
  }
}

extension DraftField {
  /// The header as it can be sent; nil when it breaks a rule that cannot be forced.
  var checked: HeaderField? {
    guard let name = try? HeaderName(name) else { return nil }
    return try? HeaderField(name, value)
  }
}
