/// A request as it arrived, complete unless its body is far too long. Used again after its stream has
/// closed, unless it is still held: a handler that answers later may keep it, and answering a closed
/// stream does nothing.
public final class ServerRequest {
  /// The most bytes of a body that are kept. A client may leave a thousand requests unfinished.
  public static let bodyLimit = 8192

  /// A longer body is not waited for.
  static let patience = 65_536

  /// The stream it came on.
  public internal(set) var streamID: Int32 = 0

  /// Pseudo headers and headers in the order they came, repeated ones included; no trailers.
  public internal(set) var headers = HeaderBlock(limit: ServerSession.headerListLimit)

  /// The body, at most `bodyLimit` bytes.
  public internal(set) var body: [UInt8] = []

  /// How many bytes of the body have arrived.
  public internal(set) var bodyCount = 0

  /// Whether that is all of the body; false for one that is far too long.
  public internal(set) var isWhole = false

  var openIndex = 0
  var isHandedOver = false
  /// Whether the client has reset its stream.
  var isGivenUp = false
  let answer = OutgoingBody()
  /// The code of the RST_STREAM that follows the answer; nil when none does.
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
