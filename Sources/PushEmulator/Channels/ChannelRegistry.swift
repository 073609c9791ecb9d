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
  /// The app has no such channel.
  case unknown(ChannelID)
}

/// The channels of all apps, which all connections share.
final class ChannelRegistry: Sendable {
  fileprivate struct State {
    var apps: [BundleID: [ChannelID: Entry]] = [:]
    var created = 0
  }

  /// A channel, and the how many-th that was created it is.
  fileprivate struct Entry {
    let channel: Channel
    let number: Int
  }

  /// The most channels that an app may have.
  let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// An app's channel; nil when there is none with this ID.
  func channel(_ id: ChannelID, of app: BundleID) -> Channel? {
    state.withLock { $0.apps[app]?[id]?.channel }
  }

  /// Why a call could not be carried out now; nil when it could.
  func fault(of call: ChannelCall) -> ChannelFault? {
    state.withLock { $0.fault(of: call, limit: limit) }
  }

  /// Carries a call out.
  ///
  /// - Parameter time: the present, in seconds since 1970.
  func carryOut(_ call: ChannelCall, at time: Double) throws(ChannelFault) -> ChannelReply {
    try state.withLock { (state) throws(ChannelFault) in
      if let fault = state.fault(of: call, limit: limit) { throw fault }
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
      state.apps = [:]
      for channel in channels { state.add(channel) }
    }
  }
}

extension ChannelRegistry.State {
  fileprivate func fault(of call: ChannelCall, limit: Int) -> ChannelFault? {
    switch call.request {
    case .create: apps[call.app, default: [:]].count < limit ? nil : .full(limit: limit)
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
      apps[call.app]?[id] = nil
      return .deleted
    case .list:
      let entries = apps[call.app, default: [:]].values.sorted { $0.number < $1.number }
      return .channels(entries.map(\.channel.id))
    }
  }

  fileprivate mutating func add(_ channel: Channel) {
    created += 1
    apps[channel.app, default: [:]][channel.id] = .init(channel: channel, number: created)
  }
}
