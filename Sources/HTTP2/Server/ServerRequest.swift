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
