public import History
public import PushModel

/// Reads the commits of a run.
struct CommitReader: ~Copyable {
  private let reader: HistoryReader
  private let commits: Statement
  private let result: Statement

  init(_ reader: HistoryReader) throws(HistoryError) {
    let commits = try Statement(
      "SELECT id, pass, pushes FROM commits WHERE id > ? AND id <= ? ORDER BY id LIMIT 1",
      on: reader.database)
    result = try Statement(
      """
      SELECT \(PushEntry.columns) FROM pushes(?1, ?2) WHERE pass = ?3 ORDER BY id
      """, on: reader.database)
    self.commits = commits
    self.reader = reader
  }

  /// Passes commits in order. A result that a later pass replaced comes with the later commit.
  ///
  /// - Parameter rows: the rows of `commits` after the last known one, up to the last one wanted.
  func forEachCommit(
    of run: ResultContext, after known: Int64, upTo last: Int64,
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
    _ sequences: [UInt64], _ pass: Int64, _ run: ResultContext
  ) throws(HistoryError) -> [PushEntry] {
    var pushes: [PushEntry] = []
    var rest = sequences[...]
    while let first = rest.first {
      let block = rest.prefix {
        $0 >> AcceptedPushes.blockBits == first >> AcceptedPushes.blockBits
      }
      try read(block, pass, run, into: &pushes)
      rest = rest.dropFirst(block.count)
    }
    return pushes
  }

  /// Reads pushes of one block, which is unpacked as a whole.
  private func read(
    _ sequences: ArraySlice<UInt64>, _ pass: Int64, _ run: ResultContext,
    into pushes: inout [PushEntry]
  ) throws(HistoryError) {
    guard let first = sequences.first, let last = sequences.last else { return }
    result.bind(run.run.row(of: first)...run.run.row(of: last))
    result.bind(pass, at: 3)
    var wanted = sequences
    while try result.step() {
      let sequence = RunNumber.sequence(ofRow: result.int64(0))
      wanted = wanted.drop { $0 < sequence }
      if wanted.first == sequence { pushes.append(try reader.entry(result, of: run)) }
    }
  }
}

extension HistoryReader {
  /// The last commit of a run up to a number; nil if there is none.
  public func commit(of run: RunNumber, upTo number: Int64) throws(HistoryError) -> RunCommit? {
    guard let context = try context(of: run),
      let row = try database.lastCommit(of: run, upTo: number)
    else { return nil }
    var commit: RunCommit?
    try CommitReader(self).forEachCommit(of: context, after: row - 1, upTo: row) { commit = $0 }
    return commit
  }

  /// The values needed to read the rows of a run; nil if the history does not contain it.
  func context(of run: RunNumber) throws(HistoryError) -> ResultContext? {
    let statement = try Statement(
      "\(ResultContext.selection(in: database)) WHERE runs.id = ?", on: database)
    statement.bind(run.rawValue, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return try ResultContext(row: statement)
  }
}

extension UnsafeRawBufferPointer {
  /// The numbers that a ``CommitLog`` wrote, without any that cannot be the number of a push.
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
