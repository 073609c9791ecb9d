public import JSONText

/// A notification as written: header texts and the parsed payload, both with the places
/// they came from. Nothing in it has been checked; rules read drafts.
public struct Draft: Sendable, Hashable {
  /// The headers in the order they were written. A name may occur twice; that is a rule's business.
  public var fields: [DraftField]
  /// The payload; nil when there is none.
  public var payload: DraftPayload?
  /// Where it goes.
  public var target = DraftTarget.device

  /// A draft of these headers and this payload.
  public init(
    fields: [DraftField] = [], payload: DraftPayload? = nil, target: DraftTarget = .device
  ) {
    self.fields = fields
    self.payload = payload
    self.target = target
  }

  /// A draft of a request that was received. Only headers that begin with `apns-` are kept: APNs
  /// ignores all others, and this way no provider token enters a draft.
  ///
  /// - Parameters:
  ///   - headers: The request's headers in order, pseudo-headers included or not.
  ///   - body: The request's body; an empty one means no payload.
  public init(received headers: some Sequence<(name: String, value: String)>, body: [UInt8]) {
    fields = headers.lazy.map { DraftField($0.name, $0.value) }
      .filter { $0.name.hasPrefix("apns-") }
    payload = body.isEmpty ? nil : DraftPayload(reading: body)
  }

  /// The first header with this name. Setting replaces that one or appends a new one; setting nil
  /// removes every header of the name.
  public subscript(name: HeaderName) -> DraftField? {
    get { fields.first { $0.name == name.text } }
    set {
      let index = fields.firstIndex { $0.name == name.text }
      switch (index, newValue) {
      case (let index?, let field?): fields[index] = field
      case (nil, let field?): fields.append(field)
      case (_, nil): fields.removeAll { $0.name == name.text }
      }
    }
  }
}

extension Draft {
  /// The draft with what a push to a channel never lacks and this one does not say: its push type,
  /// priority 10, expiration 0. The push type is in lower case. One to a device stays as it is.
  public func filledForChannel() -> Draft {
    guard isBroadcast else { return self }
    var filled = self
    if let type = judgedPushType {
      filled[.pushType] = DraftField(.pushType, type.rawValue, from: self[.pushType]?.origin)
    }
    filled[.priority] = filled[.priority] ?? DraftField(.priority, Priority.immediate.description)
    filled[.expiration] =
      filled[.expiration] ?? DraftField(.expiration, Expiration.neverStored.description)
    return filled
  }
}

/// Where the push of a draft goes.
public enum DraftTarget: Sendable, Hashable {
  /// To a device.
  case device
  /// To a broadcast channel, which `apns-channel-id` names.
  ///
  /// - Parameter app: the bundle ID in the path, as written; nil when it is missing.
  case channel(app: DraftField?)

  /// The longest payload of a push that goes there, in bytes.
  ///
  /// - Parameter type: its push type; nil when that is absent or unknown.
  func payloadLimit(of type: PushTypeInfo?) -> Int {
    switch self {
    case .device: type?.payloadLimit ?? PushType.usualPayloadLimit
    case .channel: PushType.broadcastPayloadLimit
    }
  }
}

extension Draft {
  /// The name of the field in ``DraftTarget/channel(app:)``. It is part of the path, not a header.
  public static let appField = "bundle-id"

  /// Whether it goes to a channel.
  public var isBroadcast: Bool { target != .device }

  /// The bundle ID of a push to a channel, as written; nil when it is missing, or it goes to a
  /// device.
  public var app: DraftField? {
    if case .channel(let app) = target { app } else { nil }
  }

  /// The path of its requests; a device token follows unless it goes to a channel.
  public var path: String {
    switch target {
    case .device: "/3/device/"
    case .channel(let app): Self.broadcastPath + (app?.value ?? "")
    }
  }

  /// The path of a push to a channel, before the bundle ID.
  public static let broadcastPath = "/4/broadcasts/apps/"

  /// The text of `apns-channel-id`; nil when absent.
  public var channel: String? { self[.channelID]?.value }
  /// The text of `apns-topic`; nil when absent.
  public var topic: String? { self[.topic]?.value }
  /// The text of `apns-push-type`; nil when absent.
  public var pushType: String? { self[.pushType]?.value }
  /// The text of `apns-priority`; nil when absent.
  public var priority: String? { self[.priority]?.value }
  /// The text of `apns-expiration`; nil when absent.
  public var expiration: String? { self[.expiration]?.value }
  /// The text of `apns-collapse-id`; nil when absent.
  public var collapseID: String? { self[.collapseID]?.value }
  /// The text of `apns-id`, or of `apns-request-id`, which a push to a channel has in its place;
  /// nil when absent.
  public var apnsID: String? {
    let requestID = isBroadcast ? self[.requestID]?.value : nil
    return requestID ?? self[.id]?.value
  }

  /// What is known of the push type; nil when it is absent or unknown. For a channel case does not
  /// matter: Apple writes both `liveactivity` and `Liveactivity`.
  public var pushTypeInfo: PushTypeInfo? {
    pushType.flatMap { PushType.info(named: isBroadcast ? $0.lowercased() : $0) }
  }
}

extension Draft {
  /// The draft with the app in its payload that an `.apns` file names, as written in the file.
  ///
  /// - Parameter target: The value of ``SimulatorTarget/key``; nil changes nothing.
  public func addressed(to target: JSON?) -> Draft {
    guard let target, let payload, var root = payload.json?.object else { return self }
    root[SimulatorTarget.key] = target
    let json = JSON(.object(root), at: payload.json?.position)
    return Draft(
      fields: fields, payload: DraftPayload(json, bytes: payload.bytes, file: payload.file),
      target: self.target)
  }
}
