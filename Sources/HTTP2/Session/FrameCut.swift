internal import CNGHTTP2

/// Where sending stops: so many bytes into the frames of a stream, or at the stream's end.
struct FrameCut {
  let stream: Int32
  var bytes: Int
  private(set) var isReached = false

  init(stream: Int32, bytes: Int) {
    self.stream = stream
    self.bytes = max(0, bytes)
    isReached = false
  }

  /// How many bytes of a frame still go out.
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

  /// DATA and HEADERS alone have the flag (RFC 9113 section 6).
  private static func endsStream(_ frame: UnsafeBufferPointer<UInt8>) -> Bool {
    let kind = UInt32(frame[3])
    return (kind == NGHTTP2_DATA.rawValue || kind == NGHTTP2_HEADERS.rawValue)
      && UInt32(frame[4]) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
  }
}
