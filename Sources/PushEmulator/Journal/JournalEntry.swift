public import APNS
internal import JSONText

/// One request, and what the emulator did with it.
public struct JournalEntry: Sendable, Hashable {
  /// The connection's number; the emulator's first one is 1.
  public var connection: Int
  /// The HTTP/2 stream.
  public var stream: Int32
  /// The device token as it stood in the path; nil when the path has none.
  public var token: String?
  /// The push's `apns-id`: the client's own, or the one that the emulator made. An answer may say
  /// otherwise when it is told to.
  public var apnsID: String?
  /// The HTTP status; nil when there was no answer.
  public var status: Int?
  /// The reason; nil for an accepted push, or when there was no answer.
  public var reason: Reason?
  /// Whether the push was taken for delivery. Unless the emulator was told otherwise, exactly when
  /// it was answered with 200.
  public var processed: Bool
  /// What a person should know besides; nil when there is nothing.
  public var note: String?
  /// The common name of the certificate with which the client authenticated, empty when the certificate
  /// has none; nil when the client showed no certificate.
  public var certificate: String?

  /// An entry; unless said otherwise, of a push that was processed exactly if the status is 200.
  public init(
    connection: Int, stream: Int32, token: String? = nil, apnsID: String? = nil,
    status: Int? = nil, reason: Reason? = nil, processed: Bool? = nil, note: String? = nil,
    certificate: String? = nil
  ) {
    self.connection = connection
    self.stream = stream
    self.token = token
    self.apnsID = apnsID
    self.status = status
    self.reason = reason
    self.processed = processed ?? (status == 200)
    self.note = note
    self.certificate = certificate
  }

  /// Writes the entry as one JSON line.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("connection") { $0.integer(connection) }
    writer.member("stream") { $0.integer(stream) }
    writer.member("token") { $0.text(token) }
    writer.member("apnsID") { $0.text(apnsID) }
    writer.member("status") { if let status { $0.integer(status) } else { $0.null() } }
    writer.member("reason") { $0.text(reason?.rawValue) }
    writer.member("processed") { $0.bool(processed) }
    if let certificate { writer.member("certificate") { $0.string(certificate) } }
    if let note { writer.member("note") { $0.string(note) } }
    writer.endObject()
    writer.endLine()
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
