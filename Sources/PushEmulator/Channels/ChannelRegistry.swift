internal import APNS
internal import Synchronization

/// A request concerning the channels of an app.
struct ChannelCall: Sendable, Hashable {
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
  func fault(of call: ChannelCall) -> ChannelFault? {
    state.withLock { $0.fault(of: call, limit, totalLimit) }
  }

  /// Carries a call out.
  ///
  /// - Parameter time: the current time, in seconds since 1970.
  func carryOut(_ call: ChannelCall, at time: Double) throws(ChannelFault) -> ChannelReply {
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
    of call: ChannelCall, _ limit: Int, _ totalLimit: Int
  ) -> ChannelFault? {
    switch call.request {
    case .create where apps[call.app]?.count ?? 0 >= limit: .full(limit: limit)
    case .create: count < totalLimit ? nil : .crowded(limit: totalLimit)
    case .read(let id), .delete(let id): apps[call.app]?[id] == nil ? .unknown(id) : nil
    case .list: nil
    }
  }

  /// Carries out a call that has no fault.
  fileprivate mutating func reply(to call: ChannelCall, at time: Double) -> ChannelReply {
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
