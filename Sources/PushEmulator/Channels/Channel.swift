public import APNS
internal import COpenSSL

/// A broadcast channel of the emulator.
public struct Channel: Sendable, Hashable {
  /// Its ID.
  public let id: ChannelID
  /// The app it belongs to.
  public let app: BundleID
  /// The policy for storing messages.
  public let policy: StoragePolicy
  /// The creation time, in seconds since 1970, by the system's clock.
  public let created: Double

  /// Creates a channel.
  public init(id: ChannelID, app: BundleID, policy: StoragePolicy, created: Double) {
    (self.id, self.app, self.policy, self.created) = (id, app, policy, created)
  }
}

extension ChannelID {
  private static let size = 16

  /// Generates an ID that no other channel has or had: 16 random bytes in base64.
  static func random() -> ChannelID {
    while true {
      let bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max) }
      var text = [UInt8](repeating: 0, count: (size + 2) / 3 * 4 + 1)
      let count = EVP_EncodeBlock(&text, bytes, Int32(size))
      let digits = String(decoding: text.prefix(Int(count)), as: UTF8.self)
      if let id = try? ChannelID(digits) { return id }
    }
  }
}
