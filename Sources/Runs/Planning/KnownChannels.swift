package import APNS
internal import HTTP2
package import History
internal import PushModel
package import Reporting
internal import SQLHistory
package import Settings

/// The broadcast channels of an app at a server, as known to the history. Without a history nothing
/// is known, and nothing is recorded.
package struct KnownChannels: Sendable {
  /// The channels' server: the name of the environment, or a URL.
  package let server: String
  let app: BundleID
  private let table: ChannelTable?
  private let clock: RunClock

  /// - Parameter path: the history's file or URL, which need not exist yet; nil for none.
  init(_ path: String?, at server: PushEnvironment, of app: BundleID, _ clock: RunClock) {
    self.server = server.nameOfChannels
    (self.app, self.clock) = (app, clock)
    table = path.map { ChannelTable($0) }
  }

  /// The channels in the history that merged settings name.
  package init(
    _ settings: Settings, at server: PushEnvironment, of app: BundleID, _ context: Context
  ) throws(Failure) {
    let path = try settings.historyPath()
    if path != nil { try ProjectTrust(forHistoryOf: settings, context).require() }
    self.init(path, at: server, of: app, context.clock)
  }

  /// There is a history; without one, unknown channels are normal.
  var isKept: Bool { table != nil }

  /// Checks that the history is writable before there is something to write.
  package func check() throws(Failure) {
    _ = try read { (table) throws(HistoryError) in try SQLLedger.look(at: table.path) }
  }

  /// The entry of a channel created just now.
  package func created(
    _ channel: ChannelID, _ policy: StoragePolicy, requestID: APNSID
  ) -> ChannelEntry {
    ChannelEntry(
      channel, at: server, of: app, policy: policy, created: clock.epochMilliseconds(),
      requestID: requestID)
  }

  /// Records the storage policy of a channel.
  package func record(read channel: ChannelID, _ policy: StoragePolicy) throws(Failure) {
    try record(ChannelEntry(channel, at: server, of: app, policy: policy))
  }

  /// Records that a channel was deleted just now.
  package func record(deleted channel: ChannelID) throws(Failure) {
    try record(
      ChannelEntry(channel, at: server, of: app, deleted: clock.epochMilliseconds()))
  }

  /// The storage policy of a channel; nil when it is unknown.
  func policy(of channel: ChannelID) throws(Failure) -> StoragePolicy? {
    try entry(of: channel)?.policy
  }

  /// The entry of a channel; nil when it is unknown.
  package func entry(of channel: ChannelID) throws(Failure) -> ChannelEntry? {
    try read { (table) throws(HistoryError) in try table.channel(channel, at: server, of: app) }
      ?? nil
  }

  /// All known channels, including deleted ones.
  package func entries() throws(Failure) -> [ChannelEntry] {
    try read { (table) throws(HistoryError) in try table.channels(at: server, of: app) } ?? []
  }

  /// The last pushes to a channel, newest first, from at most five runs, one each.
  package func pushes(to channel: ChannelID) throws(Failure) -> [PushEntry] {
    try read { (table) throws(HistoryError) in
      var filter = HistoryFilter()
      filter.runs = Set(try table.runs(to: channel, limit: 5))
      var pushes: [PushEntry] = []
      if filter.runs.isEmpty { return pushes }
      try HistoryReader(table.path).forEachPush(filter) { push in
        pushes.append(push)
        return true
      }
      return pushes
    } ?? []
  }

  /// The channels of a history that have not been deleted with this tool. Those of an emulator
  /// ended with its process, so they are left out.
  package static func existing(
    _ settings: Settings, at server: PushEnvironment?, of app: BundleID?, _ context: Context
  ) throws(Failure) -> [ChannelEntry] {
    guard let path = try settings.historyPath() else { return [] }
    try ProjectTrust(forHistoryOf: settings, context).require()
    return try answered(ChannelTable(path).channels(at: server?.nameOfChannels, of: app)).filter {
      $0.deleted == nil && $0.server != PushEnvironment.emulator.name
    }
  }

  /// Records a channel.
  package func record(_ channel: ChannelEntry) throws(Failure) {
    _ = try read { (table) throws(HistoryError) in try table.record(channel) }
  }

  private func read<Value>(
    _ body: (ChannelTable) throws(HistoryError) -> Value
  ) throws(Failure) -> Value? {
    guard let table else { return nil }
    return try answered(body(table))
  }
}

extension PushEnvironment {
  /// The name under which channels are recorded: the same for every host and port of one of Apple's
  /// services.
  var nameOfChannels: String {
    switch self {
    case .production, .sandbox, .emulator: name
    case .inbox(let address), .server(let address):
      Self.service(ofHost: address.host.lowercased())?.name ?? address.description
    }
  }
}
