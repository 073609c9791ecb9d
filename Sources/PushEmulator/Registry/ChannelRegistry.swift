public import APNS
internal import COpenSSL
internal import Synchronization

/// A request concerning the channels of an app.
struct ChannelOperation: Sendable, Hashable {
  let request: ChannelRequest
  let app: BundleID
}

/// The reason a request cannot be carried out.
enum ChannelFault: Error, Sendable, Hashable {
  /// The app has reached its maximum number of channels.
  case full(limit: Int)
  /// All apps together have reached the emulator's maximum.
  case crowded(limit: Int)
  /// The app has no such channel.
  case unknown(ChannelID)
}

/// The channels of all apps, shared by all connections.
final class ChannelRegistry: Sendable {
  fileprivate struct State {
    /// The channels by app. No app has an empty entry.
    var apps: [BundleID: [ChannelID: Entry]] = [:]
    var count = 0
    var created = 0
  }

  /// A channel and its position in the order of creation.
  fileprivate struct Entry {
    let channel: Channel
    let number: Int
  }

  /// The maximum number of channels per app.
  let limit: Int
  /// The maximum for all apps together, since clients can invent any number of bundle IDs.
  private let totalLimit: Int
  private let state = Mutex(State())

  init(limit: Int, totalLimit: Int = 100_000) {
    (self.limit, self.totalLimit) = (limit, totalLimit)
  }

  /// An app's channel; nil if there is none with this ID.
  func channel(_ id: ChannelID, of app: BundleID) -> Channel? {
    state.withLock { $0.apps[app]?[id]?.channel }
  }

  /// The reason a call would fail now; nil if it would succeed.
  func fault(of call: ChannelOperation) -> ChannelFault? {
    state.withLock { $0.fault(of: call, limit, totalLimit) }
  }

  /// Carries a call out.
  ///
  /// - Parameter time: the current time, in seconds since 1970.
  func carryOut(_ call: ChannelOperation, at time: Double) throws(ChannelFault) -> ChannelReply {
    try state.withLock { (state) throws(ChannelFault) in
      if let fault = state.fault(of: call, limit, totalLimit) { throw fault }
      return state.reply(to: call, at: time)
    }
  }

  /// All channels, in the order of creation.
  var all: [Channel] {
    state.withLock { state in
      state.apps.values.flatMap(\.values).sorted { $0.number < $1.number }.map(\.channel)
    }
  }

  /// Replaces all channels.
  func replace(by channels: [Channel]) {
    state.withLock { state in
      (state.apps, state.count) = ([:], 0)
      for channel in channels { state.add(channel) }
    }
  }
}

extension ChannelRegistry.State {
  fileprivate func fault(
    of call: ChannelOperation, _ limit: Int, _ totalLimit: Int
  ) -> ChannelFault? {
    switch call.request {
    case .create where apps[call.app]?.count ?? 0 >= limit: .full(limit: limit)
    case .create: count < totalLimit ? nil : .crowded(limit: totalLimit)
    case .read(let id), .delete(let id): apps[call.app]?[id] == nil ? .unknown(id) : nil
    case .list: nil
    }
  }

  /// Carries out a call that has no fault.
  fileprivate mutating func reply(to call: ChannelOperation, at time: Double) -> ChannelReply {
    switch call.request {
    case .create(let policy):
      let channel = Channel(id: .random(), app: call.app, policy: policy, created: time)
      add(channel)
      return .created(channel.id)
    case .read(let id): return .details(apps[call.app]?[id]?.channel.policy)
    case .delete(let id):
      remove(id, of: call.app)
      return .deleted
    case .list:
      let entries = apps[call.app, default: [:]].values.sorted { $0.number < $1.number }
      return .channels(entries.map(\.channel.id))
    }
  }

  fileprivate mutating func add(_ channel: Channel) {
    created += 1
    let entry = ChannelRegistry.Entry(channel: channel, number: created)
    if apps[channel.app, default: [:]].updateValue(entry, forKey: channel.id) == nil { count += 1 }
  }

  private mutating func remove(_ id: ChannelID, of app: BundleID) {
    if apps[app]?.removeValue(forKey: id) != nil { count -= 1 }
    if apps[app]?.isEmpty ?? false { apps[app] = nil }
  }
}

/// A broadcast channel of the emulator.
public struct Channel: Sendable, Hashable {
  /// Its ID.
  public let id: ChannelID
  /// The app it belongs to.
  public let app: BundleID
  /// The policy for storing messages.
  public let policy: StoragePolicy
  /// The creation time, in seconds since 1970, by the system's clock.
  public let created: Double

  /// Creates a channel.
  public init(id: ChannelID, app: BundleID, policy: StoragePolicy, created: Double) {
    (self.id, self.app, self.policy, self.created) = (id, app, policy, created)
  }
}

extension ChannelID {
  private static let size = 16

  /// Generates an ID that no other channel has or had: 16 random bytes in base64.
  static func random() -> ChannelID {
    while true {
      let bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max) }
      var text = [UInt8](repeating: 0, count: (size + 2) / 3 * 4 + 1)
      let count = EVP_EncodeBlock(&text, bytes, Int32(size))
      let digits = String(decoding: text.prefix(Int(count)), as: UTF8.self)
      if let id = try? ChannelID(digits) { return id }
    }
  }
}

// The reply as sent (Apple: Sending channel management requests to APNs).
extension ChannelReply {
  /// The status.
  var status: Status {
    switch self {
    case .created: .created
    case .details, .channels: .accepted
    case .deleted: .noContent
    }
  }

  /// The answer's `apns-channel-id`; nil without one.
  var channel: ChannelID? { if case .created(let id) = self { id } else { nil } }

  /// The body; empty if there is none.
  var bytes: [UInt8] {
    switch self {
    case .created, .deleted: []
    case .details(let policy): (policy ?? .nothing).channelJSON
    // The only character of a channel ID that JSON may escape is the slash, and that is optional.
    case .channels(let ids):
      Array(#"{"channels":[\#(ids.map { "\"\($0.text)\"" }.joined(separator: ","))]}"#.utf8)
    }
  }
}
