internal import APNS
internal import History
internal import JSONText
internal import PushModel

/// A run of the history as a JSON object: stable, documented in docs/formats.md.
struct RunJSON {
  let entry: RunEntry

  /// The object as a line.
  var line: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    writeMembers(to: &json)
    json.endObject()
    json.endLine()
    return json.bytes
  }

  /// Appends the members of the object.
  func writeMembers(to json: inout JSONWriter) {
    let record = entry.record
    json.member("run", entry.run.rawValue)
    json.member("began", record.started)
    json.member("ended", entry.ended)
    json.member("state", entry.state?.rawValue)
    json.member("passes", entry.resumptions + 1)
    json.member("kind", record.kind.rawValue)
    json.member("scenario", record.scenario)
    json.member("step", record.step)
    json.member("environment", record.environment)
    json.member("server", record.server)
    json.member("pushType", record.pushType)
    json.member("topic", record.topic)
    json.member("version", record.version)
    writeCounts(to: &json)
  }

  private func writeCounts(to json: inout JSONWriter) {
    let counts = entry.recipients
    json.member("lines", counts.lines)
    json.member("total", entry.tally.total)
    for outcome in Outcome.allCases { json.member(outcome.rawValue, entry.tally[outcome]) }
    json.member("badLines", counts.badLines)
    json.member("duplicates", counts.duplicates)
    json.member("suppressed", counts.suppressed)
    json.member("otherShards", counts.otherShards)
  }
}

/// A push of the history as a JSON object: a line of `--results` with its run before it.
struct PushEntryJSON {
  let entry: PushEntry

  /// The object as a line.
  var line: [UInt8] {
    var json = JSONWriter()
    HistoryRecord(entry: entry).write(to: &json)
    json.endLine()
    return json.bytes
  }
}

/// A run of the history with what was sent.
struct StoredRunJSON {
  let stored: StoredRun
  /// The runs that have sent pushes of it again, the oldest first.
  let resentBy: [RunNumber]

  /// The object as a line.
  var line: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    RunJSON(entry: stored.entry).writeMembers(to: &json)
    json.member("resends", stored.entry.record.resends?.rawValue)
    json.key("resentBy")
    json.beginArray()
    for run in resentBy { json.integer(run.rawValue) }
    json.endArray()
    json.member("isTemplate", stored.isTemplate)
    json.member(headers: stored.fields)
    json.member("payload", bytes: stored.payload)
    json.key("summary")
    if let summary = stored.summary { json.value(summary) } else { json.null() }
    json.endObject()
    json.endLine()
    return json.bytes
  }
}

/// A push of the history with its request.
struct StoredPushJSON {
  let push: PushEntry
  let stored: StoredRun
  let request: StoredRequest

  /// The object as a line.
  var line: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    HistoryRecord(entry: push).encode(to: &json)
    json.key("request")
    if push.wasNeverSent { json.null() } else { writeRequest(to: &json) }
    if push.wasNeverSent { writeSkipped(to: &json) }
    json.endObject()
    json.endLine()
    return json.bytes
  }

  private func writeRequest(to json: inout JSONWriter) {
    json.beginObject()
    json.member("method", "POST")
    json.member("url", stored.url(token: push.token))
    json.member(headers: request.fields)
    writeBody(to: &json)
    json.endObject()
  }

  private func writeSkipped(to json: inout JSONWriter) {
    json.key("skippedFor")
    json.beginArray()
    for line in request.skipped?.lines ?? [] { json.string(line) }
    json.endArray()
  }

  private func writeBody(to json: inout JSONWriter) {
    switch request.body {
    case .payload(let payload): json.member("payload", bytes: payload)
    case .lost(_, let template): json.member("template", bytes: template)
    }
  }
}

extension JSONWriter {
  /// A member that is an object of header fields.
  mutating func member(headers: [(name: String, value: String)]) {
    key("headers")
    beginObject()
    for field in headers { member(field.name, field.value) }
    endObject()
  }

  /// A member that is a JSON text; null when it is none.
  mutating func member(_ key: String, bytes: [UInt8]) {
    self.key(key)
    if let value = try? JSONReader().read(bytes) { self.value(value) } else { null() }
  }

  /// A member that is true or false.
  mutating func member(_ key: String, _ value: Bool) {
    self.key(key)
    bool(value)
  }
}
