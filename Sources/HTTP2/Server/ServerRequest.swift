/// A request as it arrived, complete. Used again after its stream has closed, unless it is still
/// held: whoever answers later may keep it, and answering a closed stream does nothing.
public final class ServerRequest {
  /// The most bytes of a body that are kept. A client may leave a thousand requests unfinished.
  public static let bodyLimit = 8192

  /// The stream it came on.
  public internal(set) var streamID: Int32 = 0

  /// Pseudo headers and headers in the order they came, repeated ones included; no trailers.
  public internal(set) var headers = HeaderBlock()

  /// The body, at most `bodyLimit` bytes.
  public internal(set) var body: [UInt8] = []

  /// How many bytes the body had on the wire.
  public internal(set) var bodyCount = 0

  var openIndex = 0
  let answer = OutgoingBody()
  /// The code of the RST_STREAM that follows the answer; nil when none does.
  var resetCode: UInt32?

  init() {}

  func reset(stream: Int32) {
    streamID = stream
    headers.removeAll()
    body.removeAll(keepingCapacity: true)
    bodyCount = 0
    answer.load([])
    resetCode = nil
  }

  func receiveBody(_ bytes: UnsafeBufferPointer<UInt8>) {
    bodyCount += bytes.count
    body.append(contentsOf: bytes.prefix(max(0, Self.bodyLimit - body.count)))
  }
}
