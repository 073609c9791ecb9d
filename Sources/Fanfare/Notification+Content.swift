public import APNS
internal import HTTP2
internal import PushModel

extension Notification {
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
    _ content: Content, bundleID: String, priority: Priority? = nil, expiration: Expiration? = nil,
    collapseID: String? = nil, id: String? = nil
  ) throws(BrokenRules) {
    var draft = Draft(content, bundleID, priority, expiration, collapseID)
    if let id { draft[.id] = DraftField(.id, id) }
    try self.init(draft, in: RuleContext(now: RunClock.system.epochSeconds))
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
    _ content: Content, channel: ChannelID, bundleID: String, priority: Priority? = nil,
    expiration: Expiration? = nil
  ) throws(BrokenRules) {
    var draft = Draft(
      fields: [DraftField(.channelID, channel.text)], payload: content.payload,
      target: .channel(app: DraftField(Draft.appField, bundleID)))
    draft.add(content.pushType, priority, expiration)
    try self.init(draft, in: RuleContext(now: RunClock.system.epochSeconds))
  }
}

extension Draft {
  /// The draft of a notification for an app's devices.
  init(
    _ content: Content, _ bundleID: String, _ priority: Priority?, _ expiration: Expiration?,
    _ collapseID: String?
  ) {
    let topic = (try? BundleID(bundleID)).map { Topic($0, for: content.pushType).text } ?? bundleID
    self.init(fields: [DraftField(.topic, topic)], payload: content.payload)
    add(content.pushType, priority, expiration)
    if let collapseID { self[.collapseID] = DraftField(.collapseID, collapseID) }
  }

  fileprivate mutating func add(
    _ type: PushType, _ priority: Priority?, _ expiration: Expiration?
  ) {
    self[.pushType] = DraftField(.pushType, type.rawValue)
    if let priority { self[.priority] = DraftField(.priority, priority.description) }
    if let expiration { self[.expiration] = DraftField(.expiration, expiration.description) }
  }
}

extension Notification {
  /// The channel that it goes to; nil when it goes to devices.
  var channel: ChannelID? {
    if case .channel(let channel, _) = target { channel } else { nil }
  }

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
    let payload = isList ? payload : nil
    switch target {
    case .devices:
      return PushMessage(
        fields: fields, path: Draft().path, payload: payload, apnsID: apnsID,
        expiresAt: expiration?.end, waitsForSlowTokens: isList)
    case .channel(_, let app):
      return PushMessage(
        fields: fields, path: Draft.broadcastPath + app.text, idHeader: .requestID,
        payload: payload, apnsID: apnsID, expiresAt: expiration?.end, waitsForSlowTokens: isList)
    }
  }
}

extension Expiration {
  /// Until a time from now, in whole seconds; a negative one is now.
  public static func after(_ duration: Duration) -> Expiration {
    let (end, isTooFar) = RunClock.system.epochSeconds
      .addingReportingOverflow(max(0, duration.components.seconds))
    return Expiration(seconds: isTooFar ? .max : end) ?? .neverStored
  }

  /// The time after which no push is sent, in seconds since 1970; nil when there is none.
  var end: Int64? { seconds > 0 ? seconds : nil }
}
