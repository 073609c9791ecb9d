/// The limits that a connection announces to the client.
public struct Announcement: Sendable, Hashable {
  /// The limit on open streams (SETTINGS_MAX_CONCURRENT_STREAMS); nil leaves it unchanged.
  public var maxConcurrentStreams: Int?
  /// The body bytes the client may send on a stream before more are allowed
  /// (SETTINGS_INITIAL_WINDOW_SIZE); nil leaves it unchanged.
  public var initialWindowSize: Int?
  /// The body bytes to add to the connection's window (WINDOW_UPDATE); nil adds none.
  public var windowIncrement: Int32?

  /// Creates an announcement.
  public init(
    maxConcurrentStreams: Int? = nil, initialWindowSize: Int? = nil,
    windowIncrement: Int32? = nil
  ) {
    self.maxConcurrentStreams = maxConcurrentStreams
    self.initialWindowSize = initialWindowSize
    self.windowIncrement = windowIncrement
  }

  /// The announcement needs a SETTINGS frame.
  var hasSettings: Bool { maxConcurrentStreams != nil || initialWindowSize != nil }

  /// Applies the values that another announcement sets.
  mutating func merge(_ other: Announcement) {
    maxConcurrentStreams = other.maxConcurrentStreams ?? maxConcurrentStreams
    initialWindowSize = other.initialWindowSize ?? initialWindowSize
    windowIncrement = other.windowIncrement ?? windowIncrement
  }
}
