/// An answer with the oddities that HTTP/2 allows and a client has to bear.
public struct ServerAnswer: Sendable, Hashable {
  /// The final status.
  public var status: Int

  /// The header fields, in their order; names may come twice.
  public var fields: [Field]

  /// The body; when it is empty and there are no trailers the header block ends the stream.
  public var body: [UInt8]

  /// The statuses of the interim answers before the final one, from 100 to 199.
  public var interim: [Int]

  /// The fields after the body.
  public var trailers: [Field]

  /// The most bytes of the body in one DATA frame; nil fills the frames.
  public var frameLimit: Int?

  /// After so many bytes of the body the answer stops, until more are released; nil does not stop.
  public var heldBackAfter: Int?

  /// The code of an RST_STREAM that follows the whole answer; nil sends none.
  public var resetCode: UInt32?

  /// An answer.
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
