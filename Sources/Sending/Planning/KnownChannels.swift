package import APNS
internal import HTTP2
package import History
internal import PushModel
package import Reporting
internal import Runs
internal import SQLHistory
package import Settings

/// What the history knows of an app's broadcast channels at a server. Without a history nothing is
/// known, and nothing is written down.
package struct KnownChannels: Sendable {
  /// Where the channels exist: the name of the environment, or the server's URL.
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

  /// Whether there is a history: without one, it is normal that a channel is not known.
  var isKept: Bool { table != nil }

  /// Finds out whether the history can be written to, before there is something to write.
  package func check() throws(Failure) {
    _ = try read { (table) throws(HistoryError) in try SQLLedger.look(at: table.path) }
  }

  /// A channel that was created now.
  package func created(
    _ channel: ChannelID, _ policy: StoragePolicy, requestID: APNSID
  ) -> ChannelEntry {
    ChannelEntry(
      channel, at: server, of: app, policy: policy, created: clock.epochMilliseconds(),
      requestID: requestID)
  }

  /// Writes down what a channel stores.
  package func record(read channel: ChannelID, _ policy: StoragePolicy) throws(Failure) {
    try record(ChannelEntry(channel, at: server, of: app, policy: policy))
  }

  /// Writes down that a channel was deleted now.
  package func record(deleted channel: ChannelID) throws(Failure) {
    try record(
      ChannelEntry(channel, at: server, of: app, deleted: clock.epochMilliseconds()))
  }

  /// What a channel stores; nil when that is not known.
  func policy(of channel: ChannelID) throws(Failure) -> StoragePolicy? {
    try entry(of: channel)?.policy
  }

  /// What is known of a channel; nil when nothing is.
  package func entry(of channel: ChannelID) throws(Failure) -> ChannelEntry? {
    try read { (table) throws(HistoryError) in try table.channel(channel, at: server, of: app) }
      ?? nil
  }

  /// All channels that are known, those that were deleted among them.
  package func entries() throws(Failure) -> [ChannelEntry] {
    try read { (table) throws(HistoryError) in try table.channels(at: server, of: app) } ?? []
  }

  /// The last pushes to a channel, the newest first, at most five runs of one each.
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

  /// The channels of a history that were not deleted from here. Those of an emulator in another
  /// process ended with it.
  package static func existing(
    _ settings: Settings, at server: PushEnvironment?, of app: BundleID?, _ context: Context
  ) throws(Failure) -> [ChannelEntry] {
    guard let path = try settings.historyPath() else { return [] }
    try ProjectTrust(forHistoryOf: settings, context).require()
    let channels = try attempt(
      try ChannelTable(path).channels(at: server?.nameOfChannels, of: app)
    ) { .history($0) }
    return channels.filter {
      $0.deleted == nil && $0.server != PushEnvironment.emulator.name
    }
  }

  /// Writes down what is known of a channel.
  package func record(_ channel: ChannelEntry) throws(Failure) {
    _ = try read { (table) throws(HistoryError) in try table.record(channel) }
  }

  private func read<Value>(
    _ body: (ChannelTable) throws(HistoryError) -> Value
  ) throws(Failure) -> Value? {
    guard let table else { return nil }
    do throws(HistoryError) { return try body(table) } catch { throw .history(error) }
  }
}

extension PushEnvironment {
  /// Where channels exist that are created here: the same for each host and port of one of Apple's
  /// services.
  var nameOfChannels: String {
    switch self {
    case .production, .sandbox, .emulator: name
    case .inbox(let address), .server(let address):
      Self.service(ofHost: address.host.lowercased())?.name ?? address.description
    }
  }
}
