internal import CNGHTTP2

/// A received request, complete unless its body is far too long. It is reused after its stream has
/// closed, unless it is still referenced: a handler may keep it to answer later, and answering a
/// closed stream has no effect.
public final class ServerRequest {
  /// The number of body bytes to keep. A client may leave a thousand requests unfinished.
  public static let bodyLimit = 8192

  /// The body size beyond which the session no longer waits for the end.
  static let patience = 65_536

  /// The stream of the request.
  public internal(set) var streamID: Int32 = 0

  /// The pseudo headers and headers in order, including repeated ones; no trailers.
  public internal(set) var headers = HeaderBlock(limit: ServerSession.headerListLimit)

  /// The body, at most `bodyLimit` bytes.
  public internal(set) var body: [UInt8] = []

  /// The number of body bytes received.
  public internal(set) var bodyCount = 0

  /// True once the whole body has arrived; false for a body that is far too long.
  public internal(set) var isWhole = false

  var openIndex = 0
  var isHandedOver = false
  /// True if the client has reset the stream.
  var isGivenUp = false
  let answer = OutgoingBody()
  /// The code of the RST_STREAM that follows the answer; nil for none.
  var resetCode: UInt32?

  init() {}

  func reset(stream: Int32) {
    streamID = stream
    headers.removeAll()
    body.removeAll(keepingCapacity: true)
    bodyCount = 0
    isWhole = false
    isHandedOver = false
    isGivenUp = false
    answer.load([])
    resetCode = nil
  }

  func receiveBody(_ bytes: UnsafeBufferPointer<UInt8>) {
    bodyCount += bytes.count
    body.append(contentsOf: bytes.prefix(max(0, Self.bodyLimit - body.count)))
  }
}

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

/// A request that HTTP/2 itself refused: its stream was reset, or its connection ended.
public struct StreamRefusal: Sendable {
  /// The reason for the refusal.
  public enum Cause: Sendable, Hashable {
    /// Too many streams were open. A client that has not yet seen the limit gets REFUSED_STREAM,
    /// otherwise PROTOCOL_ERROR.
    case tooManyStreams
    /// The fields are far too long.
    case headersTooLong
    /// The request is malformed (RFC 9113 section 8.1.1), with nghttp2's description if it has one.
    case malformed(String?)
  }

  /// The maximum number of refusals kept until they are taken; further ones are dropped.
  static let memory = 1024

  /// The stream.
  public let stream: Int32
  /// The reason for the refusal.
  public let cause: Cause
  /// The fields that had arrived; nil if they were not read.
  public let headers: HeaderBlock?
}

extension StreamRefusal.Cause {
  /// - Parameters:
  ///   - code: nghttp2's error for a HEADERS frame.
  ///   - isFull: true if the limit on open streams is reached.
  init(_ code: Int32, isFull: Bool) {
    switch nghttp2_error(code) {
    case NGHTTP2_ERR_REFUSED_STREAM: self = .tooManyStreams
    case NGHTTP2_ERR_PROTO where isFull: self = .tooManyStreams
    default: self = .malformed(String(cString: nghttp2_strerror(code)))
    }
  }
}
