internal import APNS
public import JSONText

extension ReceivedPush {
  /// Writes the push as one JSON object, for the journal and the inbox.
  public func write(to json: inout JSONWriter) {
    let draft = request.draft
    json.beginObject()
    writeArrival(to: &json)
    writeRequest(draft, to: &json)
    writeAnswer(to: &json)
    if !isRefusedByHTTP2 { writeJudgement(of: draft, to: &json) }
    json.endObject()
  }

  private func writeArrival(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("time", ISO8601.text(milliseconds: Int64(time * 1000)))
    json.member("connection", connection)
    json.member("stream", Int(stream))
    json.optional("method", request.method)
    json.optional("path", path)
    json.member("request", request.kind.rawValue)
    json.member("token", token)
    json.member("channel", channel)
    json.optional("bundleID", request.bundleID)
    json.member("apnsID", apnsID)
    json.member("requestID", requestID)
  }

  private func writeRequest(_ draft: Draft, to json: inout JSONWriter) {
    json.key("headers")
    json.beginObject()
    if let authorization = request.authorization {
      json.member("authorization", authorization.text)
    }
    writeFields(request.fields, to: &json)
    json.endObject()
    writePayload(draft.payload, to: &json)
    json.member("payloadSize", request.bodyCount)
    json.optional("certificate", certificate)
  }

  /// Writes headers. A JSON member cannot be repeated, so a repeated header becomes an array.
  private func writeFields(_ fields: [DraftField], to json: inout JSONWriter) {
    for (index, field) in fields.enumerated()
    where !fields[..<index].contains(where: { $0.name == field.name }) {
      let others = fields[(index + 1)...].filter { $0.name == field.name }
      if others.isEmpty {
        json.member(field.name, field.value)
      } else {
        json.member(field.name, JSON(.array(([field] + others).map { JSON(.string($0.value)) })))
      }
    }
  }

  private func writePayload(_ payload: DraftPayload?, to json: inout JSONWriter) {
    guard let payload else { return }
    if let value = payload.json {
      json.member("payload", value)
    } else if let text = String(validating: payload.bytes, as: UTF8.self) {
      json.member("payloadText", text)
    } else {
      json.member("payloadHex", payload.bytes.map(twoDigits).joined())
    }
  }

  private func writeAnswer(to json: inout JSONWriter) {
    json.member("status", status)
    json.member("reason", reason?.rawValue)
    json.optional("timestamp", timestamp)
    json.optional("uniqueID", uniqueID)
    json.member("processed", processed)
    json.optional("refusedBy", isRefusedByHTTP2 ? "HTTP/2" : nil)
    json.optional("note", note)
    json.optional("cause", explanation?.cause)
    json.optional("fix", explanation?.fix)
  }

  private func writeJudgement(of draft: Draft, to json: inout JSONWriter) {
    // A request to manage channels is not a push: no rules apply to it, and no device shows it.
    let isPush = request.kind != .channel
    json.optional("pushType", isPush ? draft.typeText : nil)
    json.optional("topic", draft.topic)
    json.member("environment", request.environment.rawValue)
    if !isPush { return }
    json.key("findings")
    json.beginArray()
    for problem in findings(in: draft) { json.finding(problem) }
    json.endArray()
    json.key("card")
    json.card(PushCard(draft), isShown: processed)
  }
}

private func twoDigits(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}

extension JSONWriter {
  fileprivate mutating func member(_ key: String, _ text: String?) {
    self.key(key)
    if let text { string(text) } else { null() }
  }

  fileprivate mutating func member(_ key: String, _ number: Int?) {
    self.key(key)
    if let number { integer(number) } else { null() }
  }

  fileprivate mutating func member(_ key: String, _ truth: Bool) {
    self.key(key)
    bool(truth)
  }

  fileprivate mutating func optional(_ key: String, _ text: String?) {
    if let text { member(key, text) }
  }

  fileprivate mutating func optional(_ key: String, _ number: (some BinaryInteger)?) {
    if let number { member(key, Int(number)) }
  }

  fileprivate mutating func member(_ key: String, _ value: JSON) {
    self.key(key)
    self.value(value)
  }

  fileprivate mutating func optional(_ key: String, _ value: JSON?) {
    if let value { member(key, value) }
  }

  fileprivate mutating func finding(_ problem: Problem) {
    beginObject()
    member("severity", problem.severity.rawValue)
    member("rule", problem.rule)
    member("path", problem.place.description)
    member("message", problem.message)
    member("fix", problem.fix)
    endObject()
  }

  fileprivate mutating func card(_ card: PushCard, isShown: Bool) {
    beginObject()
    member("kind", card.kind.rawValue)
    member("shown", isShown && card.kind.isVisible)
    for (key, text) in [
      ("app", card.app), ("title", card.alert?.title), ("subtitle", card.alert?.subtitle),
      ("body", card.alert?.body),
      ("sound", card.soundName), ("threadID", card.threadID), ("collapseID", card.collapseID),
      ("category", card.category), ("interruptionLevel", card.interruptionLevel),
      ("event", card.event), ("why", card.why),
    ] { optional(key, text) }
    optional("badge", card.badge.map { JSON(.number($0)) })
    optional("state", card.state)
    optional("staleDate", card.staleDate.map { JSON(.number($0)) })
    endObject()
  }
}
