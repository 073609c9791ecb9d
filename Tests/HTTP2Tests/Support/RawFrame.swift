/// A frame as it stands on the wire (RFC 9113 section 4.1), for what no well-behaved session sends.
struct RawFrame: Equatable {
  enum Kind: UInt8 {
    case data, headers, priority, resetStream, settings, pushPromise, ping, goAway, windowUpdate
    case continuation
  }

  static let endStream: UInt8 = 0x1
  static let acknowledgement: UInt8 = 0x1
  static let endHeaders: UInt8 = 0x4

  var kind: Kind
  var flags: UInt8 = 0
  var stream: Int32 = 0
  var payload: [UInt8] = []

  var bytes: [UInt8] {
    let count = UInt32(payload.count)
    return Array(count.bigEndianBytes.dropFirst()) + [kind.rawValue, flags]
      + UInt32(stream).bigEndianBytes + payload
  }

  /// The frames in a client's bytes; its preface is passed over.
  static func frames(in bytes: [UInt8]) -> [RawFrame] {
    let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    var rest = bytes.starts(with: preface) ? bytes.dropFirst(preface.count) : bytes[...]
    var found: [RawFrame] = []
    while rest.count >= 9 {
      let header = Array(rest.prefix(9))
      let count = header[0..<3].reduce(0) { $0 << 8 | Int($1) }
      let stream = header[5..<9].reduce(Int32(0)) { $0 << 8 | Int32($1) }
      rest = rest.dropFirst(9)
      if let kind = Kind(rawValue: header[3]) {
        found.append(
          RawFrame(
            kind: kind, flags: header[4], stream: stream, payload: Array(rest.prefix(count))))
      }
      rest = rest.dropFirst(count)
    }
    return found
  }
}

// What a scripted server says.
extension RawFrame {
  static func settings(_ rows: (UInt16, UInt32)...) -> RawFrame {
    RawFrame(
      kind: .settings,
      payload: rows.flatMap { row -> [UInt8] in
        row.0.bigEndianBytes + row.1.bigEndianBytes
      })
  }

  static let settingsAcknowledged = RawFrame(kind: .settings, flags: acknowledgement)

  /// A header block of plain literals (RFC 7541 section 6.2.2); no name or value over 126 bytes.
  static func headers(
    _ stream: Int32, _ fields: KeyValuePairs<String, String>, flags: UInt8 = endHeaders
  ) -> RawFrame {
    let block = fields.flatMap { name, value -> [UInt8] in
      [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)]
        + Array(value.utf8)
    }
    return RawFrame(kind: .headers, flags: flags, stream: stream, payload: block)
  }

  /// The whole answer in one header block, as APNs accepts a push.
  static func answer(_ stream: Int32, status: Int) -> RawFrame {
    headers(stream, [":status": "\(status)"], flags: endHeaders | endStream)
  }

  static func data(_ stream: Int32, _ text: String, flags: UInt8 = 0) -> RawFrame {
    RawFrame(kind: .data, flags: flags, stream: stream, payload: Array(text.utf8))
  }

  static func reset(_ stream: Int32, _ code: UInt32) -> RawFrame {
    RawFrame(kind: .resetStream, stream: stream, payload: code.bigEndianBytes)
  }

  static func goAway(lastStream: Int32, code: UInt32 = 0, debug: String = "") -> RawFrame {
    RawFrame(
      kind: .goAway,
      payload: UInt32(lastStream).bigEndianBytes + code.bigEndianBytes + Array(debug.utf8))
  }
}

/// Error codes of RFC 9113 section 7.
enum ErrorCode {
  static let noError: UInt32 = 0
  static let protocolError: UInt32 = 1
  static let internalError: UInt32 = 2
  static let refusedStream: UInt32 = 7
  static let cancel: UInt32 = 8
  static let enhanceYourCalm: UInt32 = 11
}

/// Setting numbers of RFC 9113 section 6.5.2.
enum Setting {
  static let maxConcurrentStreams: UInt16 = 3
  static let initialWindowSize: UInt16 = 4
}

extension FixedWidthInteger {
  var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
