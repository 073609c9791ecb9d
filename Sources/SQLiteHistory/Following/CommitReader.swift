public import History
public import PushModel

/// Reads what was committed of a run.
struct CommitReader: ~Copyable {
  private let reader: HistoryReader
  private let commits: Statement
  private let result: Statement

  init(_ reader: HistoryReader) throws(HistoryError) {
    let commits = try Statement(
      "SELECT id, pass, pushes FROM commits WHERE id > ? AND id <= ? ORDER BY id LIMIT 1",
      on: reader.database)
    result = try Statement(
      "SELECT \(PushEntry.columns) FROM results WHERE id = ? AND pass = ?", on: reader.database)
    self.commits = commits
    self.reader = reader
  }

  /// Hands out commits in their order. A result that a later pass has replaced comes with that one.
  ///
  /// - Parameter rows: above the last row of `commits` that is known, up to the last that is wanted.
  func forEachCommit(
    of run: RunStart, after known: Int64, upTo last: Int64,
    _ body: (RunCommit) -> Void
  ) throws(HistoryError) {
    var row = known
    commits.bind(last, at: 2)
    while row < last {
      commits.bind(row, at: 1)
      guard try commits.step() else { return }
      row = try commits.row(after: row)
      let (pass, sequences) = (commits.int64(1), commits.bytes(2).sequences)
      commits.reset()
      body(
        RunCommit(
          number: row - run.run.rows.lowerBound, pass: pass, sequences: sequences,
          pushes: try results(sequences.sorted(), pass, run)))
    }
  }

  private func results(
    _ sequences: [UInt64], _ pass: Int64, _ run: RunStart
  ) throws(HistoryError) -> [PushEntry] {
    var pushes: [PushEntry] = []
    for sequence in sequences {
      result.bind(run.run.row(of: sequence), at: 1)
      result.bind(pass, at: 2)
      if try result.step() { pushes.append(try reader.entry(result, of: run)) }
      result.reset()
    }
    return pushes
  }
}

extension HistoryReader {
  /// The last commit of a run up to a number; nil when there is none.
  public func commit(of run: RunNumber, upTo number: Int64) throws(HistoryError) -> RunCommit? {
    let rows = run.rows
    let newest = try Statement(
      "SELECT max(id) FROM commits WHERE id > ? AND id <= ?", on: database)
    newest.bind(rows.lowerBound, at: 1)
    newest.bind(rows.lowerBound + min(number, Int64(RunNumber.lastSequence)), at: 2)
    guard let start = try start(of: run), try newest.step(), !newest.isNull(0) else { return nil }
    defer { newest.reset() }
    let row = newest.int64(0)
    var commit: RunCommit?
    try CommitReader(self).forEachCommit(of: start, after: row - 1, upTo: row) { commit = $0 }
    return commit
  }

  /// What the rows of a run have to be read with; nil when the history does not hold it.
  func start(of run: RunNumber) throws(HistoryError) -> RunStart? {
    let statement = try Statement("\(RunStart.selection) WHERE runs.id = ?", on: database)
    statement.bind(run.rawValue, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return try RunStart(row: statement)
  }
}

extension UnsafeRawBufferPointer {
  /// The numbers that a ``CommitLog`` wrote. What is no number of a push is left out.
  fileprivate var sequences: [UInt64] {
    var sequences: [UInt64] = []
    var (number, rest, shift) = (Int64(0), UInt64(0), UInt64(0))
    for byte in self {
      rest |= UInt64(byte & 0x7F) << shift
      shift += 7
      if byte > 0x7F { continue }
      number &+= Int64(bitPattern: rest >> 1) ^ -Int64(bitPattern: rest & 1)
      (rest, shift) = (0, 0)
      if 1...Int64(RunNumber.lastSequence) ~= number { sequences.append(UInt64(number)) }
    }
    return sequences
  }
}
