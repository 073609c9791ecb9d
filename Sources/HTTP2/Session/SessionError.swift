internal import CNGHTTP2

/// The reason a session ended itself: a protocol violation by the peer, or lack of memory.
public struct SessionError: Error, Sendable, Hashable {
  /// nghttp2's code, for example -505; above 0 the code of RFC 9113 section 7 for the peer's
  /// violation.
  public var code: Int32

  /// nghttp2's description of the error, in English.
  public var name: String

  /// True if the peer violated the protocol, as reported in this side's GOAWAY.
  public var isBrokenProtocol: Bool { code > 0 }

  /// True if a client did not begin as HTTP/2 requires (RFC 9113 section 3.4).
  public var isBadGreeting: Bool { nghttp2_error(code) == NGHTTP2_ERR_BAD_CLIENT_MAGIC }

  init(_ code: Int) {
    self.code = Int32(clamping: code)
    name = String(cString: nghttp2_strerror(self.code))
  }

  /// The error reported in this side's GOAWAY; nil for a graceful shutdown.
  init?(saidIn goAway: GoAway) {
    guard goAway.errorCode != 0 else { return nil }
    code = Int32(clamping: goAway.errorCode)
    let word = String(cString: nghttp2_http2_strerror(goAway.errorCode))
    let text = String(decoding: goAway.debugData, as: UTF8.self)
    name = text.isEmpty ? word : "\(text) (\(word))"
  }

  /// The error code for a GOAWAY frame (RFC 9113 section 7).
  var codeForPeer: UInt32 {
    if code == fanfare_too_many_continuations() { return NGHTTP2_ENHANCE_YOUR_CALM.rawValue }
    return switch nghttp2_error(code) {
    case NGHTTP2_ERR_FLOODED: NGHTTP2_ENHANCE_YOUR_CALM.rawValue
    case NGHTTP2_ERR_BAD_CLIENT_MAGIC, NGHTTP2_ERR_PROTO: NGHTTP2_PROTOCOL_ERROR.rawValue
    case NGHTTP2_ERR_STREAM_CLOSED: NGHTTP2_STREAM_CLOSED.rawValue
    default: NGHTTP2_INTERNAL_ERROR.rawValue
    }
  }
}

/// A GOAWAY frame: the peer accepts no new streams on this connection (RFC 9113 section 6.8).
public struct GoAway: Sendable, Hashable {
  /// The highest stream that the peer may have processed. Streams above it were not processed.
  public var lastStream: Int32

  /// The error code; 0 for a graceful shutdown.
  public var errorCode: UInt32

  /// The debug data, of which at most 4,096 bytes are kept. APNs puts a JSON object with a `reason`
  /// here.
  public var debugData: [UInt8]

  /// Creates a GOAWAY frame.
  public init(lastStream: Int32, errorCode: UInt32 = 0, debugData: [UInt8] = []) {
    self.lastStream = lastStream
    self.errorCode = errorCode
    self.debugData = debugData
  }
}
