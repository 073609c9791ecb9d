/// A frame as it stands on the wire (RFC 9113 section 4.1), for what no well-behaved session sends.
public struct RawFrame: Sendable, Hashable {
  /// What kind of frame it is; any byte may stand there.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    public static let data = Kind(rawValue: 0)
    public static let headers = Kind(rawValue: 1)
    public static let priority = Kind(rawValue: 2)
    public static let resetStream = Kind(rawValue: 3)
    public static let settings = Kind(rawValue: 4)
    public static let pushPromise = Kind(rawValue: 5)
    public static let ping = Kind(rawValue: 6)
    public static let goAway = Kind(rawValue: 7)
    public static let windowUpdate = Kind(rawValue: 8)
    public static let continuation = Kind(rawValue: 9)

    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  public static let endStream: UInt8 = 0x1
  public static let acknowledgement: UInt8 = 0x1
  public static let endHeaders: UInt8 = 0x4
  public static let padded: UInt8 = 0x8
  public static let prioritized: UInt8 = 0x20

  /// What a client says before its first frame (RFC 9113 section 3.4).
  public static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  public var kind: Kind
  public var flags: UInt8
  public var stream: UInt32
  public var payload: [UInt8]

  public init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) {
    (self.kind, self.flags, self.stream, self.payload) = (kind, flags, stream, payload)
  }

  public var bytes: [UInt8] {
    let count = UInt32(payload.count)
    return Array(count.bigEndianBytes.dropFirst()) + [kind.rawValue, flags]
      + stream.bigEndianBytes + payload
  }

  /// The whole frames in a peer's bytes; a client's preface is passed over.
  public static func frames(in bytes: [UInt8]) -> [RawFrame] {
    var rest = bytes.starts(with: preface) ? bytes.dropFirst(preface.count) : bytes[...]
    return takeFrames(from: &rest)
  }

  /// Takes the whole frames away from the start of bytes.
  public static func takeFrames(from rest: inout ArraySlice<UInt8>) -> [RawFrame] {
    var found: [RawFrame] = []
    while rest.count >= 9 {
      let header = Array(rest.prefix(9))
      let count = header[0..<3].reduce(0) { $0 << 8 | Int($1) }
      guard rest.count >= 9 + count else { break }
      let stream = header[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let payload = Array(rest.dropFirst(9).prefix(count))
      found.append(
        RawFrame(Kind(rawValue: header[3]), flags: header[4], stream: stream, payload: payload))
      rest = rest.dropFirst(9 + count)
    }
    return found
  }
}

// What a scripted peer says.
extension RawFrame {
  public static func settings(_ rows: (UInt16, UInt32)...) -> RawFrame {
    RawFrame(.settings, payload: rows.flatMap { $0.0.bigEndianBytes + $0.1.bigEndianBytes })
  }

  public static let settingsAcknowledged = RawFrame(.settings, flags: acknowledgement)

  /// A header block of plain literals (RFC 7541 section 6.2.2).
  public static func headers(
    _ stream: UInt32, _ fields: KeyValuePairs<String, String>, flags: UInt8 = endHeaders
  ) -> RawFrame {
    let block = fields.flatMap { HPACK.literal($0, $1) }
    return RawFrame(.headers, flags: flags, stream: stream, payload: block)
  }

  /// The whole answer in one header block, as APNs accepts a push.
  public static func answer(_ stream: UInt32, status: Int) -> RawFrame {
    headers(stream, [":status": "\(status)"], flags: endHeaders | endStream)
  }

  public static func data(_ stream: UInt32, _ text: String, flags: UInt8 = 0) -> RawFrame {
    RawFrame(.data, flags: flags, stream: stream, payload: Array(text.utf8))
  }

  public static func reset(_ stream: UInt32, _ code: UInt32) -> RawFrame {
    RawFrame(.resetStream, stream: stream, payload: code.bigEndianBytes)
  }

  public static func ping(_ number: UInt64 = 0, flags: UInt8 = 0) -> RawFrame {
    RawFrame(.ping, flags: flags, payload: number.bigEndianBytes)
  }

  public static func windowUpdate(_ stream: UInt32, _ increment: UInt32) -> RawFrame {
    RawFrame(.windowUpdate, stream: stream, payload: increment.bigEndianBytes)
  }

  public static func continuation(
    _ stream: UInt32, _ block: [UInt8], flags: UInt8 = 0
  ) -> RawFrame {
    RawFrame(.continuation, flags: flags, stream: stream, payload: block)
  }

  public static func goAway(
    lastStream: UInt32, code: UInt32 = 0, debug: String = ""
  ) -> RawFrame {
    RawFrame(
      .goAway, payload: lastStream.bigEndianBytes + code.bigEndianBytes + Array(debug.utf8))
  }
}

// What a peer has said.
extension RawFrame {
  /// The code of RST_STREAM or GOAWAY; nil in any other frame.
  public var errorCode: UInt32? {
    switch kind {
    case .resetStream: payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    case .goAway: payload.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    default: nil
    }
  }
}

/// Header fields as HPACK writes them (RFC 7541), without Huffman codes.
public enum HPACK {
  /// A field that stays out of the table (section 6.2.2).
  public static func literal(_ name: String, _ value: String) -> [UInt8] {
    [0] + text(name) + text(value)
  }

  /// A field that goes into the table (section 6.2.1), where it has the index 62.
  public static func indexed(_ name: String, _ value: String) -> [UInt8] {
    [0x40] + text(name) + text(value)
  }

  /// The size of the dynamic table (section 6.3).
  public static func tableSize(_ size: Int) -> [UInt8] { integer(size, prefix: 5, first: 0x20) }

  private static func text(_ text: String) -> [UInt8] {
    integer(text.utf8.count, prefix: 7, first: 0) + Array(text.utf8)
  }

  private static func integer(_ number: Int, prefix bits: Int, first: UInt8) -> [UInt8] {
    let most = 1 << bits - 1
    if number < most { return [first | UInt8(number)] }
    var (bytes, rest) = ([first | UInt8(most)], number - most)
    while rest >= 128 {
      bytes.append(UInt8(rest % 128) | 0x80)
      rest /= 128
    }
    return bytes + [UInt8(rest)]
  }
}

/// Error codes of RFC 9113 section 7.
public enum ErrorCode {
  public static let noError: UInt32 = 0
  public static let protocolError: UInt32 = 1
  public static let internalError: UInt32 = 2
  public static let flowControl: UInt32 = 3
  public static let streamClosed: UInt32 = 5
  public static let frameSize: UInt32 = 6
  public static let refusedStream: UInt32 = 7
  public static let cancel: UInt32 = 8
  public static let compression: UInt32 = 9
  public static let enhanceYourCalm: UInt32 = 11
}

/// Setting numbers of RFC 9113 section 6.5.2.
public enum Setting {
  public static let headerTableSize: UInt16 = 1
  public static let enablePush: UInt16 = 2
  public static let maxConcurrentStreams: UInt16 = 3
  public static let initialWindowSize: UInt16 = 4
  public static let maxFrameSize: UInt16 = 5
  public static let maxHeaderListSize: UInt16 = 6
}

extension FixedWidthInteger {
  public var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
