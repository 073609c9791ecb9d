public import APNS

/// A broadcast channel as the history knows it.
public struct ChannelEntry: Sendable, Hashable {
  /// The channel.
  public let id: ChannelID
  /// The server it exists on: the name of the environment, or a URL.
  public let server: String
  /// The app that owns it.
  public let app: BundleID
  /// The storage policy; nil when it was never read.
  public var policy: StoragePolicy?
  /// The time it was created with this history, in milliseconds since 1970 UTC; nil if it was not.
  public let created: Int64?
  /// The `apns-request-id` of its creation; nil when it was not created with this history.
  public let requestID: APNSID?
  /// The time it was deleted with this history, in milliseconds since 1970 UTC; nil if it was not.
  public let deleted: Int64?

  /// Creates an entry.
  public init(
    _ id: ChannelID, at server: String, of app: BundleID, policy: StoragePolicy? = nil,
    created: Int64? = nil, requestID: APNSID? = nil, deleted: Int64? = nil
  ) {
    (self.id, self.server, self.app, self.policy) = (id, server, app, policy)
    (self.created, self.requestID, self.deleted) = (created, requestID, deleted)
  }
}
