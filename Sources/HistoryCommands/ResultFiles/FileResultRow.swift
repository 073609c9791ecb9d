internal import APNS
internal import History
internal import PushModel
internal import Recipients
internal import Reporting

/// A line of a result file, as written by `--results` and `history export`.
struct FileResultRow {
  /// The columns to read. The first two are enough to find a row again.
  static let columns = [
    "apnsID", "outcome", "run", "sequence", "list", "line", "status", "reason", "timestamp",
    "uniqueID", "attempts", "latencyMilliseconds", "answeredAt", "channel",
  ]

  /// The reason that a row is not a result, as a clause.
  struct Fault: Error { let clause: String }

  let id: APNSID
  let outcome: Outcome
  private let token: String
  private let values: [String?]

  init(_ row: Result<ListTable.Row, LineFault>) throws(Fault) {
    let row = try Result { () throws(LineFault) in try row.get() }
      .mapError { Fault(clause: $0.clause) }.get()
    (token, values) = (row.token, row.values)
    guard let id = row.values[0] else { throw Fault(clause: "it has no apnsID") }
    guard let outcome = row.values[1] else { throw Fault(clause: "it has no outcome") }
    guard let known = APNSID(id) else { throw Fault(clause: "its apnsID is not a UUID") }
    guard let word = Outcome(rawValue: outcome) else {
      let all = Outcome.allCases.map(\.rawValue).alternatives
      throw Fault(clause: "its outcome is not \(all)")
    }
    (self.id, self.outcome) = (known, word)
  }

  private func value(_ column: String) -> String? {
    Self.columns.firstIndex(of: column).flatMap { values.indices.contains($0) ? values[$0] : nil }
  }

  /// A whole number in the range that a history can hold.
  private func number(_ column: String) -> Int64? {
    value(column).flatMap { Int64($0) }.flatMap { 0...1 << 52 ~= $0 ? $0 : nil }
  }

  /// The list's name, without the escape that tables add for spreadsheets.
  private var list: String {
    let text = value("list") ?? ""
    let rest = String(text.dropFirst())
    return text.hasPrefix("'") && spreadsheetText(rest) == text ? rest : text
  }

  /// The time of the answer, in milliseconds since 1970; nil if there was none.
  var answeredAt: Int64? { number("answeredAt") }

  /// From the last request to its answer, in microseconds; nil if there was none.
  var latencyMicroseconds: Int? {
    value("latencyMilliseconds").flatMap { Double($0) }
      .flatMap { 0...1e12 ~= $0 ? Int(($0 * 1000).rounded()) : nil }
  }

  /// - Parameter time: the time for a push without an answer, in milliseconds since 1970.
  func entry(in run: RunNumber, at time: Int64) -> PushEntry {
    let status = number("status").map { Status(rawValue: Int($0)) }
    return PushEntry(
      run: run, sequence: number("sequence").flatMap { UInt64(exactly: $0) } ?? 0, apnsID: id,
      token: token, channel: value("channel"), list: list, line: Int(number("line") ?? 0),
      outcome: outcome,
      response: status.map {
        Response(
          status: $0, uniqueID: value("uniqueID"),
          reason: value("reason").flatMap { Reason(rawValue: $0) }, timestamp: number("timestamp"))
      },
      attempts: Int(number("attempts") ?? 0), wasResentInDoubt: false,
      latencyMicroseconds: latencyMicroseconds, at: answeredAt ?? time, registered: nil, pass: 0)
  }

  /// The row's run; nil in a file of `--results`.
  var run: RunNumber? { number("run").flatMap { RunNumber(rawValue: $0) } }
}
