internal import APNS
internal import CSQLite
internal import PushModel

/// A cursor over rows of ``PushTable``. It merges those of `results` with the packed ones, of which
/// it holds a block at a time.
final class PushCursor {
  let query: PushQuery

  private let rows: SQLiteStatement
  private let packed: Statement
  private var range: ClosedRange<Int64> = 0...0
  /// The number of the current row of `rows`; nil at its end.
  private var row: Int64?
  private var hasPacked = false
  private var values: [(pushes: AcceptedPushes, pass: Int64)] = []
  /// The rest of the block, next push last.
  private var block: [Place] = []
  private var isAtRow = false

  /// The place of a packed push.
  private struct Place {
    var row: Int64
    var value: Int
    var index: Int
  }

  init(_ query: PushQuery, on connection: OpaquePointer) throws(HistoryError) {
    let order = query.isDescending ? "DESC" : "ASC"
    rows = try SQLiteStatement(
      """
      SELECT \(query.selection) FROM results WHERE id BETWEEN ? AND ? ORDER BY id \(order)
      """, on: connection, busyMilliseconds: 0)
    packed = Statement(
      try SQLiteStatement(
        "\(AcceptedPushes.selection) WHERE id BETWEEN ? AND ? ORDER BY id \(order)",
        on: connection, busyMilliseconds: 0))
    self.query = query
  }

  /// Moves to the first row. The range nil has none.
  func begin(_ range: ClosedRange<Int64>?) throws(HistoryError) {
    end()
    guard let range else { return }
    self.range = range
    rows.bind(.int64(range.lowerBound), at: 1)
    rows.bind(.int64(range.upperBound), at: 2)
    packed.bind(range.lowerBound & -AcceptedPushes.blockSize, at: 1)
    packed.bind(range.upperBound, at: 2)
    try nextRow()
    hasPacked = try packed.step()
    try fillBlock()
    choose()
  }

  /// Releases the database.
  func end() {
    rows.reset()
    packed.reset()
    (row, hasPacked, isAtRow) = (nil, false, false)
    values.removeAll()
    block.removeAll()
  }

  var isAtEnd: Bool { row == nil && block.isEmpty }

  /// The number of the current row.
  var number: Int64 { isAtRow ? row ?? 0 : block.last?.row ?? 0 }

  func next() throws(HistoryError) {
    if isAtRow {
      try nextRow()
    } else {
      block.removeLast()
      if block.isEmpty { try fillBlock() }
    }
    choose()
  }

  private func nextRow() throws(HistoryError) { row = try rows.step() ? rows.int64(0) : nil }

  private func choose() {
    guard let row, let packed = block.last?.row else {
      isAtRow = row != nil
      return
    }
    isAtRow = query.isDescending ? row > packed : row < packed
  }

  private func fillBlock() throws(HistoryError) {
    while hasPacked, block.isEmpty { try readBlock() }
  }

  private func readBlock() throws(HistoryError) {
    values.removeAll(keepingCapacity: true)
    let number = packed.int64(0) >> AcceptedPushes.blockBits
    while hasPacked, packed.int64(0) >> AcceptedPushes.blockBits == number {
      try readValue()
      hasPacked = try packed.step()
    }
    let isDescending = query.isDescending
    block.sort { isDescending ? $0.row < $1.row : $0.row > $1.row }
  }

  private func readValue() throws(HistoryError) {
    let pushes = try AcceptedPushes(row: packed)
    let end =
      range.upperBound == .max ? pushes.count : pushes.firstIndex(from: range.upperBound + 1)
    for index in min(pushes.firstIndex(from: range.lowerBound), end)..<end {
      block.append(Place(row: pushes.row(at: index), value: values.count, index: index))
    }
    values.append((pushes, packed.int64(3)))
  }
}

extension PushCursor {
  /// Passes SQLite the value of a column in the current row.
  func give(_ column: Int32, to context: OpaquePointer?) {
    if column >= PushTable.Bound.low.place {
      let isLow = column == PushTable.Bound.low.place
      return sqlite3_result_int64(context, isLow ? range.lowerBound : range.upperBound)
    }
    if isAtRow { return rows.give(column, to: context) }
    guard let place = block.last else { return sqlite3_result_null(context) }
    let value = values[place.value]
    switch ResultColumn.all[Int(column)] {
    case .id: sqlite3_result_int64(context, place.row)
    case .token: value.pushes.give(tokenAt: place.index, to: context)
    case .list: sqlite3_result_int64(context, value.pushes.number(.list, at: place.index))
    case .line: sqlite3_result_int64(context, value.pushes.line(at: place.index))
    case .outcome: sqlite3_result_int64(context, Outcome.accepted.code)
    case .status: sqlite3_result_int64(context, Int64(Status.accepted.rawValue))
    case .attempts: sqlite3_result_int64(context, 1)
    case .deferrals, .resent: sqlite3_result_int64(context, 0)
    case .pass: sqlite3_result_int64(context, value.pass)
    case .latency: sqlite3_result_int64(context, value.pushes.number(.latency, at: place.index))
    case .at: sqlite3_result_int64(context, value.pushes.number(.at, at: place.index))
    case .uniqueID: value.pushes.give(uniqueIDAt: place.index, to: context)
    case .reason, .timestamp, .registered: sqlite3_result_null(context)
    }
  }
}

extension AcceptedPushes {
  fileprivate func give(tokenAt index: Int, to context: OpaquePointer?) {
    withToken(at: index) { token in
      sqlite3_result_blob(context, token.baseAddress, Int32(token.count), transient)
    }
  }

  fileprivate func give(uniqueIDAt index: Int, to context: OpaquePointer?) {
    if uniqueIDSize == 0 { return sqlite3_result_null(context) }
    withUniqueID(at: index) { id in
      sqlite3_result_blob(context, id.baseAddress, Int32(id.count), transient)
    }
  }
}
