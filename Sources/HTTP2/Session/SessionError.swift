internal import CNGHTTP2

/// Why a session ended by its own judgement: the peer broke the protocol, or memory ran out.
public struct SessionError: Error, Sendable, Hashable {
  /// nghttp2's code, for example -505.
  public var code: Int32

  /// nghttp2's name of the fault, in English.
  public var name: String

  init(_ code: Int) {
    self.code = Int32(clamping: code)
    name = String(cString: nghttp2_strerror(self.code))
  }

  /// The error code that says so in a GOAWAY frame (RFC 9113 section 7).
  var codeForPeer: UInt32 {
    switch nghttp2_error(code) {
    case NGHTTP2_ERR_FLOODED, NGHTTP2_ERR_TOO_MANY_CONTINUATIONS:
      NGHTTP2_ENHANCE_YOUR_CALM.rawValue
    case NGHTTP2_ERR_BAD_CLIENT_MAGIC, NGHTTP2_ERR_PROTO: NGHTTP2_PROTOCOL_ERROR.rawValue
    case NGHTTP2_ERR_STREAM_CLOSED: NGHTTP2_STREAM_CLOSED.rawValue
    default: NGHTTP2_INTERNAL_ERROR.rawValue
    }
  }
}
