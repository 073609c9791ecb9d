/// A frame as it stands on the wire (RFC 9113 section 4.1), for what no well-behaved session sends.
package struct RawFrame: Sendable, Hashable {
  /// What kind of frame it is; any byte may stand there.
  package struct Kind: RawRepresentable, Sendable, Hashable {
    package static let data = Kind(rawValue: 0)
    package static let headers = Kind(rawValue: 1)
    package static let priority = Kind(rawValue: 2)
    package static let resetStream = Kind(rawValue: 3)
    package static let settings = Kind(rawValue: 4)
    package static let pushPromise = Kind(rawValue: 5)
    package static let ping = Kind(rawValue: 6)
    package static let goAway = Kind(rawValue: 7)
    package static let windowUpdate = Kind(rawValue: 8)
    package static let continuation = Kind(rawValue: 9)

    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  package static let endStream: UInt8 = 0x1
  package static let acknowledgement: UInt8 = 0x1
  package static let endHeaders: UInt8 = 0x4
  package static let padded: UInt8 = 0x8
  package static let prioritized: UInt8 = 0x20

  /// What a client says before its first frame (RFC 9113 section 3.4).
  package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  package var kind: Kind
  package var flags: UInt8
  package var stream: UInt32
  package var payload: [UInt8]

  package init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) {
    (self.kind, self.flags, self.stream, self.payload) = (kind, flags, stream, payload)
  }

  package var bytes: [UInt8] {
    let count = UInt32(payload.count)
    return Array(count.bigEndianBytes.dropFirst()) + [kind.rawValue, flags]
      + stream.bigEndianBytes + payload
  }

  /// The whole frames in a peer's bytes; a client's preface is passed over.
  package static func frames(in bytes: [UInt8]) -> [RawFrame] {
    var rest = bytes.starts(with: preface) ? bytes.dropFirst(preface.count) : bytes[...]
    return takeFrames(from: &rest)
  }

  /// Takes the whole frames away from the start of bytes.
  package static func takeFrames(from rest: inout ArraySlice<UInt8>) -> [RawFrame] {
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
  package static func settings(_ rows: (UInt16, UInt32)...) -> RawFrame {
    RawFrame(.settings, payload: rows.flatMap { $0.0.bigEndianBytes + $0.1.bigEndianBytes })
  }

  package static let settingsAcknowledged = RawFrame(.settings, flags: acknowledgement)

  /// A header block of plain literals (RFC 7541 section 6.2.2).
  package static func headers(
    _ stream: UInt32, _ fields: KeyValuePairs<String, String>, flags: UInt8 = endHeaders
  ) -> RawFrame {
    let block = fields.flatMap { HPACK.literal($0, $1) }
    return RawFrame(.headers, flags: flags, stream: stream, payload: block)
  }

  /// The whole answer in one header block, as APNs accepts a push.
  package static func answer(_ stream: UInt32, status: Int) -> RawFrame {
    headers(stream, [":status": "\(status)"], flags: endHeaders | endStream)
  }

  package static func data(_ stream: UInt32, _ text: String, flags: UInt8 = 0) -> RawFrame {
    RawFrame(.data, flags: flags, stream: stream, payload: Array(text.utf8))
  }

  package static func reset(_ stream: UInt32, _ code: UInt32) -> RawFrame {
    RawFrame(.resetStream, stream: stream, payload: code.bigEndianBytes)
  }

  package static func ping(_ number: UInt64 = 0, flags: UInt8 = 0) -> RawFrame {
    RawFrame(.ping, flags: flags, payload: number.bigEndianBytes)
  }

  package static func windowUpdate(_ stream: UInt32, _ increment: UInt32) -> RawFrame {
    RawFrame(.windowUpdate, stream: stream, payload: increment.bigEndianBytes)
  }

  package static func continuation(
    _ stream: UInt32, _ block: [UInt8], flags: UInt8 = 0
  ) -> RawFrame {
    RawFrame(.continuation, flags: flags, stream: stream, payload: block)
  }

  package static func goAway(
    lastStream: UInt32, code: UInt32 = 0, debug: String = ""
  ) -> RawFrame {
    RawFrame(
      .goAway, payload: lastStream.bigEndianBytes + code.bigEndianBytes + Array(debug.utf8))
  }
}

// What a peer has said.
extension RawFrame {
  /// The code of RST_STREAM or GOAWAY; nil in any other frame.
  package var errorCode: UInt32? {
    switch kind {
    case .resetStream: payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    case .goAway: payload.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    default: nil
    }
  }
}

/// Header fields as HPACK writes them (RFC 7541), without Huffman codes.
package enum HPACK {
  /// A field that stays out of the table (section 6.2.2).
  package static func literal(_ name: String, _ value: String) -> [UInt8] {
    [0] + text(name) + text(value)
  }

  /// A field that goes into the table (section 6.2.1), where it has the index 62.
  package static func indexed(_ name: String, _ value: String) -> [UInt8] {
    [0x40] + text(name) + text(value)
  }

  /// The size of the dynamic table (section 6.3).
  package static func tableSize(_ size: Int) -> [UInt8] { integer(size, prefix: 5, first: 0x20) }

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
package enum ErrorCode {
  package static let noError: UInt32 = 0
  package static let protocolError: UInt32 = 1
  package static let internalError: UInt32 = 2
  package static let flowControl: UInt32 = 3
  package static let streamClosed: UInt32 = 5
  package static let frameSize: UInt32 = 6
  package static let refusedStream: UInt32 = 7
  package static let cancel: UInt32 = 8
  package static let compression: UInt32 = 9
  package static let enhanceYourCalm: UInt32 = 11
}

/// Setting numbers of RFC 9113 section 6.5.2.
package enum Setting {
  package static let headerTableSize: UInt16 = 1
  package static let enablePush: UInt16 = 2
  package static let maxConcurrentStreams: UInt16 = 3
  package static let initialWindowSize: UInt16 = 4
  package static let maxFrameSize: UInt16 = 5
  package static let maxHeaderListSize: UInt16 = 6
}

extension FixedWidthInteger {
  package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
