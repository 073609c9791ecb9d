public import APNS
internal import Fanfare
internal import PushEmulator

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LocalAPNs {
  /// The state of a device token.
  public struct Device: Sendable, Hashable {
    private var topic: String?
    private var isElsewhere = false
    private var unregisteredAt: Int64?

    /// A token that an app has registered.
    ///
    /// - Parameter topic: the app's bundle ID, with the suffix of the token's push type if it has
    ///   one; others get `DeviceTokenNotForTopic`. Nil is for any.
    public static func registered(topic: String? = nil) -> Device { Device(topic: topic) }

    /// A token that was unregistered: 410 `Unregistered`.
    ///
    /// - Parameters:
    ///   - since: the time; nil for now.
    ///   - topic: as for ``registered(topic:)``.
    public static func unregistered(since: Date? = nil, topic: String? = nil) -> Device {
      Device(topic: topic, unregisteredAt: (since ?? Date()).milliseconds)
    }

    /// A token of the other environment: 400 `BadDeviceToken`.
    public static let ofOtherEnvironment = Device(isElsewhere: true)
  }

  /// The state of a device token; nil when nothing was said of it. Setting it tells the server.
  public subscript(token: DeviceToken) -> Device? {
    get { emulator.devices[token].map { Device($0, in: service) } }
    set {
      let device = newValue?.emulated(token, in: service)
      emulator.changeDevices { $0[token] = device }
    }
  }

  /// Device tokens of which nothing was said are accepted, which is so at first. When false, they
  /// get `BadDeviceToken`.
  public var acceptsOtherDevices: Bool {
    get { emulator.devices.acceptsOthers ?? true }
    set { emulator.changeDevices { $0.acceptsOthers = newValue } }
  }
}

extension EmulatedDevices {
  /// No devices, and every device token accepted.
  static var any: EmulatedDevices {
    var devices = EmulatedDevices()
    devices.acceptsOthers = true
    return devices
  }
}

extension LocalAPNs.Device {
  fileprivate init(_ device: EmulatedDevice, in environment: EmulatorEnvironment) {
    self.init(
      topic: device.topic, isElsewhere: device.environment.map { $0 != environment } ?? false,
      unregisteredAt: device.unregisteredAt)
  }

  fileprivate func emulated(
    _ token: DeviceToken, in environment: EmulatorEnvironment
  ) -> EmulatedDevice {
    let other: EmulatorEnvironment = environment == .sandbox ? .production : .sandbox
    return EmulatedDevice(
      token: token, topic: topic, environment: isElsewhere ? other : nil,
      unregisteredAt: unregisteredAt)
  }
}

extension LocalAPNs {
  /// The time by which its clock is ahead of the system's, in whole seconds; negative when it is
  /// behind. Provider tokens are checked by its clock, and the client's does not follow it: an hour
  /// ahead, a new provider token is `ExpiredProviderToken`. At most ten years.
  public var clockOffset: Duration {
    get { .seconds(emulator.clockOffset) }
    set { emulator.show(ClockOffset(seconds: Int(clamping: newValue.components.seconds))) }
  }

  /// Moves its clock on, and not that of its clients: ``ClientClock`` is theirs.
  public func advance(by duration: Duration) {
    let (sum, isTooMuch) = clockOffset.components.seconds
      .addingReportingOverflow(duration.components.seconds)
    clockOffset = .seconds(isTooMuch ? (duration < .zero ? .min : .max) : sum)
  }
}
