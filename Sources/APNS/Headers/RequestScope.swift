/// The requests to which a row of a table applies.
public enum RequestScope: String, Sendable, Hashable {
  /// Pushes to a device.
  case device
  /// Pushes to a channel, and channel management.
  case broadcast
  /// Both.
  case both
}
