public import APNS

/// What a history knows of a broadcast channel.
public struct ChannelEntry: Sendable, Hashable {
  /// The channel.
  public let id: ChannelID
  /// Where it exists: the name of the environment, or the server's URL.
  public let server: String
  /// The app that it belongs to.
  public let app: BundleID
  /// What it stores; nil when that was never read.
  public var policy: StoragePolicy?
  /// When it was created from here, in milliseconds since 1970 UTC; nil when it was not.
  public let created: Int64?
  /// The `apns-request-id` of its creation; nil when it was not created from here.
  public let requestID: APNSID?
  /// When it was deleted from here, in milliseconds since 1970 UTC; nil when it was not.
  public let deleted: Int64?

  /// A channel, as a history has it.
  public init(
    _ id: ChannelID, at server: String, of app: BundleID, policy: StoragePolicy? = nil,
    created: Int64? = nil, requestID: APNSID? = nil, deleted: Int64? = nil
  ) {
    (self.id, self.server, self.app, self.policy) = (id, server, app, policy)
    (self.created, self.requestID, self.deleted) = (created, requestID, deleted)
  }
}
