internal import APNS
public import JSONText

extension ReceivedPush {
  /// Writes it as one JSON object: a line of the journal, and what the inbox hands out.
  public func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("id") { $0.integer(id) }
    json.member("connection") { $0.integer(connection) }
    json.member("stream") { $0.integer(stream) }
    json.member("token") { $0.text(token) }
    json.member("apnsID") { $0.text(apnsID) }
    json.member("status") { if let status { $0.integer(status) } else { $0.null() } }
    json.member("reason") { $0.text(reason?.rawValue) }
    json.member("processed") { $0.bool(processed) }
    if let certificate { json.member("certificate") { $0.string(certificate) } }
    if let note { json.member("note") { $0.string(note) } }
    json.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ key: String, _ value: (inout JSONWriter) -> Void) {
    self.key(key)
    value(&self)
  }

  fileprivate mutating func text(_ text: String?) {
    if let text { string(text) } else { null() }
  }
}
