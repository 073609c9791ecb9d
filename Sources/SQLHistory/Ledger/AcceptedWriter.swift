internal import APNS
internal import PushModel

/// Packs the pushes of a commit that were accepted at the first attempt, as ``AcceptedPushes``.
struct AcceptedWriter: ~Copyable {
  /// The number of pushes that are packed even before their commit ends.
  private static let mostPushes = 1 << 16

  private let run: RunNumber
  private let insertion: Statement
  private var entries: [Entry] = []
  private var bytes: [UInt8] = []

  /// A push, and the places of its token and its unique ID in `bytes`.
  private struct Entry {
    var row: Int64
    var list: Int64
    var line: Int64
    var latency: Int64
    var at: Int64
    var token: Range<Int>
    var uniqueID: Range<Int>

    /// Returns true if both fit into one value.
    func belongsTogether(with other: Entry) -> Bool {
      row >> AcceptedPushes.blockBits == other.row >> AcceptedPushes.blockBits
        && token.count == other.token.count && uniqueID.count == other.uniqueID.count
    }
  }

  init(_ run: RunNumber, pass: Int64, on database: borrowing Database) throws(HistoryError) {
    insertion = try Statement("INSERT INTO accepted VALUES (?, \(pass), ?, ?)", on: database)
    self.run = run
  }

  /// Adds a push of which no more is known than that it was accepted at its first attempt.
  mutating func add(
    _ push: AcceptedPush, of chunk: PushChunk, list: Int64, at time: Int64
  ) throws(HistoryError) {
    try add(
      chunk, push.index, list: list, latency: push.latencyMicroseconds, at: time, uniqueID: [])
  }

  /// Adds a push for which ``PushResult/isAcceptedAtOnce`` is true.
  ///
  /// - Parameters:
  ///   - time: milliseconds since the run began.
  ///   - uniqueID: in its stored form.
  mutating func add(
    _ push: Push, list: Int64, latency: Int, at time: Int64, uniqueID: [UInt8]
  ) throws(HistoryError) {
    try add(push.chunk, push.index, list: list, latency: latency, at: time, uniqueID: uniqueID)
  }

  private mutating func add(
    _ chunk: PushChunk, _ index: Int, list: Int64, latency: Int, at time: Int64, uniqueID: [UInt8]
  ) throws(HistoryError) {
    if entries.count == Self.mostPushes { try write() }
    let start = bytes.count
    chunk.withToken(at: index) { bytes.append(hex: $0) }
    let middle = bytes.count
    bytes += uniqueID
    entries.append(
      Entry(
        row: run.row(of: chunk.sequence(at: index)), list: list, line: Int64(chunk.line(at: index)),
        latency: Int64(latency), at: time, token: start..<middle, uniqueID: middle..<bytes.count))
  }

  /// Writes the added pushes, within the caller's transaction.
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

  /// Discards the added pushes.
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
  /// True if the result consists of no more than acceptance, a time, a latency and a unique ID. A
  /// unique ID that is empty or too long for ``AcceptedPushes`` needs a row.
  var isAcceptedAtOnce: Bool {
    guard outcome == .accepted, attempts == 1, !wasResentInDoubt, let response else { return false }
    return response.status == .accepted && response.reason == nil && response.timestamp == nil
      && 1...255 ~= response.uniqueID?.utf8.count ?? 1
      && push.chunk.registered(at: push.index) == nil
  }
}
