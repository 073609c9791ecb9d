/// What a connection tells the client about its limits.
public struct Announcement: Sendable, Hashable {
  /// How many streams may be open (SETTINGS_MAX_CONCURRENT_STREAMS); nil leaves it.
  public var maxConcurrentStreams: Int?
  /// How many bytes of a body may be sent on a stream before more are allowed
  /// (SETTINGS_INITIAL_WINDOW_SIZE); nil leaves it.
  public var initialWindowSize: Int?
  /// So many more bytes of bodies may be sent on the connection (WINDOW_UPDATE); nil adds none.
  public var windowIncrement: Int32?

  /// What a connection tells the client.
  public init(
    maxConcurrentStreams: Int? = nil, initialWindowSize: Int? = nil,
    windowIncrement: Int32? = nil
  ) {
    self.maxConcurrentStreams = maxConcurrentStreams
    self.initialWindowSize = initialWindowSize
    self.windowIncrement = windowIncrement
  }

  /// Whether it has something for a SETTINGS frame.
  var hasSettings: Bool { maxConcurrentStreams != nil || initialWindowSize != nil }

  /// Takes over what another one says.
  mutating func merge(_ other: Announcement) {
    maxConcurrentStreams = other.maxConcurrentStreams ?? maxConcurrentStreams
    initialWindowSize = other.initialWindowSize ?? initialWindowSize
    windowIncrement = other.windowIncrement ?? windowIncrement
  }
}
