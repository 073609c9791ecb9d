public import APNS
internal import Delivery

extension PushClient {
  /// An event for logs and metrics.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Event: Sendable {
    /// A connection was opened.
    case connectionOpened
    /// A connection ended, for this reason; nil when it was no longer needed. The text may come
    /// from the server.
    case connectionClosed(String?)
    /// A connection goes on with a new provider token.
    case providerTokenReplaced
    /// A push is sent again after this answer; nils when none came, or it had no reason.
    case resent(DeviceToken?, Status?, Reason?)
    /// Pushes fail for a while: those of this topic, or nil for all.
    case stopped(Obstacle, topic: String?)
    /// A push has its result.
    case ended(Ended)
    /// The handler was slow, so that this number of events was dropped.
    case dropped(Int)
  }

  /// A push that has its result.
  public struct Ended: Sendable, Hashable {
    /// The result.
    public let result: SendResult
    /// The time from the call to the result; of a push in a list, from its last request to the
    /// answer. Nil without an answer there.
    public let duration: Duration?
    /// The push type.
    public let pushType: PushType
    /// The topic; for a channel, the bundle ID of the app.
    public let topic: String

    /// Names and values for a metric's dimensions: few of each, and no device token.
    public var labels: [(String, String)] {
      [
        ("outcome", result.outcome.rawValue), ("reason", result.reason?.rawValue ?? ""),
        ("push_type", pushType.rawValue), ("topic", topic),
      ]
    }
  }
}

extension PushClient.Event {
  init(_ event: DeliveryEvent) {
    self =
      switch event {
      case .opened: .connectionOpened
      case .closed(let reason): .connectionClosed(reason)
      case .tokenReplaced: .providerTokenReplaced
      case .resent(let push, let answer):
        .resent(try? DeviceToken(push.token), answer?.status, answer?.reason)
      }
  }
}
