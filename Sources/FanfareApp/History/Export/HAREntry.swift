internal import APNS
internal import History
internal import JSONText
internal import PushModel

/// An entry of a HAR. Names with an underscore are ours, as its specification (1.2) wants.
struct HAREntry {
  let push: PushEntry
  let stored: StoredRun
  let request: StoredRequest

  /// The entry as a JSON object.
  var bytes: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("startedDateTime", moment(push.at - Int64(latency)))
    json.member("time", latency)
    writeRequest(to: &json)
    writeResponse(to: &json)
    json.object("cache") { _ in }
    json.object("timings") { json in
      json.member("send", 0)
      json.member("wait", latency)
      json.member("receive", 0)
    }
    json.member("comment", comment)
    json.member("_run", push.run.rawValue)
    json.member("_sequence", push.sequence)
    json.member("_outcome", push.outcome.rawValue)
    json.member("_attempts", push.attempts)
    json.endObject()
    return json.bytes
  }

  /// In milliseconds; 0 where no answer came.
  private var latency: Double { Double(push.latencyMicroseconds ?? 0) / 1000 }

  private var comment: String {
    "run \(push.run), push \(push.sequence): \(push.outcome.words)"
      + (push.response == nil ? ", no answer" : "")
  }

  private func writeRequest(to json: inout JSONWriter) {
    json.object("request") { json in
      json.member("method", "POST")
      json.member("url", stored.url(token: push.token))
      json.member("httpVersion", "HTTP/2")
      json.array("cookies")
      json.fields(request.fields)
      json.array("queryString")
      writeBody(to: &json)
      json.member("headersSize", -1)
    }
  }

  private func writeBody(to json: inout JSONWriter) {
    switch request.body {
    case .payload(let payload):
      json.object("postData") { json in
        json.member("mimeType", "application/json")
        json.array("params")
        json.member("text", String(decoding: payload, as: UTF8.self))
      }
      json.member("bodySize", payload.count)
    case .lost(let failure, _):
      json.member("bodySize", -1)
      json.member("comment", "The payload is lost. \(failure.sentence)")
    }
  }

  private func writeResponse(to json: inout JSONWriter) {
    let response = push.response
    let body = response.map(\.body) ?? ""
    json.object("response") { json in
      json.member("status", response?.status.rawValue ?? 0)
      json.member("statusText", "")
      json.member("httpVersion", "HTTP/2")
      json.array("cookies")
      json.fields(response.map { answerFields($0) } ?? [])
      json.object("content") { json in
        json.member("size", body.utf8.count)
        json.member("mimeType", body.isEmpty ? "x-unknown" : "application/json")
        if !body.isEmpty { json.member("text", body) }
      }
      json.member("redirectURL", "")
      json.member("headersSize", -1)
      json.member("bodySize", -1)
    }
  }

  private func answerFields(_ response: Response) -> [(name: String, value: String)] {
    let unique = response.uniqueID.map { [("apns-unique-id", $0)] } ?? []
    return [("apns-id", push.apnsID.description)] + unique
  }
}

extension Response {
  /// The body that says what this tool keeps of it; empty for an answer without a reason.
  fileprivate var body: String {
    guard let reason else { return "" }
    var json = JSONWriter()
    json.beginObject()
    json.member("reason", reason.rawValue)
    if let timestamp { json.member("timestamp", timestamp) }
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

/// A moment in ISO 8601, to the millisecond.
private func moment(_ milliseconds: Int64) -> String {
  let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
  let digits = String(1000 + max(0, rest)).dropFirst()
  return ISO8601.text(seconds: seconds).dropLast() + ".\(digits)Z"
}

extension JSONWriter {
  /// A member that is an object.
  mutating func object(_ key: String, _ body: (inout JSONWriter) -> Void) {
    self.key(key)
    beginObject()
    body(&self)
    endObject()
  }

  /// A member that is an empty array.
  fileprivate mutating func array(_ key: String) {
    self.key(key)
    beginArray()
    endArray()
  }

  /// Header fields as a HAR has them.
  fileprivate mutating func fields(_ fields: [(name: String, value: String)]) {
    key("headers")
    beginArray()
    for field in fields {
      beginObject()
      member("name", field.name)
      member("value", field.value)
      endObject()
    }
    endArray()
  }
}
