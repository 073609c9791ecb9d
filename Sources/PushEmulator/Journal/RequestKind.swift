/// What a request is about.
public enum RequestKind: String, Sendable, Hashable, CaseIterable {
  /// A push to a device, or a request that is for nothing that the emulator knows.
  case device
  /// A push to a broadcast channel.
  case broadcast
  /// The channels themselves: one is created, read or deleted, or all are listed.
  case channel
}
