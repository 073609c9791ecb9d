public import APNS
internal import COpenSSL

/// A broadcast channel that the emulator has.
public struct Channel: Sendable, Hashable {
  /// Its ID.
  public let id: ChannelID
  /// The app that it belongs to.
  public let app: BundleID
  /// What it stores.
  public let policy: StoragePolicy
  /// When it was created, in seconds since 1970, by the system's clock.
  public let created: Double

  /// A channel.
  public init(id: ChannelID, app: BundleID, policy: StoragePolicy, created: Double) {
    (self.id, self.app, self.policy, self.created) = (id, app, policy, created)
  }
}

extension ChannelID {
  private static let size = 16

  /// An ID that no other channel has, or had: 16 random bytes in base64.
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
