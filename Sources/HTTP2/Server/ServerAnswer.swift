/// An answer, including the unusual forms that HTTP/2 allows and clients have to handle.
public struct ServerAnswer: Sendable, Hashable {
  /// The final status.
  public var status: Int

  /// The header fields in order; names may be repeated.
  public var fields: [Field]

  /// The body; if it is empty and there are no trailers, the header block ends the stream.
  public var body: [UInt8]

  /// The statuses of the interim responses before the final one, from 100 to 199.
  public var interim: [Int]

  /// The fields after the body.
  public var trailers: [Field]

  /// The maximum number of body bytes in one DATA frame; nil fills the frames.
  public var frameLimit: Int?

  /// The number of body bytes after which the answer pauses until more are released; nil for none.
  public var heldBackAfter: Int?

  /// The code of an RST_STREAM after the whole answer; nil sends none.
  public var resetCode: UInt32?

  /// Creates an answer.
  public init(
    status: Int, fields: [Field] = [], body: [UInt8] = [], interim: [Int] = [],
    trailers: [Field] = [], frameLimit: Int? = nil, heldBackAfter: Int? = nil,
    resetCode: UInt32? = nil
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.interim = interim
    self.trailers = trailers
    self.frameLimit = frameLimit
    self.heldBackAfter = heldBackAfter
    self.resetCode = resetCode
  }
}
