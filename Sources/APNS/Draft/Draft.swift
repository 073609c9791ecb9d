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

/// A header as written.
public struct DraftField: Sendable, Hashable {
  /// The name, in lowercase but otherwise as written.
  public let name: String
  /// The value, as written.
  public let value: String
  /// The source of the header; nil if it was received or supplied as a default.
  public let origin: Origin?

  /// Creates a header as written.
  public init(_ name: String, _ value: String, from origin: Origin? = nil) {
    self.name = name.lowercased()
    self.value = value
    self.origin = origin
  }

  /// Creates a header with a known name.
  public init(_ name: HeaderName, _ value: String, from origin: Origin? = nil) {
    self.name = name.text
    self.value = value
    self.origin = origin
  }

  /// Creates `apns-expiration` from user input, including `1h` or `2026-11-21`. Invalid text is
  /// kept as it is, so that the rules report it along with everything else.
  ///
  /// - Parameters:
  ///   - text: Input for ``Expiration/init(_:now:)``.
  ///   - now: Seconds since 1970.
  ///   - origin: The source of the text.
  /// - Returns: The header, in wire format if the text is valid.
  public static func expiration(
    _ text: String, now: Int64, from origin: Origin? = nil
  ) -> DraftField {
    let wire = (try? Expiration(text, now: now))?.description
    return DraftField(.expiration, wire ?? text, from: origin)
  }
}

/// A payload as written, with the bytes to send.
public struct DraftPayload: Sendable, Hashable {
  /// The payload's value with its positions, or the error if it is not JSON.
  public let reading: Result<JSON, JSONSyntaxError>
  /// The exact bytes to send; size limits apply to these.
  public let bytes: [UInt8]
  /// The name of the source file; nil if the payload came from options or the network.
  public let file: String?

  /// Creates a payload from a value and the text to send.
  public init(_ json: JSON, bytes: [UInt8], file: String? = nil) {
    self.init(.success(json), bytes: bytes, file: file)
  }

  /// Creates a payload to be sent as exactly these bytes. Text that is not JSON is accepted too: a
  /// rule reports it.
  public init(reading bytes: [UInt8], file: String? = nil) {
    let reading = Result { () throws(JSONSyntaxError) in try JSONReader().read(bytes) }
    self.init(reading, bytes: bytes, file: file)
  }

  private init(_ reading: Result<JSON, JSONSyntaxError>, bytes: [UInt8], file: String?) {
    self.reading = reading
    self.bytes = bytes
    self.file = file
  }

  /// The payload's value; nil if it is not JSON.
  public var json: JSON? { try? reading.get() }

  /// Apple's part of the payload, of whatever type; nil when absent.
  public var aps: JSON? { json?["aps"] }

  /// All syntax errors that can be found: repeated keys, trailing commas and comments do not hide
  /// what follows.
  var syntaxErrors: [JSONSyntaxError] {
    guard case .failure = reading else { return [] }
    let (reading, slips) = bytes.withUnsafeBufferPointer { JSONReader().readPastSlips($0) }
    if case .failure(let last) = reading { return slips + [last] }
    return slips
  }

  /// The payload as it would be read without its trailing commas, comments and all but the last of
  /// repeated keys, if only they keep it from being read; otherwise nil.
  public var mended: DraftPayload? {
    guard case .failure = reading,
      let json = try? bytes.withUnsafeBufferPointer({ JSONReader().readPastSlips($0) }).reading
        .get()
    else { return nil }
    return DraftPayload(json, bytes: bytes, file: file)
  }

  /// The payload with the last value of each repeated key, and the first of these, if only they keep
  /// it from being read; otherwise nil. Such a text is JSON all the same (RFC 8259 section 4).
  public var withLastValues: (payload: DraftPayload, repeated: JSONSyntaxError)? {
    guard let mended, let first = syntaxErrors.first,
      syntaxErrors.allSatisfy({ if case .duplicateKey = $0.kind { true } else { false } })
    else { return nil }
    return (mended, first)
  }
}

/// The source of a part of a draft: a file, an option or variable, or the history.
public struct Origin: Sendable, Hashable {
  /// The file's name as the user gave it, `-` for standard input; nil if not from a file.
  public var file: String?
  /// The position in the file; nil if unknown.
  public var position: JSONPosition?
  /// The option or environment variable, such as `--priority`, or the run; nil if from a file.
  public var setting: String?
  /// The history that holds the run, if others can write to it; otherwise nil.
  public var sharedHistory: String?

  /// A position in a file.
  public static func file(_ name: String?, at position: JSONPosition? = nil) -> Origin {
    Origin(file: name, position: position)
  }

  /// An option or an environment variable.
  public static func setting(_ name: String) -> Origin { Origin(setting: name) }
}
