import Foundation
import PushModel
import SendingSupport
import Testing

/// What the ledger holds of one run: the client's side of the books.
struct LedgerPage {
  struct Row {
    var sequence: Int
    var token: String
    var outcome: Outcome
    var status: Int?
    var attempts: Int
    var wasResentInDoubt: Bool
  }

  private(set) var rows: [Row] = []
  private(set) var tally: [Outcome: Int] = [:]
  /// The figures that were kept with the run, as the summary has them; nil when it did not end.
  private(set) var summary: String?

  /// How the history numbers outcomes.
  private static let codes: [Outcome] = [
    .accepted, .rejected, .skipped, .deferred, .unknown, .notAttempted,
  ]

  /// Reads a run. A history that was never made has nothing in it.
  ///
  /// - Parameter run: its number; nil for the newest.
  init(_ path: String, run: Int64?) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    let file = try SQLiteFile(path)
    let number = run.map { "\($0)" } ?? "(SELECT max(id) FROM runs)"
    rows = file.rows(Self.selection + number).compactMap { Row(columns: $0.map { $0 ?? "" }) }
    summary = file.rows(Self.summaries + number).first?[0]
    let figures = file.rows(Self.tallies + number).first ?? []
    for (outcome, figure) in zip(Self.codes, figures) {
      tally[outcome] = figure.flatMap { Int($0) } ?? 0
    }
  }

  private static let selection = """
    SELECT id & 0xFFFFFFFFFF, lower(hex(token)), outcome, status, attempts, resent FROM pushes
      WHERE id >> 40 =
    """ + " "

  private static let tallies = """
    SELECT accepted, rejected, skipped, deferred, unknown, not_attempted FROM progress
      WHERE run =
    """ + " "

  private static let summaries = """
    SELECT json_object('lines', lines, 'badLines', bad_lines, 'duplicates', duplicates,
        'suppressed', suppressed, 'otherShards', other_shards, 'accepted', accepted,
        'rejected', rejected, 'skipped', skipped, 'deferred', deferred, 'unknown', unknown,
        'notAttempted', not_attempted, 'resentInDoubt', figures.resent)
      FROM figures JOIN runs ON id = run WHERE finished IS NOT NULL AND run =
    """ + " "

  func count(_ outcome: Outcome) -> Int { rows.count { $0.outcome == outcome } }

  /// The device tokens of the rows that fit.
  func tokens(where fits: (Row) -> Bool) -> Set<String> {
    Set(rows.filter(fits).map(\.token))
  }
}

extension LedgerPage.Row {
  fileprivate init?(columns: [String]) {
    guard let sequence = Int(columns[0]), let code = Int(columns[2]), let attempts = Int(columns[4])
    else { return nil }
    self.init(
      sequence: sequence, token: columns[1],
      outcome: [.accepted, .rejected, .skipped, .deferred, .unknown, .notAttempted][code],
      status: Int(columns[3]), attempts: attempts, wasResentInDoubt: columns[5] == "1")
  }
}
