internal import CNGHTTP2

/// The point at which sending stops: after a number of bytes of a stream's frames, or at its end.
struct FrameCut {
  let stream: Int32
  var bytes: Int
  private(set) var isReached = false

  init(stream: Int32, bytes: Int) {
    self.stream = stream
    self.bytes = max(0, bytes)
    isReached = false
  }

  /// Consumes a frame and returns the number of its bytes to send.
  mutating func take(_ frame: UnsafeBufferPointer<UInt8>) -> Int {
    guard frame.count >= Self.headerSize, Self.stream(of: frame) == stream else {
      return frame.count
    }
    let count = min(bytes, frame.count)
    bytes -= count
    isReached = bytes == 0 || Self.endsStream(frame)
    return count
  }

  private static let headerSize = 9

  private static func stream(of frame: UnsafeBufferPointer<UInt8>) -> Int32 {
    frame[5..<headerSize].reduce(0) { $0 << 8 | Int32($1) }
  }

  /// True if END_STREAM is set, a flag that only DATA and HEADERS have (RFC 9113 section 6).
  private static func endsStream(_ frame: UnsafeBufferPointer<UInt8>) -> Bool {
    let kind = UInt32(frame[3])
    return (kind == NGHTTP2_DATA.rawValue || kind == NGHTTP2_HEADERS.rawValue)
      && UInt32(frame[4]) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
  }
}
