internal import APNS
internal import Synchronization

/// What a request asks of the channels of an app.
struct ChannelCall: Sendable, Hashable {
  let request: ChannelRequest
  let app: BundleID
}

/// Why a request cannot be carried out.
enum ChannelFault: Error, Sendable, Hashable {
  /// The app has as many channels as it may have.
  case full(limit: Int)
  /// All apps together have as many as the emulator keeps.
  case crowded(limit: Int)
  /// The app has no such channel.
  case unknown(ChannelID)
}

/// The channels of all apps, which all connections share.
final class ChannelRegistry: Sendable {
  fileprivate struct State {
    /// None is empty.
    var apps: [BundleID: [ChannelID: Entry]] = [:]
    var count = 0
    var created = 0
  }

  /// A channel, and its place in the order of creation.
  fileprivate struct Entry {
    let channel: Channel
    let number: Int
  }

  /// The most channels that an app may have.
  let limit: Int
  /// The most that all apps may have: clients can make up any number of bundle IDs.
  private let totalLimit: Int
  private let state = Mutex(State())

  init(limit: Int, totalLimit: Int = 100_000) {
    (self.limit, self.totalLimit) = (limit, totalLimit)
  }

  /// An app's channel; nil when there is none with this ID.
  func channel(_ id: ChannelID, of app: BundleID) -> Channel? {
    state.withLock { $0.apps[app]?[id]?.channel }
  }

  /// Why a call could not be carried out now; nil when it could.
  func fault(of call: ChannelCall) -> ChannelFault? {
    state.withLock { $0.fault(of: call, limit, totalLimit) }
  }

  /// Carries a call out.
  ///
  /// - Parameter time: the present, in seconds since 1970.
  func carryOut(_ call: ChannelCall, at time: Double) throws(ChannelFault) -> ChannelReply {
    try state.withLock { (state) throws(ChannelFault) in
      if let fault = state.fault(of: call, limit, totalLimit) { throw fault }
      return state.reply(to: call, at: time)
    }
  }

  /// All channels, in the order in which they were created.
  var all: [Channel] {
    state.withLock { state in
      state.apps.values.flatMap(\.values).sorted { $0.number < $1.number }.map(\.channel)
    }
  }

  /// Makes these the only channels.
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

  /// The reply to a call without a fault.
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
