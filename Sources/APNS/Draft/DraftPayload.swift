public import JSONText

/// A payload as written, with the bytes to send.
public struct DraftPayload: Sendable, Hashable {
  /// The payload's value with its positions, or the error if it is not JSON.
  public let reading: Result<JSON, JSONSyntaxError>
  /// The exact bytes to send; size limits apply to these.
  public let bytes: [UInt8]
  /// The name of the source file; nil if the payload came from options or the network.
  public let file: String?

  /// Creates a payload from a value and the text to send.
  public init(_ json: JSON, bytes: [UInt8], file: String? = nil) {
    self.init(.success(json), bytes: bytes, file: file)
  }

  /// Creates a payload to be sent as exactly these bytes. Text that is not JSON is accepted too: a
  /// rule reports it.
  public init(reading bytes: [UInt8], file: String? = nil) {
    let reading = Result { () throws(JSONSyntaxError) in try JSONReader().read(bytes) }
    self.init(reading, bytes: bytes, file: file)
  }

  private init(_ reading: Result<JSON, JSONSyntaxError>, bytes: [UInt8], file: String?) {
    self.reading = reading
    self.bytes = bytes
    self.file = file
  }

  /// The payload's value; nil if it is not JSON.
  public var json: JSON? { try? reading.get() }

  /// Apple's part of the payload, of whatever type; nil when absent.
  public var aps: JSON? { json?["aps"] }
}
