internal import PushModel

/// Walks the rows of a run in blocks of consecutive numbers, skipping empty blocks.
///
/// Pages of `pushes` are bounded by row numbers rather than with `LIMIT`: PostgreSQL unpacks and sorts
/// everything within the bounds before it returns the first row.
struct RowBlocks: ~Copyable {
  /// The tables to look in.
  enum Source {
    case pushes, results, origins

    fileprivate var tables: [String] {
      switch self {
      case .pushes: ["results", "accepted"]
      case .results: ["results"]
      case .origins: ["origins"]
      }
    }
  }

  private let statement: Statement
  private let size: Int64
  private let newestFirst: Bool
  private var rest: ClosedRange<Int64>?

  /// - Parameters:
  ///   - run: the run to walk, from its first push on.
  ///   - size: the size of a block: a power of two, at least ``AcceptedPushes/blockSize``.
  init(
    of run: RunNumber, _ source: Source = .pushes, size: Int64, on database: borrowing Database
  ) throws(HistoryError) {
    try self.init(in: run.rows, source, size: size, newestFirst: false, on: database)
  }

  /// - Parameter rows: the rows to walk, of one run.
  init(
    in rows: ClosedRange<Int64>, _ source: Source, size: Int64, newestFirst: Bool,
    on database: borrowing Database
  ) throws(HistoryError) {
    statement = try Statement(Self.text(source, newestFirst ? "max" : "min"), on: database)
    rest = rows
    self.size = size
    self.newestFirst = newestFirst
  }

  /// The bounds of the next block that has rows; nil at the end.
  mutating func next() throws(HistoryError) -> ClosedRange<Int64>? {
    guard let rest, let row = try firstRow(in: rest) else { return nil }
    let low = max(row & -size, rest.lowerBound)
    let high = min(row | (size - 1), rest.upperBound)
    if newestFirst {
      self.rest = low > rest.lowerBound ? rest.lowerBound...low - 1 : nil
    } else {
      self.rest = high < rest.upperBound ? high + 1...rest.upperBound : nil
    }
    return low...high
  }

  /// A packed value is stored under the number of its first push.
  private func firstRow(in rows: ClosedRange<Int64>) throws(HistoryError) -> Int64? {
    let low = rows.lowerBound & -AcceptedPushes.blockSize
    statement.bind(low, at: 1)
    statement.bind(rows.upperBound, at: 2)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.isNull(0)
      ? nil : try statement.row(after: low - 1, before: rows.upperBound + 1)
  }

  private static func text(_ source: Source, _ end: String) -> String {
    let ends = source.tables.map {
      "SELECT \(end)(id) AS id FROM \($0) WHERE id BETWEEN ?1 AND ?2"
    }
    return "SELECT \(end)(id) FROM (\(ends.joined(separator: " UNION ALL "))) AS ends"
  }
}

extension Statement {
  /// Binds the bounds of `pushes(?1, ?2)`.
  package func bind(_ rows: ClosedRange<Int64>) {
    bind(rows.lowerBound, at: 1)
    bind(rows.upperBound, at: 2)
  }
}
