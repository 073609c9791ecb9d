/// A change of a connection's limits that an event brings about, once on each connection.
public struct SettingsChange: Sendable, Hashable {
  /// What happens on a connection.
  public enum Event: Sendable, Hashable {
    /// It begins.
    case start
    /// Its first valid provider token arrives. A client with a certificate never gets there.
    case firstToken
    /// Its so many-th request arrives.
    case requests(Int)
    /// It has answered so many requests with 4xx, 410 left out.
    case errors(Int)
  }

  /// What brings the change about.
  public var event: Event
  /// How many milliseconds after the event.
  public var delayMilliseconds: Int
  /// What is announced. At `start` and `firstToken`, and without delay, it goes into the frame that
  /// is sent then anyway, in place of what that would say.
  public var announcement: Announcement

  /// A change.
  public init(at event: Event, after milliseconds: Int = 0, _ announcement: Announcement) {
    self.event = event
    delayMilliseconds = milliseconds
    self.announcement = announcement
  }
}
