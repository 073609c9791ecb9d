internal import CNGHTTP2

/// A request that HTTP/2 itself refused: its stream was reset, or its connection ended.
public struct StreamRefusal: Sendable {
  /// Why it was refused.
  public enum Cause: Sendable, Hashable {
    /// More streams were open than may be. A client that has not read the limit yet is told
    /// REFUSED_STREAM, one that has PROTOCOL_ERROR.
    case tooManyStreams
    /// The fields are far longer than may be.
    case headersTooLong
    /// The request is malformed (RFC 9113 section 8.1.1); nghttp2's word for how, where it has one.
    case malformed(String?)
  }

  /// Further refusals are not told, until these are taken.
  static let memory = 1024

  /// Its stream.
  public let stream: Int32
  /// Why it was refused.
  public let cause: Cause
  /// The fields that had arrived; nil when they were not looked at.
  public let headers: HeaderBlock?
}

extension StreamRefusal.Cause {
  /// - Parameters:
  ///   - code: what nghttp2 found wrong with a HEADERS frame.
  ///   - isFull: whether as many streams are open as may be.
  init(_ code: Int32, isFull: Bool) {
    switch nghttp2_error(code) {
    case NGHTTP2_ERR_REFUSED_STREAM: self = .tooManyStreams
    case NGHTTP2_ERR_PROTO where isFull: self = .tooManyStreams
    default: self = .malformed(String(cString: nghttp2_strerror(code)))
    }
  }
}
