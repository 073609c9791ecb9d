internal import CNGHTTP2

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
