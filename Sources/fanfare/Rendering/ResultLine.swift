internal import APNS
internal import History
internal import JSONText
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

  /// Lends the digits of the device token.
  func withToken<Answer>(_ body: (UnsafeBufferPointer<UInt8>) -> Answer) -> Answer
}

extension PushResult: RecordedPush {
  var sequence: UInt64 { push.sequence }
  var list: String { push.chunk.list }
  var line: Int { push.line }

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

/// The columns of ``ResultLine``, in order.
let resultColumns = [
  "sequence", "list", "line", "token", "apnsID", "outcome", "status", "reason", "timestamp",
  "uniqueID", "attempts", "latencyMilliseconds", "answeredAt",
]

/// One push in the form of `--results`, `--json` and exports: stable, documented in
/// docs/formats.md.
struct ResultLine<Result: RecordedPush>: Sendable {
  let result: Result
  let apnsID: APNSID

  /// Appends the result as a JSON object. Device tokens are whole.
  func write(to json: inout JSONWriter) {
    json.beginObject()
    writeMembers(to: &json)
    json.endObject()
  }

  /// Appends the members of the object.
  func writeMembers(to json: inout JSONWriter) {
    let response = result.response
    json.key("sequence")
    json.integer(result.sequence)
    json.key("list")
    json.string(result.list)
    json.key("line")
    json.integer(result.line)
    json.key("token")
    result.withToken { json.string(plainASCII: $0) }
    json.key("apnsID")
    withApnsID { json.string(plainASCII: $0) }
    json.key("outcome")
    json.string(result.outcome.rawValue)
    json.member("status", response?.status.rawValue)
    json.member("reason", response?.reason?.rawValue)
    json.member("timestamp", response?.timestamp)
    json.member("uniqueID", response?.uniqueID)
    json.key("attempts")
    json.integer(result.attempts)
    json.key("latencyMilliseconds")
    writeLatency(to: &json)
    json.member("answeredAt", result.answeredAt)
  }

  private func writeLatency(to json: inout JSONWriter) {
    if let latency = result.latencyMicroseconds {
      json.double(Double(latency) / 1000)
    } else {
      json.null()
    }
  }

  private func withApnsID(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: APNSID.textLength) { text in
      apnsID.write(to: text)
      body(UnsafeBufferPointer(text))
    }
  }

  /// The result as cells, in the order of the columns.
  var cells: [String] {
    let response = result.response
    let latency = result.latencyMicroseconds.map { fixed(Double($0) / 1000, decimals: 3) }
    return [
      String(result.sequence), result.list, String(result.line),
      result.withToken { String(decoding: $0, as: UTF8.self) }, apnsID.description,
      result.outcome.rawValue, response?.status.description ?? "", response?.reason?.rawValue ?? "",
      response?.timestamp.map(String.init) ?? "", response?.uniqueID ?? "",
      String(result.attempts), latency ?? "", result.answeredAt.map(String.init) ?? "",
    ]
  }
}

extension JSONWriter {
  /// A member that is a number, or null.
  mutating func member(_ key: String, _ value: (some BinaryInteger)?) {
    self.key(key)
    if let value { integer(value) } else { null() }
  }

  /// A member that is text, or null.
  mutating func member(_ key: String, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }

  /// A member that is a number with decimals, or null.
  mutating func member(_ key: String, _ value: Double?) {
    self.key(key)
    if let value { double(value) } else { null() }
  }
}
