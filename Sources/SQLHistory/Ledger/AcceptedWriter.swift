internal import APNS
internal import PushModel

/// Packs the pushes of a commit that were accepted at once, as ``AcceptedPushes``.
struct AcceptedWriter: ~Copyable {
  /// So many pushes are packed even before their commit ends.
  private static let mostPushes = 1 << 16

  private let run: RunNumber
  private let insertion: Statement
  private var entries: [Entry] = []
  private var bytes: [UInt8] = []

  /// A push, and where its token and its unique ID are in `bytes`.
  private struct Entry {
    var row: Int64
    var list: Int64
    var line: Int64
    var latency: Int64
    var at: Int64
    var token: Range<Int>
    var uniqueID: Range<Int>

    /// Whether both fit into one value.
    func belongsTogether(with other: Entry) -> Bool {
      row >> AcceptedPushes.blockBits == other.row >> AcceptedPushes.blockBits
        && token.count == other.token.count && uniqueID.count == other.uniqueID.count
    }
  }

  init(_ run: RunNumber, pass: Int64, on database: borrowing Database) throws(HistoryError) {
    insertion = try Statement("INSERT INTO accepted VALUES (?, \(pass), ?, ?)", on: database)
    self.run = run
  }

  /// Adds a push that says no more than ``PushResult/isAcceptedAtOnce``.
  ///
  /// - Parameters:
  ///   - time: milliseconds since the run began.
  ///   - uniqueID: as it is kept.
  mutating func add(
    _ push: Push, list: Int64, latency: Int, at time: Int64, uniqueID: [UInt8]
  ) throws(HistoryError) {
    if entries.count == Self.mostPushes { try write() }
    let start = bytes.count
    push.chunk.withToken(at: push.index) { bytes.append(hex: $0) }
    let middle = bytes.count
    bytes += uniqueID
    entries.append(
      Entry(
        row: run.row(of: push.sequence), list: list, line: Int64(push.line),
        latency: Int64(latency), at: time, token: start..<middle, uniqueID: middle..<bytes.count))
  }

  /// Writes down what was added, within the caller's transaction.
  mutating func write() throws(HistoryError) {
    defer { clear() }
    entries.sort { $0.row < $1.row }
    var rest = entries[...]
    while let first = rest.first {
      let group = rest.prefix { $0.belongsTogether(with: first) }
      try write(group, from: first)
      rest = rest.dropFirst(group.count)
    }
  }

  /// Forgets what was added.
  mutating func clear() {
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  private func write(_ group: ArraySlice<Entry>, from first: Entry) throws(HistoryError) {
    let columns = [
      group.map(\.row), group.map(\.list), group.map { $0.line - $0.row }, group.map(\.latency),
      group.map(\.at),
    ]
    let (tokenSize, uniqueIDSize) = (first.token.count, first.uniqueID.count)
    var value: [UInt8] = []
    value.reserveCapacity(group.count * (tokenSize + uniqueIDSize + 16) + 64)
    AcceptedPushes.write(columns, tokenSize: tokenSize, uniqueIDSize: uniqueIDSize, to: &value)
    for entry in group { value += bytes[entry.token] }
    for entry in group { value += bytes[entry.uniqueID] }
    insertion.bind(first.row, at: 1)
    insertion.bind(group.count, at: 2)
    insertion.bind(value, at: 3)
    try insertion.run()
  }
}

extension PushResult {
  /// Whether there is nothing to say but that it was accepted, when, how long that took, and which
  /// unique ID it has. One that is empty or too long for ``AcceptedPushes`` has a row.
  var isAcceptedAtOnce: Bool {
    guard outcome == .accepted, attempts == 1, !wasResentInDoubt, let response else { return false }
    return response.status == .accepted && response.reason == nil && response.timestamp == nil
      && 1...255 ~= response.uniqueID?.utf8.count ?? 1
      && push.chunk.registered(at: push.index) == nil
  }
}
