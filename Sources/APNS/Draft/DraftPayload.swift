public import JSONText

/// A payload as written, and the bytes that would be sent.
public struct DraftPayload: Sendable, Hashable {
  /// The payload's value with the places of its parts, or why it is not JSON.
  public let reading: Result<JSON, JSONSyntaxError>
  /// The bytes exactly as they would be sent; limits count these.
  public let bytes: [UInt8]
  /// The name of the file it was read from; nil when it came from options or the network.
  public let file: String?

  /// A payload that was read or made, and its text as it will be sent.
  public init(_ json: JSON, bytes: [UInt8], file: String? = nil) {
    self.init(.success(json), bytes: bytes, file: file)
  }

  /// A payload to be sent as exactly these bytes. Text that is not JSON makes a draft
  /// too: a rule reports it.
  public init(reading bytes: [UInt8], file: String? = nil) {
    let reading = Result { () throws(JSONSyntaxError) in try JSONReader().read(bytes) }
    self.init(reading, bytes: bytes, file: file)
  }

  private init(_ reading: Result<JSON, JSONSyntaxError>, bytes: [UInt8], file: String?) {
    self.reading = reading
    self.bytes = bytes
    self.file = file
  }

  /// The payload's value; nil when it is not JSON.
  public var json: JSON? { try? reading.get() }

  /// Apple's part of the payload, whatever its kind; nil when absent.
  public var aps: JSON? { json?["aps"] }
}
