public import APNS

/// A device known to the emulator.
public struct EmulatedDevice: Sendable, Hashable {
  /// Its token.
  public var token: DeviceToken
  /// The app's bundle ID, or the full topic if the token is for one push type, such as
  /// `com.example.shop.voip`; nil accepts any.
  public var topic: String?
  /// The environment the token is valid in; nil for the emulator's own.
  public var environment: EmulatorEnvironment?
  /// The time it was unregistered, in milliseconds since 1970; nil while it is registered.
  public var unregisteredAt: Int64?

  /// Creates a device.
  public init(
    token: DeviceToken, topic: String?, environment: EmulatorEnvironment? = nil,
    unregisteredAt: Int64? = nil
  ) {
    self.token = token
    self.topic = topic
    self.environment = environment
    self.unregisteredAt = unregisteredAt
  }
}

/// The devices known to the emulator. If there are none, it accepts every device token.
public struct EmulatedDevices: Sendable, Hashable {
  /// The maximum number of devices.
  public static let limit = 1_000_000

  private var byToken: [DeviceToken: EmulatedDevice] = [:]

  /// Device tokens of no device here are accepted too, as if there were no devices.
  public var acceptsOthers = false

  /// Creates an empty set.
  public init() {}

  /// There are no devices.
  public var isEmpty: Bool { byToken.isEmpty }
  /// The number of devices.
  public var count: Int { byToken.count }
  /// All devices, sorted by token.
  public var all: [EmulatedDevice] { byToken.values.sorted { $0.token.hex < $1.token.hex } }

  /// The device with a token. Setting adds or replaces it; setting nil removes it.
  public subscript(token: DeviceToken) -> EmulatedDevice? {
    get { byToken[token] }
    set { byToken[token] = newValue }
  }
}
