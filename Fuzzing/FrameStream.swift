import HTTP2

/// A peer's bytes, as an input describes them, and how they are cut on the way.
///
/// The first byte chooses: of an even one the rest are the bytes themselves, of an odd one the rest
/// are frames of kind, flags, stream, a length below 256, and a payload. So a changed byte leaves the
/// frames behind it whole. The first byte also decides where they are cut.
struct FrameStream {
  /// All of it.
  let whole: [UInt8]
  /// The same in pieces.
  let pieces: [ArraySlice<UInt8>]

  init(_ input: [UInt8], behind start: [UInt8]) {
    let choice = input.first ?? 0
    let rest = input.dropFirst()
    whole = start + (choice.isMultiple(of: 2) ? Array(rest) : Self.frames(rest))
    pieces = Self.cut(whole, UInt64(choice))
  }

  /// Whether one of the frames is GOAWAY.
  var saysGoodbye: Bool {
    let preface = Array("PRI".utf8)
    var rest = whole.starts(with: preface) ? whole.dropFirst(24) : whole[...]
    while rest.count >= 9 {
      let header = Array(rest.prefix(9))
      if header[3] == 7 { return true }
      rest = rest.dropFirst(9 + header[0..<3].reduce(0) { $0 << 8 | Int($1) })
    }
    return false
  }

  private static func frames(_ input: ArraySlice<UInt8>) -> [UInt8] {
    var (rest, bytes) = (input, [UInt8]())
    while rest.count >= 4 {
      let head = Array(rest.prefix(4))
      let payload = rest.dropFirst(4).prefix(Int(head[3]))
      bytes += [0, 0, UInt8(payload.count), head[0], head[1], 0, 0, 0, head[2]] + payload
      rest = rest.dropFirst(4 + payload.count)
    }
    return bytes
  }

  private static func cut(_ bytes: [UInt8], _ seed: UInt64) -> [ArraySlice<UInt8>] {
    var (rest, pieces, state) = (bytes[...], [ArraySlice<UInt8>](), seed)
    while !rest.isEmpty {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let count = Int(1 + (state >> 33) % (seed < 128 ? 7 : 60))
      pieces.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return pieces
  }
}

/// A channel that keeps what is sent.
final class KeptBytes: ByteChannel {
  private(set) var bytes: [UInt8] = []

  func send(_ offered: UnsafeRawBufferPointer) throws(ChannelFailure) -> Int {
    bytes.append(contentsOf: offered)
    return offered.count
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer) throws(ChannelFailure) -> Int { 0 }

  func takeAll() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

/// An empty SETTINGS frame, and the acknowledgement of one.
let settingsFrames: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0] + [0, 0, 0, 4, 1, 0, 0, 0, 0]
