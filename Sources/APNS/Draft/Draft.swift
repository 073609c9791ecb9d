public import JSONText

/// A notification as written: header texts and the parsed payload, both with their source
/// positions. Nothing in it has been checked; rules read drafts.
public struct Draft: Sendable, Hashable {
  /// The headers in the order written. Names may repeat; rules report that.
  public var fields: [DraftField]
  /// The payload; nil if there is none.
  public var payload: DraftPayload?
  /// The destination.
  public var target = DraftTarget.device

  /// Creates a draft from headers and a payload.
  public init(
    fields: [DraftField] = [], payload: DraftPayload? = nil, target: DraftTarget = .device
  ) {
    self.fields = fields
    self.payload = payload
    self.target = target
  }

  /// Creates a draft from a received request. Only headers that begin with `apns-` are kept: APNs
  /// ignores all others, and so no provider token enters a draft.
  ///
  /// - Parameters:
  ///   - headers: The request's headers in order, with or without pseudo-headers.
  ///   - body: The request's body; an empty one means no payload.
  public init(received headers: some Sequence<(name: String, value: String)>, body: [UInt8]) {
    fields = headers.lazy.map { DraftField($0.name, $0.value) }
      .filter { $0.name.hasPrefix("apns-") }
    payload = body.isEmpty ? nil : DraftPayload(reading: body)
  }

  /// The first header with this name. Setting it replaces that header or appends a new one; setting
  /// nil removes all headers with the name.
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
  /// Returns the draft with defaults for a push to a channel: the push type (in lowercase),
  /// priority 10 and expiration 0. A draft for a device is returned unchanged.
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

/// The destination of a draft's push.
public enum DraftTarget: Sendable, Hashable {
  /// A device.
  case device
  /// A broadcast channel, named by `apns-channel-id`.
  ///
  /// - Parameter app: the bundle ID in the path, as written; nil if missing.
  case channel(app: DraftField?)

  /// The maximum payload size for this destination, in bytes.
  ///
  /// - Parameter type: the push type; nil if absent or unknown.
  func payloadLimit(of type: PushTypeInfo?) -> Int {
    switch self {
    case .device: type?.payloadLimit ?? PushType.usualPayloadLimit
    case .channel: PushType.broadcastPayloadLimit
    }
  }
}

extension Draft {
  /// The field's name in ``DraftTarget/channel(app:)``: part of the path, not a header.
  public static let appField = "bundle-id"

  /// True if the push goes to a channel.
  public var isBroadcast: Bool { target != .device }

  /// The bundle ID of a push to a channel, as written; nil if missing, or for a device.
  public var app: DraftField? {
    if case .channel(let app) = target { app } else { nil }
  }

  /// The request path, to which a device token is appended unless the push goes to a channel.
  public var path: String {
    switch target {
    case .device: "/3/device/"
    case .channel(let app): Self.broadcastPath + (app?.value ?? "")
    }
  }

  /// The path of a push to a channel, up to the bundle ID.
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
  /// The text of `apns-id`, or of `apns-request-id` for a push to a channel; nil when absent.
  public var apnsID: String? {
    let requestID = isBroadcast ? self[.requestID]?.value : nil
    return requestID ?? self[.id]?.value
  }

  /// The facts about the push type; nil if it is absent or unknown. For a channel, case is ignored:
  /// Apple writes both `liveactivity` and `Liveactivity`.
  public var pushTypeInfo: PushTypeInfo? {
    pushType.flatMap { PushType.info(named: isBroadcast ? $0.lowercased() : $0) }
  }
}

extension Draft {
  /// Returns the draft with an `.apns` file's target app in its payload, as written in the file.
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
