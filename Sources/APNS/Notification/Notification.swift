/// Headers and payload without a broken rule, before they have a recipient.
public struct Notification: Sendable, Hashable {
  /// The topic.
  public let topic: Topic
  /// The push type.
  public let pushType: PushType
  /// The priority: the one written, or the push type's default.
  public let priority: Priority
  /// The expiration; nil leaves storing to APNs.
  public let expiration: Expiration?
  /// The collapse ID; nil when it replaces nothing.
  public let collapseID: CollapseID?
  /// The `apns-id` that was asked for; nil when each push is to have one of its own.
  public let apnsID: APNSID?
  /// Headers this tool has no type for.
  public let extraFields: [HeaderField]
  /// The payload.
  public let payload: Payload
  /// Rules of severity warning that it breaks.
  public let warnings: [Problem]

  /// Makes a notification of a draft.
  ///
  /// - Throws: `BrokenRules` with every problem of the draft, warnings included, when one of them is
  ///   an error.
  public init(_ draft: Draft, in context: RuleContext) throws(BrokenRules) {
    let problems = RuleTable.problems(in: draft, context)
    guard !problems.contains(where: { $0.severity == .error }),
      let topic = draft.topic.flatMap({ try? Topic($0) }),
      let pushType = draft.pushType.flatMap(PushType.init(rawValue:)),
      let payload = draft.payload.flatMap({ Payload($0.bytes) })
    else { throw BrokenRules(problems) }
    self.topic = topic
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

extension Notification {
  /// The headers of every push: topic, push type and priority, then the others that were given.
  /// `apns-id` is not among them, for it belongs to a push.
  public var fields: [HeaderField] {
    var fields = [
      HeaderField(.topic, checked: topic.text),
      HeaderField(.pushType, checked: pushType.rawValue),
      HeaderField(.priority, checked: priority.description),
    ]
    if let expiration { fields.append(HeaderField(.expiration, checked: expiration.description)) }
    if let collapseID { fields.append(HeaderField(.collapseID, checked: collapseID.text)) }
    return fields + extraFields
  }

  /// The longest payload its push type allows, in bytes: what every rendered payload is held to.
  public var payloadLimit: Int { pushType.info?.payloadLimit ?? PushType.usualPayloadLimit }
}

extension Draft {
  /// The headers as written, rules or not, for a draft that is sent by force; `apns-id` is left out,
  /// as in ``Notification/fields``.
  ///
  /// - Throws: `BrokenRules` with the problems that no force can send: characters that would break
  ///   the request apart, connection headers, `authorization`.
  public func fieldsForced(in context: RuleContext) throws(BrokenRules) -> [HeaderField] {
    let problems = RuleTable.problems(in: self, context).filter { !$0.isForceable }
    if !problems.isEmpty { throw BrokenRules(problems) }
    return fields.filter { $0.name != HeaderName.id.text }.compactMap(\.checked)
  }

  fileprivate var extraFields: [HeaderField] {
    return fields.filter { field in !HeaderName.typed.contains { $0.text == field.name } }
      .compactMap(\.checked)
  }
}

extension DraftField {
  /// The header as it can be sent; nil when it breaks a rule that cannot be forced.
  var checked: HeaderField? {
    guard let name = try? HeaderName(name) else { return nil }
    return try? HeaderField(name, value)
  }
}
