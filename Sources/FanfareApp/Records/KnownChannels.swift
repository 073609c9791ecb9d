internal import APNS
internal import HTTP2
internal import History
internal import Projects
internal import PushModel
internal import SQLiteHistory

/// What the history knows of an app's broadcast channels at a server. Without a history nothing is
/// known, and nothing is written down.
struct KnownChannels: Sendable {
  /// Where the channels exist: the name of the environment, or the server's URL.
  let server: String
  let app: BundleID
  private let table: ChannelTable?
  private let clock: RunClock

  /// - Parameter path: the history's file, which need not exist yet; nil for none.
  init(_ path: String?, at server: PushEnvironment, of app: BundleID, _ clock: RunClock) {
    self.server = server.nameOfChannels
    (self.app, self.clock) = (app, clock)
    table = path.map { ChannelTable($0) }
  }

  /// The channels in the history that merged settings name.
  init(
    _ settings: Settings, at server: PushEnvironment, of app: BundleID, _ context: Context
  ) throws(Failure) {
    self.init(try settings.historyPath(), at: server, of: app, context.clock)
  }

  /// Whether there is a history: without one, a channel that is not known is no surprise.
  var isKept: Bool { table != nil }

  /// Writes down a channel that was created now.
  func record(
    created channel: ChannelID, _ policy: StoragePolicy, requestID: APNSID
  ) throws(Failure) {
    let now = clock.epochMilliseconds()
    try record(
      ChannelEntry(
        channel, at: server, of: app, policy: policy, created: now, requestID: requestID))
  }

  /// Writes down what a channel stores.
  func record(read channel: ChannelID, _ policy: StoragePolicy) throws(Failure) {
    try record(ChannelEntry(channel, at: server, of: app, policy: policy))
  }

  /// Writes down that a channel was deleted now.
  func record(deleted channel: ChannelID) throws(Failure) {
    try record(
      ChannelEntry(channel, at: server, of: app, deleted: clock.epochMilliseconds()))
  }

  /// What a channel stores; nil when that is not known.
  func policy(of channel: ChannelID) throws(Failure) -> StoragePolicy? {
    try entry(of: channel)?.policy
  }

  /// What is known of a channel; nil when nothing is.
  func entry(of channel: ChannelID) throws(Failure) -> ChannelEntry? {
    try read { (table) throws(HistoryError) in try table.channel(channel, at: server, of: app) }
      ?? nil
  }

  /// All channels that are known, those that were deleted among them.
  func entries() throws(Failure) -> [ChannelEntry] {
    try read { (table) throws(HistoryError) in try table.channels(at: server, of: app) } ?? []
  }

  private func record(_ channel: ChannelEntry) throws(Failure) {
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
  /// Where channels exist that are created here: the same for each port of Apple's services, and for
  /// emulators that of the process.
  var nameOfChannels: String {
    switch self {
    case .production, .sandbox, .emulator: name
    case .inbox(let address), .server(let address):
      [Self.production, .sandbox].first { $0.address?.host == address.host.lowercased() }?.name
        ?? address.description
    }
  }
}
