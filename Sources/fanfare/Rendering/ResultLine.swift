internal import APNS
internal import JSONText
internal import PushCore

/// One push in the form of `--results`, `--json` and, later, of exports: stable, documented in
/// docs/formats.md.
struct ResultLine {
  /// The columns, in order.
  static let columns = [
    "sequence", "list", "line", "token", "apnsID", "outcome", "status", "reason", "timestamp",
    "uniqueID", "attempts", "latencyMilliseconds", "answeredAt",
  ]

  let result: PushResult
  let apnsID: APNSID

  /// Appends the result as a JSON object. Device tokens are whole.
  func write(to json: inout JSONWriter) {
    let response = result.response
    json.beginObject()
    json.key("sequence")
    json.integer(result.push.sequence)
    json.key("list")
    json.string(result.push.chunk.list)
    json.key("line")
    json.integer(result.push.line)
    json.key("token")
    result.push.chunk.withToken(at: result.push.index) { json.string(plainASCII: $0) }
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
    json.endObject()
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
      String(result.push.sequence), result.push.chunk.list, String(result.push.line),
      result.push.token, apnsID.description, result.outcome.rawValue,
      response?.status.description ?? "", response?.reason?.rawValue ?? "",
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
