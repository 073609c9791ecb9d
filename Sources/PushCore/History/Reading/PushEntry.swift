public import APNS
internal import PlainText

/// A push and what became of it, as the history has it.
public struct PushEntry: Sendable, Hashable {
  /// Its run.
  public let run: RunNumber
  /// Its number in the run, from 1.
  public let sequence: UInt64
  /// Its id, the same on every attempt.
  public let apnsID: APNSID
  /// The digits of the device token, in lower case.
  public let token: String
  /// The list that its recipient came from, as it was named.
  public let list: String
  /// The line in the list, from 1.
  public let line: Int
  /// What became of it.
  public let outcome: Outcome
  /// The last answer; nil when there was none.
  public let response: Response?
  /// How many requests were made for it.
  public let attempts: Int
  /// Whether it was sent again while an earlier request was in doubt.
  public let wasResentInDoubt: Bool
  /// From the last request to its answer, in microseconds; nil without an answer.
  public let latencyMicroseconds: Int?
  /// When its result came, in milliseconds since 1970 UTC.
  public let at: Int64
  /// When its app registered, as the list says it, in seconds since 1970; nil when it does not.
  public let registered: Int64?
  /// In which pass of the run the result came, from 0.
  let pass: Int64

  /// When the answer came, in milliseconds since 1970 UTC; nil without an answer.
  public var answeredAt: Int64? { response == nil ? nil : at }
}

extension PushEntry {
  static let columns = """
    id, token, list, line, outcome, status, reason, attempts, resent, latency, at, timestamp,
      unique_id, registered, pass
    """

  /// Reads the row that a statement stands on.
  init(
    row: borrowing Statement, of run: RunStart, lists: inout WordCache, reasons: inout WordCache
  ) throws(HistoryError) {
    self.run = run.run
    sequence = RunNumber.sequence(ofRow: row.int64(0))
    apnsID = run.identity.apnsID(ofSequence: sequence)
    token = hexadecimal(row.bytes(1))
    list = try lists.word(row.int64(2)) ?? ""
    line = row.int(3)
    outcome = Outcome(code: row.int64(4))
    let reason = row.isNull(6) ? nil : try reasons.word(row.int64(6))
    response = row.optionalInt64(5).map { status in
      Response(
        status: Status(rawValue: Int(status)), apnsID: nil, uniqueID: row.uniqueID(12),
        reason: reason.flatMap { Reason(rawValue: $0) }, timestamp: row.optionalInt64(11))
    }
    attempts = row.int(7)
    wasResentInDoubt = row.int64(8) != 0
    latencyMicroseconds = row.optionalInt64(9).map { Int($0) }
    at = run.started + row.int64(10)
    registered = row.optionalInt64(13)
    pass = row.int64(14)
  }
}

/// What the rows of a run's results have to be read with.
struct RunStart: RunRow {
  let run: RunNumber
  let started: Int64
  let identity: RunIdentity

  static let selection = """
    SELECT runs.id, started, id_high, id_low, apns_id
      FROM runs JOIN progress ON progress.run = runs.id
    """

  init(row: borrowing Statement) throws(HistoryError) {
    guard let number = RunNumber(rawValue: row.int64(0)) else { throw row.corrupt }
    run = number
    started = row.int64(1)
    identity = RunIdentity(row: row, from: 2)
  }
}

extension Statement {
  /// An `apns-unique-id`: sixteen bytes are a UUID, a text is any other.
  fileprivate func uniqueID(_ column: Int32) -> String? {
    if isNull(column) { return nil }
    let bytes = bytes(column)
    guard bytes.count == 16 else { return text(column) }
    let hex = hexadecimal(bytes)
    var parts: [Substring] = []
    var rest = hex[...]
    for length in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return parts.joined(separator: "-")
  }
}
