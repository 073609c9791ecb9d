internal import CNGHTTP2

/// The header of a frame (RFC 9113 section 4.1).
struct FrameHeader {
  static let size = 9

  let length: Int
  let kind: nghttp2_frame_type
  let endsStream: Bool
  let stream: Int32

  /// - Parameter bytes: at least nine bytes.
  init(_ bytes: UnsafeRawBufferPointer) {
    length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
    kind = nghttp2_frame_type(UInt32(bytes[3]))
    endsStream = UInt32(bytes[4]) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
    stream = Int32(bitPattern: bytes[5..<9].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF)
  }
}

/// Finds the client's faults that nghttp2 misses because it forgets closed streams and skips what
/// it does not need: frames on streams that the client itself ended or skipped (RFC 9113 sections
/// 5.1 and 5.1.1), and endless header blocks.
///
/// The server's own actions do not count: frames may still arrive for a stream it has reset.
struct ClientStreams {
  /// The maximum size of a header block in bytes, far above the limit on a request's fields.
  static let blockLimit = 262_144

  /// The number of streams remembered that the client has not ended, and of ranges that it skipped.
  /// The oldest are forgotten, because streams that the server has reset may never end.
  private static let memory = 4096

  private var newest: Int32 = 0
  private var unended: [Int32] = []
  private var passedOver: [ClosedRange<Int32>] = []
  private var blockLength = 0

  /// The fault in the client's next frame; nil if there is none that nghttp2 would miss.
  mutating func fault(of frame: FrameHeader) -> nghttp2_error? {
    blockLength = frame.kind == NGHTTP2_CONTINUATION ? blockLength + frame.length : 0
    if blockLength > Self.blockLimit { return NGHTTP2_ERR_FLOODED }
    guard frame.stream % 2 == 1 else { return nil }
    switch frame.kind {
    case NGHTTP2_HEADERS: return headers(frame)
    case NGHTTP2_DATA where frame.stream <= newest: return part(of: frame)
    case NGHTTP2_RST_STREAM: end(frame.stream)
    default: break
    }
    return nil
  }

  private mutating func headers(_ frame: FrameHeader) -> nghttp2_error? {
    if frame.stream > newest {
      begin(frame)
      return nil
    }
    // HEADERS on a stream that has begun are trailers.
    let isNew = passedOver.contains { $0.contains(frame.stream) }
    return isNew ? NGHTTP2_ERR_PROTO : part(of: frame)
  }

  private mutating func begin(_ frame: FrameHeader) {
    if frame.stream - newest > 2 {
      passedOver.append(newest + 1...frame.stream - 1)
      if passedOver.count > Self.memory { passedOver.removeFirst(Self.memory / 2) }
    }
    newest = frame.stream
    if frame.endsStream { return }
    unended.append(frame.stream)
    if unended.count > Self.memory { unended.removeFirst(Self.memory / 2) }
  }

  private mutating func part(of frame: FrameHeader) -> nghttp2_error? {
    guard let place = unended.lastIndex(of: frame.stream) else { return NGHTTP2_ERR_STREAM_CLOSED }
    if frame.endsStream { unended.remove(at: place) }
    return nil
  }

  private mutating func end(_ stream: Int32) {
    if let place = unended.lastIndex(of: stream) { unended.remove(at: place) }
  }
}

/// Finds the frames in a client's bytes, however they are split.
struct ClientFrames {
  /// A frame that the client may not send.
  struct Fault {
    /// The number of bytes before it.
    let offset: Int
    let error: nghttp2_error
  }

  /// The number of bytes before the next frame: at first the preface (section 3.4).
  private var toSkip = 24
  /// The beginning of a frame header that has not fully arrived.
  private var start: [UInt8] = []
  private var streams = ClientStreams()

  /// Scans the next received bytes.
  ///
  /// - Parameter began: called with each frame that begins.
  /// - Returns: the first fault; anything after it is not scanned.
  mutating func read(_ bytes: UnsafeRawBufferPointer, began: (FrameHeader) -> Void) -> Fault? {
    var index = 0
    while true {
      let skipped = min(toSkip, bytes.count - index)
      (index, toSkip) = (index + skipped, toSkip - skipped)
      guard let frame = header(bytes, &index) else { return nil }
      toSkip = frame.length
      began(frame)
      if let error = streams.fault(of: frame) {
        return Fault(offset: max(0, index - FrameHeader.size), error: error)
      }
    }
  }

  /// The frame header at an index; nil if it has not fully arrived.
  private mutating func header(
    _ bytes: UnsafeRawBufferPointer, _ index: inout Int
  ) -> FrameHeader? {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
    if start.isEmpty, rest.count >= FrameHeader.size {
      index += FrameHeader.size
      return FrameHeader(rest)
    }
    let more = rest.prefix(FrameHeader.size - start.count)
    start += more
    index += more.count
    guard start.count == FrameHeader.size else { return nil }
    defer { start.removeAll(keepingCapacity: true) }
    return start.withUnsafeBytes { FrameHeader($0) }
  }
}
