public import APNS
public import History
public import PushModel

/// The channels in a history. It opens the file for each query, since a command makes few.
public struct ChannelTable: Sendable {
  /// The history's file.
  public let path: String

  /// The channels of a history, which need not exist yet.
  public init(_ path: String) { self.path = path }

  /// Records what is known about a channel. Properties that are nil leave the stored values
  /// unchanged.
  ///
  /// - Throws: `HistoryError` if the history cannot be opened or written.
  public func record(_ channel: ChannelEntry) throws(HistoryError) {
    let database = try Database.open(path)
    let statement = try Statement(Self.insertion, on: database)
    statement.bind(channel.server, at: 1)
    statement.bind(channel.app.text, at: 2)
    statement.bind(channel.id.text, at: 3)
    statement.bind(channel.policy?.rawValue, at: 4)
    statement.bind(channel.created, at: 5)
    statement.bind(channel.requestID?.description, at: 6)
    statement.bind(channel.deleted, at: 7)
    try statement.run()
  }

  /// The channels in order of creation, followed by those created elsewhere. Without a history
  /// there are none.
  ///
  /// - Parameters:
  ///   - server: only those at this environment or URL; nil for any.
  ///   - app: only those of this app; nil for any.
  public func channels(
    at server: String? = nil, of app: BundleID? = nil
  ) throws(HistoryError) -> [ChannelEntry] {
    guard let database = try existing() else { return [] }
    let statement = try Statement(
      """
      \(Self.selection) WHERE server = coalesce(?1, server) AND bundle_id = coalesce(?2, bundle_id)
        ORDER BY created IS NULL, created, id
      """, on: database)
    statement.bind(server, at: 1)
    statement.bind(app?.text, at: 2)
    var channels: [ChannelEntry] = []
    while try statement.step() { channels.append(try ChannelEntry(row: statement)) }
    return channels
  }

  /// A channel; nil if the history does not know it, or there is no history.
  public func channel(
    _ id: ChannelID, at server: String, of app: BundleID
  ) throws(HistoryError) -> ChannelEntry? {
    guard let database = try existing() else { return nil }
    let statement = try Statement(
      "\(Self.selection) WHERE server = ? AND bundle_id = ? AND id = ?", on: database)
    statement.bind(server, at: 1)
    statement.bind(app.text, at: 2)
    statement.bind(id.text, at: 3)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return try ChannelEntry(row: statement)
  }

  /// The latest runs that sent to a channel, newest first.
  public func runs(to channel: ChannelID, limit: Int) throws(HistoryError) -> [RunNumber] {
    guard let database = try existing() else { return [] }
    let statement = try Statement(
      "SELECT id FROM runs WHERE channel = ? ORDER BY id DESC LIMIT ?", on: database)
    statement.bind(channel.text, at: 1)
    statement.bind(limit, at: 2)
    var runs: [RunNumber] = []
    while try statement.step() { runs.append(try RunNumber(row: statement)) }
    return runs
  }

  private static let selection =
    "SELECT id, server, bundle_id, policy, created, request_id, deleted FROM channels"

  private static let insertion = """
    INSERT INTO channels (server, bundle_id, id, policy, created, request_id, deleted)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (server, bundle_id, id) DO UPDATE
        SET policy = coalesce(excluded.policy, channels.policy),
          created = coalesce(excluded.created, channels.created),
          request_id = coalesce(excluded.request_id, channels.request_id),
          deleted = coalesce(excluded.deleted, channels.deleted)
    """

  /// The history; nil if there is none, because a query does not create one.
  private func existing() throws(HistoryError) -> Database? {
    do throws(HistoryError) {
      return try Database.openForReading(path)
    } catch {
      switch error {
      case .missing, .empty: return nil
      default: throw error
      }
    }
  }
}

extension ChannelEntry {
  /// Reads a statement's current row. An unknown policy counts as none.
  fileprivate init(row: borrowing Statement) throws(HistoryError) {
    guard let id = row.text(0).flatMap({ try? ChannelID($0) }), let server = row.text(1),
      let app = row.text(2).flatMap({ try? BundleID($0) })
    else { throw row.corrupt }
    let policy = row.optionalInt64(3).flatMap { Int(exactly: $0) }
    self.init(
      id, at: server, of: app, policy: policy.flatMap { StoragePolicy(rawValue: $0) },
      created: try row.optionalTime(4), requestID: row.text(5).flatMap { APNSID($0) },
      deleted: try row.optionalTime(6))
  }
}
