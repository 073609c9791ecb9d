internal import APNS
internal import History
internal import PushModel
internal import Recipients
internal import Reporting

/// A line of a file of results, as `--results` and `history export` write it.
struct ResultRow {
  /// The columns that are read; of a row that only has to be found again the first two.
  static let columns = [
    "apnsID", "outcome", "run", "sequence", "list", "line", "status", "reason", "timestamp",
    "uniqueID", "attempts", "latencyMilliseconds", "answeredAt", "channel",
  ]

  /// Why a row is not a result: a clause.
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

  /// A whole number that a history could hold.
  private func number(_ column: String) -> Int64? {
    value(column).flatMap { Int64($0) }.flatMap { 0...1 << 52 ~= $0 ? $0 : nil }
  }

  /// The list as it was named: a table may have it in a form that spreadsheets take for text.
  private var list: String {
    let text = value("list") ?? ""
    let rest = String(text.dropFirst())
    return text.hasPrefix("'") && spreadsheetText(rest) == text ? rest : text
  }

  /// When the answer came, in milliseconds since 1970; nil without an answer.
  var answeredAt: Int64? { number("answeredAt") }

  /// From the last request to its answer, in microseconds; nil without an answer.
  var latencyMicroseconds: Int? {
    value("latencyMilliseconds").flatMap { Double($0) }
      .flatMap { 0...1e12 ~= $0 ? Int(($0 * 1000).rounded()) : nil }
  }

  /// - Parameter time: stands for the time of a push without an answer, in milliseconds since 1970.
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

  /// The run that the row names; nil in a file of `--results`.
  var run: RunNumber? { number("run").flatMap { RunNumber(rawValue: $0) } }
}
