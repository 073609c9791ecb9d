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

/// A change to a connection's limits on an event, once per connection.
public struct SettingsChange: Sendable, Hashable {
  /// An event on a connection.
  public enum Event: Sendable, Hashable {
    /// The connection starts.
    case start
    /// Its first valid provider token arrives. This never happens with a client certificate.
    case firstToken
    /// The request with this number arrives.
    case requests(Int)
    /// This many requests have been answered with 4xx, not counting 410.
    case errors(Int)
  }

  /// The event that triggers the change.
  public var event: Event
  /// The delay after the event, in milliseconds.
  public var delayMilliseconds: Int
  /// The announcement. At `start` and `firstToken`, without a delay, it replaces values in the
  /// frame that is sent then anyway.
  public var announcement: Announcement

  /// Creates a change.
  public init(at event: Event, after milliseconds: Int = 0, _ announcement: Announcement) {
    self.event = event
    delayMilliseconds = milliseconds
    self.announcement = announcement
  }
}
