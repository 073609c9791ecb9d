public import APNS
internal import HTTP2
internal import JSONText
internal import PushModel

/// A notification that breaks no rule, for devices or for a broadcast channel.
public struct PushNotification: Sendable {
  let checked: Notification

  /// Creates a notification for an app's devices, and checks it.
  ///
  /// - Parameters:
  ///   - content: the push type and the payload.
  ///   - bundleID: the app's bundle ID; the topic is made from it and the push type.
  ///   - priority: nil for the push type's default.
  ///   - expiration: nil to let APNs decide on storing.
  ///   - collapseID: replaces an earlier notification with the same ID on the device.
  ///   - id: the `apns-id`, a UUID; nil gives each push its own.
  /// - Throws: ``BrokenRules``: each problem with its fix.
  public init(
    _ content: PushContent, bundleID: String, priority: Priority? = nil,
    expiration: Expiration? = nil, collapseID: String? = nil, id: String? = nil
  ) throws(BrokenRules) {
    var draft = Draft(content, bundleID, priority, expiration, collapseID)
    if let id { draft[.id] = DraftField(.id, id) }
    try self.init(checking: draft)
  }

  /// Creates a notification for all who have subscribed to a broadcast channel, and checks it.
  ///
  /// - Parameters:
  ///   - content: the push type, which is `liveactivity`, and the payload.
  ///   - channel: the channel.
  ///   - bundleID: the bundle ID of the app that has the channel.
  ///   - priority: nil for 10.
  ///   - expiration: nil for 0, which stores nothing.
  /// - Throws: ``BrokenRules``: each problem with its fix.
  public init(
    _ content: PushContent, channel: ChannelID, bundleID: String, priority: Priority? = nil,
    expiration: Expiration? = nil
  ) throws(BrokenRules) {
    var draft = Draft(
      fields: [DraftField(.channelID, channel.text)], payload: content.payload,
      target: .channel(app: DraftField(Draft.appField, bundleID)))
    draft.add(content.pushType, priority, expiration)
    try self.init(checking: draft)
  }

  init(checking draft: Draft) throws(BrokenRules) {
    checked = try Notification(draft, in: RuleContext(now: RunClock.system.epochSeconds))
  }
}

extension PushNotification {
  /// The push type.
  public var pushType: PushType { checked.pushType }

  /// The topic: the bundle ID with the push type's suffix. For a channel, the app's bundle ID.
  public var topic: String {
    switch checked.target {
    case .devices(let topic): topic.text
    case .channel(_, let app): app.text
    }
  }

  /// The channel that it goes to; nil when it goes to devices.
  public var channel: ChannelID? {
    if case .channel(let channel, _) = checked.target { channel } else { nil }
  }

  /// The priority that was given, or the push type's.
  public var priority: Priority { checked.priority }

  /// The expiration; nil when APNs decides on storing.
  public var expiration: Expiration? { checked.expiration }

  /// The collapse ID; nil for none.
  public var collapseID: String? { checked.collapseID?.text }

  /// The `apns-id` that was given; nil when each push gets its own.
  public var id: String? { checked.apnsID?.description }

  /// The payload as it is sent.
  public var bytes: [UInt8] { checked.payload.bytes }

  /// The payload's value.
  public var payload: JSON { (try? JSONReader().read(bytes)) ?? nil }

  /// What is probably not meant, though APNs takes it.
  public var warnings: [Problem] { checked.warnings }
}

extension Draft {
  /// The draft of a notification for an app's devices.
  init(
    _ content: PushContent, _ bundleID: String, _ priority: Priority?, _ expiration: Expiration?,
    _ collapseID: String?
  ) {
    let topic = (try? BundleID(bundleID)).map { Topic($0, for: content.pushType).text } ?? bundleID
    self.init(fields: [DraftField(.topic, topic)], payload: content.payload)
    add(content.pushType, priority, expiration)
    if let collapseID { self[.collapseID] = DraftField(.collapseID, collapseID) }
  }

  mutating func add(_ type: PushType, _ priority: Priority?, _ expiration: Expiration?) {
    self[.pushType] = DraftField(.pushType, type.rawValue)
    if let priority { self[.priority] = DraftField(.priority, priority.description) }
    if let expiration { self[.expiration] = DraftField(.expiration, expiration.description) }
  }
}

// What requests carry counts, and not the places that warnings name.
extension PushNotification: Hashable {
  /// Compares what is sent.
  public static func == (left: PushNotification, right: PushNotification) -> Bool {
    let (one, other) = (left.checked, right.checked)
    return one.payload == other.payload && one.target == other.target
      && one.pushType == other.pushType && one.priority == other.priority
      && one.expiration == other.expiration && one.collapseID == other.collapseID
      && one.apnsID == other.apnsID && one.extraFields == other.extraFields
  }

  /// Hashes what is sent.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(checked.payload)
    hasher.combine(checked.fields)
    hasher.combine(checked.apnsID)
  }
}

extension PushNotification {
  /// The reason it cannot be sent to devices, or to a channel.
  func obstacle(toDevice: Bool) -> Obstacle? {
    switch (channel != nil, toDevice) {
    case (true, true): .isForChannel
    case (false, false): .isForDevices
    default: nil
    }
  }

  /// The notification as requests carry it.
  ///
  /// - Parameter isList: all recipients share the payload; otherwise each push brings it along, so
  ///   that those with the same headers travel together.
  func message(isList: Bool) -> PushMessage {
    let payload = isList ? checked.payload : nil
    switch checked.target {
    case .devices:
      return PushMessage(
        fields: checked.fields, path: Draft().path, payload: payload, apnsID: checked.apnsID,
        expiresAt: expiration?.end, waitsForSlowTokens: isList)
    case .channel(_, let app):
      return PushMessage(
        fields: checked.fields, path: Draft.broadcastPath + app.text, idHeader: .requestID,
        payload: payload, apnsID: checked.apnsID, expiresAt: expiration?.end,
        waitsForSlowTokens: isList)
    }
  }
}
