public import APNS

/// A device that the emulator knows.
public struct Device: Sendable, Hashable {
  /// Its token.
  public var token: DeviceToken
  /// The app's bundle ID, or the whole topic of a token that a push type has of its own, such as
  /// `com.example.shop.voip`.
  public var topic: String
  /// Where the token is good; nil for the emulator's own environment.
  public var environment: EmulatorEnvironment?
  /// Since when it is unregistered, in milliseconds since 1970; nil while it is registered.
  public var unregisteredAt: Int64?

  /// A device.
  public init(
    token: DeviceToken, topic: String, environment: EmulatorEnvironment? = nil,
    unregisteredAt: Int64? = nil
  ) {
    self.token = token
    self.topic = topic
    self.environment = environment
    self.unregisteredAt = unregisteredAt
  }
}

/// The devices that the emulator knows. As long as there is none, it takes every device token.
public struct Devices: Sendable, Hashable {
  /// The most devices there may be.
  public static let limit = 1_000_000

  private var byToken: [DeviceToken: Device] = [:]

  /// No devices.
  public init() {}

  /// Whether there is none.
  public var isEmpty: Bool { byToken.isEmpty }
  /// How many there are.
  public var count: Int { byToken.count }
  /// All of them, by token.
  public var all: [Device] { byToken.values.sorted { $0.token.hex < $1.token.hex } }

  /// The device of a token. Setting adds or replaces it; setting nil removes it.
  public subscript(token: DeviceToken) -> Device? {
    get { byToken[token] }
    set { byToken[token] = newValue }
  }
}
