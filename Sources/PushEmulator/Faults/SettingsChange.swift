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
