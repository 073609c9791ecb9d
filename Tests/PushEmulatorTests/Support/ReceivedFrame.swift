/// A frame as it arrived (RFC 9113 section 4.1).
struct ReceivedFrame: Equatable {
  enum Kind: UInt8 {
    case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate
  }

  var kind: Kind?
  var flags: UInt8
  var stream: Int
  var payload: [UInt8]

  var endsStream: Bool { flags & 0x1 != 0 }
  var isPadded: Bool { flags & 0x8 != 0 }

  /// The frames in a stretch of bytes; the last one may be cut off.
  static func all(in bytes: [UInt8]) -> [ReceivedFrame] {
    var frames: [ReceivedFrame] = []
    var rest = bytes[...]
    while rest.count >= 9 {
      let head = Array(rest.prefix(9))
      let length = number(head[0..<3])
      rest = rest.dropFirst(9)
      frames.append(
        ReceivedFrame(
          kind: Kind(rawValue: head[3]), flags: head[4], stream: number(head[5..<9]),
          payload: Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
    return frames
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}

extension [ReceivedFrame] {
  /// The frames of a kind on a stream; nil for any.
  func of(_ kind: ReceivedFrame.Kind, stream: Int? = nil) -> [ReceivedFrame] {
    filter { $0.kind == kind && (stream == nil || $0.stream == stream) }
  }
}

extension TestClient {
  /// How many bytes of a stream's frames arrived, their headers included.
  func bytes(of stream: Int) -> Int {
    frames.filter { $0.stream == stream }.map { 9 + $0.payload.count }.reduce(0, +)
  }
}
