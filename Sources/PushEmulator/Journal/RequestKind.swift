/// The kind of a request.
public enum RequestKind: String, Sendable, Hashable, CaseIterable {
  /// A push to a device, or a request for something unknown to the emulator.
  case device
  /// A push to a broadcast channel.
  case broadcast
  /// A request to create, read or delete a channel, or to list them.
  case channel
}
