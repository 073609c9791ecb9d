internal import JSONText

/// What a channel keeps for devices that were not reachable. It is fixed when the channel is
/// created.
public enum StoragePolicy: Int, Sendable, Hashable, CaseIterable {
  /// Nothing: a push reaches the devices that are online.
  case nothing = 0
  /// The latest push, for at most eight hours.
  case latest = 1
}

extension StoragePolicy {
  /// The key of the policy where channels are created and read.
  public static let key = "message-storage-policy"

  /// What creates a channel with this policy, and what tells of such a channel:
  /// `{"message-storage-policy":0,"push-type":"LiveActivity"}`.
  public var channelJSON: [UInt8] {
    let type = ChannelRequest.pushType
    return Array(#"{"\#(Self.key)":\#(rawValue),"\#(ChannelRequest.pushTypeKey)":"\#(type)"}"#.utf8)
  }
}

/// What is asked of the service that manages the channels of an app (Apple: Sending channel
/// management requests to APNs).
public enum ChannelRequest: Sendable, Hashable {
  /// Creates a channel.
  case create(StoragePolicy)
  /// Asks what a channel stores.
  case read(ChannelID)
  /// Deletes a channel for good.
  case delete(ChannelID)
  /// Asks for the IDs of all channels.
  case list

  /// The most channels that an app may have in an environment.
  public static let limit = 10_000

  /// The key of the push type where channels are created and read.
  public static let pushTypeKey = "push-type"

  /// Its value, in Apple's casing.
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

  /// The channel that it is about, which goes into `apns-channel-id`; nil when it is about none.
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

  /// Whether it may be sent again when it is not known whether it was carried out: creating twice
  /// makes two channels.
  public var isSafeToRepeat: Bool {
    if case .create = self { false } else { true }
  }
}

/// What the service answers to a request that it carried out.
public enum ChannelReply: Sendable, Hashable {
  /// The channel that was created.
  case created(ChannelID)
  /// What the channel stores; nil for a policy that is not known.
  case details(StoragePolicy?)
  /// The channel was deleted.
  case deleted
  /// All channels, in the order of the answer.
  case channels([ChannelID])

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - request: what was asked.
  ///   - channel: the answer's `apns-channel-id`.
  /// - Returns: nil when the answer refuses the request, or is not what Apple documents.
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
