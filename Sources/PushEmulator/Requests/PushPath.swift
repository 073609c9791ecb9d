internal import APNS
internal import HTTP2

/// The target of a request, from its path.
enum PushPath {
  /// A push to a device.
  case device(DeviceToken)
  /// A push to something that is not a device token.
  case badToken(String)
  /// A push without a device token.
  case noToken
  /// A push to a channel of the app with this bundle ID, as written.
  case broadcast(app: String)
  /// The channels of an app, to create, read or delete one.
  case channels(app: String)
  /// The list of an app's channels.
  case allChannels(app: String)
  /// Any other path.
  case other

  private static let prefix: StaticString = "/3/device"
  private static let form =
    "a device token is an even number of hexadecimal digits, at most \(DeviceToken.maximumDigits)"
  private static let formFix = "Compare it with what the app logs: two hexadecimal digits per byte."

  /// Reads the value of `:path`.
  init(_ path: UnsafeBufferPointer<UInt8>) {
    let prefix = UnsafeBufferPointer(
      start: Self.prefix.utf8Start, count: Self.prefix.utf8CodeUnitCount)
    guard path.starts(with: prefix) else {
      self = Self.aboutChannels(String(decoding: path, as: UTF8.self))
      return
    }
    let rest = path[prefix.count...]
    let text = UnsafeBufferPointer(rebasing: rest.dropFirst())
    if rest.isEmpty || rest.elementsEqual([UInt8(ascii: "/")]) {
      self = .noToken
    } else if rest.first != UInt8(ascii: "/") || text.contains(UInt8(ascii: "/")) {
      self = .other
    } else if let token = try? DeviceToken(ascii: text) {
      self = .device(token)
    } else {
      self = .badToken(String(decoding: text, as: UTF8.self))
    }
  }

  private static func aboutChannels(_ path: String) -> PushPath {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, parts[0].isEmpty else { return .other }
    return switch (parts[1], parts[2], parts[3], parts[4]) {
    case ("4", "broadcasts", "apps", let app) where app != "": .broadcast(app: app)
    case ("1", "apps", let app, "channels") where app != "": .channels(app: app)
    case ("1", "apps", let app, "all-channels") where app != "": .allChannels(app: app)
    default: .other
    }
  }

  /// The device token; nil if there is none.
  var deviceToken: DeviceToken? { if case .device(let token) = self { token } else { nil } }

  /// The device token as written, valid or not; nil if there is none.
  var token: String? {
    switch self {
    case .device(let token): token.hex
    case .badToken(let text): text
    case .noToken, .broadcast, .channels, .allChannels, .other: nil
    }
  }

  /// The bundle ID of the app whose channels it concerns, as written; nil for anything else.
  var app: String? {
    switch self {
    case .broadcast(let app), .channels(let app), .allChannels(let app): app
    case .device, .badToken, .noToken, .other: nil
    }
  }

  /// The kind of a request with this path.
  var kind: RequestKind {
    switch self {
    case .device, .badToken, .noToken, .other: .device
    case .broadcast: .broadcast
    case .channels, .allChannels: .channel
    }
  }

  /// The methods the path accepts.
  var methods: [String] {
    switch self {
    case .device, .badToken, .noToken, .broadcast, .other: ["POST"]
    case .channels: ["POST", "GET", "DELETE"]
    case .allChannels: ["GET"]
    }
  }

  /// The path's fault and the step that finds it.
  var fault: RequestFault? {
    switch self {
    case .device, .broadcast, .channels, .allChannels: nil
    case .badToken:
      RequestFault(.token, APNSRefusal(reason: .badDeviceToken, note: Self.form, fix: Self.formFix))
    case .noToken: RequestFault(.token, APNSRefusal(reason: .missingDeviceToken))
    case .other: RequestFault(.path, APNSRefusal(reason: .badPath))
    }
  }
}

extension PushPath {
  /// Returns true if the request's path is exactly this one, with the device token in lowercase.
  func isPlain(_ request: ServerRequest) -> Bool {
    guard case .device(let token) = self, let index = request.headers.firstIndex(of: ":path")
    else { return false }
    return request.headers.withField(at: index) { _, path in
      let digits = UnsafeBufferPointer(rebasing: path.dropFirst(Self.prefix.utf8CodeUnitCount + 1))
      return token.hex.utf8.withContiguousStorageIfAvailable(digits.isSame) ?? false
    }
  }
}
