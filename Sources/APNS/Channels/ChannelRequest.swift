internal import JSONText

/// The messages a channel stores for unreachable devices. The policy is fixed when the channel is
/// created.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum StoragePolicy: Int, Sendable, Hashable, CaseIterable {
  /// None: a push reaches only devices that are online.
  case nothing = 0
  /// The latest push, for at most eight hours.
  case latest = 1
}

extension StoragePolicy {
  /// The key of the policy in requests and answers about channels.
  package static let key = "message-storage-policy"

  /// The body that creates or describes a channel with this policy:
  /// `{"message-storage-policy":0,"push-type":"LiveActivity"}`.
  package var channelJSON: [UInt8] {
    let type = ChannelRequest.pushType
    return Array(#"{"\#(Self.key)":\#(rawValue),"\#(ChannelRequest.pushTypeKey)":"\#(type)"}"#.utf8)
  }
}

/// A request to the service that manages an app's channels (Apple: Sending channel management
/// requests to APNs).
public enum ChannelRequest: Sendable, Hashable {
  /// Creates a channel.
  case create(StoragePolicy)
  /// Reads a channel's storage policy.
  case read(ChannelID)
  /// Deletes a channel permanently.
  case delete(ChannelID)
  /// Lists the IDs of all channels.
  case list

  /// The maximum number of channels per app and environment.
  public static let limit = 10_000

  /// The key of the push type in requests and answers about channels.
  public static let pushTypeKey = "push-type"

  /// The value of the push type, in Apple's casing.
  public static let pushType = "LiveActivity"

  /// The HTTP method.
  public var method: String {
    switch self {
    case .create: "POST"
    case .read, .list: "GET"
    case .delete: "DELETE"
    }
  }

  /// The path for an app.
  public func path(of app: BundleID) -> String {
    "/1/apps/\(app.text)/" + (self == .list ? "all-channels" : "channels")
  }

  /// The channel for `apns-channel-id`; nil if the request concerns none.
  public var channel: ChannelID? {
    switch self {
    case .read(let channel), .delete(let channel): channel
    case .create, .list: nil
    }
  }

  /// The body; empty for a request without one.
  public var body: [UInt8] {
    if case .create(let policy) = self { policy.channelJSON } else { [] }
  }

  /// True if the request may be repeated when its outcome is unknown. Creating twice would make two
  /// channels.
  public var isSafeToRepeat: Bool {
    if case .create = self { false } else { true }
  }
}

/// A successful answer from the channel service.
public enum ChannelReply: Sendable, Hashable {
  /// The channel that was created.
  case created(ChannelID)
  /// The channel's storage policy; nil for an unknown policy.
  case details(StoragePolicy?)
  /// The channel was deleted.
  case deleted
  /// All channels, in the order of the answer.
  case channels([ChannelID])

  /// Parses an answer.
  ///
  /// - Parameters:
  ///   - request: the request it answers.
  ///   - channel: the answer's `apns-channel-id`.
  /// - Returns: nil if the answer is a rejection or differs from Apple's documentation.
  public init?(to request: ChannelRequest, status: Status, channel: String?, body: [UInt8]) {
    let json = try? JSONReader().read(body)
    switch (request, status) {
    case (.create, .created):
      guard let id = channel.flatMap({ try? ChannelID($0) }) else { return nil }
      self = .created(id)
    case (.read, .accepted):
      guard let policy = json?[StoragePolicy.key]?.number?.int else { return nil }
      self = .details(StoragePolicy(rawValue: policy))
    case (.delete, .noContent): self = .deleted
    case (.list, .accepted):
      guard let ids = json?["channels"]?.array else { return nil }
      let channels = ids.compactMap { $0.string.flatMap { try? ChannelID($0) } }
      guard channels.count == ids.count else { return nil }
      self = .channels(channels)
    default: return nil
    }
  }
}
