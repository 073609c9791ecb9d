internal import APNS
internal import History
internal import PushModel

/// A push and what became of it, whether it was sent just now or comes from the history.
protocol RecordedPush: Sendable {
  var sequence: UInt64 { get }
  var list: String { get }
  var line: Int { get }
  var outcome: Outcome { get }
  var response: Response? { get }
  var attempts: Int { get }
  var latencyMicroseconds: Int? { get }
  var answeredAt: Int64? { get }
  /// When its app registered, as the list says it, in seconds since 1970; nil when it does not.
  var registered: Int64? { get }

  /// Lends the digits of the device token.
  func withToken<Answer>(_ body: (UnsafeBufferPointer<UInt8>) -> Answer) -> Answer
}

extension PushResult: RecordedPush {
  var sequence: UInt64 { push.sequence }
  var list: String { push.chunk.list }
  var line: Int { push.line }
  var registered: Int64? { push.chunk.registered(at: push.index) }

  func withToken<Answer>(_ body: (UnsafeBufferPointer<UInt8>) -> Answer) -> Answer {
    push.chunk.withToken(at: push.index, body)
  }
}

extension PushEntry: RecordedPush {
  func withToken<Answer>(_ body: (UnsafeBufferPointer<UInt8>) -> Answer) -> Answer {
    var token = token
    return token.withUTF8(body)
  }
}

/// The step of a scenario that a push is of, in the last columns of its line.
struct ResultStep: Sendable {
  static let columns = ["scenario", "step"]

  /// The scenario's name, or its file.
  let scenario: String
  /// The step's number among the notifications, from 1.
  let number: Int
}

/// One push in the form of `--results`, `--json` and exports: stable, documented in
/// docs/formats.md. Device tokens are whole.
struct ResultLine<Result: RecordedPush>: Record, Sendable {
  let result: Result
  let apnsID: APNSID
  /// Adds its columns; nil adds none.
  var step: ResultStep?

  static var columns: [String] {
    [
      "sequence", "list", "line", "token", "apnsID", "outcome", "status", "reason", "timestamp",
      "uniqueID", "attempts", "latencyMilliseconds", "answeredAt",
    ]
  }

  func encode(to encoder: inout some ColumnEncoder) {
    let response = result.response
    encoder.encode("sequence", number: Int64(result.sequence))
    encoder.encode("list", text: result.list)
    encoder.encode("line", number: result.line)
    result.withToken { encoder.encode("token", digits: $0) }
    withApnsID { encoder.encode("apnsID", digits: $0) }
    encoder.encode("outcome", text: result.outcome.rawValue)
    encoder.encode("status", number: response?.status.rawValue)
    encoder.encode("reason", text: response?.reason?.rawValue)
    encoder.encode("timestamp", number: response?.timestamp)
    encoder.encode("uniqueID", text: response?.uniqueID)
    encoder.encode("attempts", number: result.attempts)
    encoder.encode("latencyMilliseconds", milliseconds: result.latencyMicroseconds)
    encoder.encode("answeredAt", number: result.answeredAt)
    if let step {
      encoder.encode("scenario", text: step.scenario)
      encoder.encode("step", number: step.number)
    }
  }

  private func withApnsID(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: APNSID.textLength) { text in
      apnsID.write(to: text)
      body(UnsafeBufferPointer(text))
    }
  }
}

/// A push of the history: its run, and its result.
struct HistoryRecord: Record {
  let entry: PushEntry

  static var columns: [String] { ["run"] + ResultLine<PushEntry>.columns }

  func encode(to encoder: inout some ColumnEncoder) {
    encoder.encode("run", number: entry.run.rawValue)
    ResultLine(result: entry, apnsID: entry.apnsID).encode(to: &encoder)
  }
}

extension PushEntry {
  /// The push as a line of JSON.
  var jsonLine: [UInt8] { HistoryRecord(entry: self).jsonLine }
}
