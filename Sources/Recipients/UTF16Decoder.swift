/// Converts UTF-16 to UTF-8, piece by piece. Malformed UTF-16 becomes bytes that are never valid
/// UTF-8, so that the reader finds the fault in its place.
struct UTF16Decoder {
  private let isBigEndian: Bool
  /// The bytes of an incomplete character: at most three.
  private var rest: [UInt8] = []

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Appends the text of the next bytes; an incomplete character at their end waits for more.
  ///
  /// - Parameters:
  ///   - bytes: The bytes as read.
  ///   - text: Has room for three bytes for every two passed in or waiting.
  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, into text: inout UTF8Target) {
    if !rest.isEmpty { return decodeBehindRest(bytes, into: &text) }
    var count = bytes.count & ~1
    if count > 0, UTF16.isLeadSurrogate(unit(at: count - 2, of: bytes)) { count -= 2 }
    append(UnsafeBufferPointer(rebasing: bytes[..<count]), to: &text)
    rest = Array(bytes[count...])
  }

  /// Appends whatever is incomplete at the end of the text.
  mutating func finish(into text: inout UTF8Target) {
    if !rest.isEmpty { text.append(Self.malformed) }
    rest = []
  }

  private mutating func decodeBehindRest(
    _ bytes: UnsafeBufferPointer<UInt8>, into text: inout UTF8Target
  ) {
    let whole = rest + bytes
    rest = []
    whole.withUnsafeBufferPointer { decode($0, into: &text) }
  }

  private func append(_ bytes: UnsafeBufferPointer<UInt8>, to text: inout UTF8Target) {
    var units = stride(from: 0, to: bytes.count, by: 2).lazy.map { unit(at: $0, of: bytes) }
      .makeIterator()
    var parser = Unicode.UTF16.ForwardParser()
    while true {
      switch parser.parseScalar(from: &units) {
      case .valid(let character): text.append(character)
      case .error: text.append(Self.malformed)
      case .emptyInput: return
      }
    }
  }

  private func unit(at index: Int, of bytes: UnsafeBufferPointer<UInt8>) -> UInt16 {
    let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
    return isBigEndian ? first << 8 | second : second << 8 | first
  }

  private static let malformed: UInt8 = 0xFF
}

/// A buffer for UTF-8.
struct UTF8Target {
  private let bytes: UnsafeMutableBufferPointer<UInt8>

  /// The number of bytes written.
  private(set) var count = 0

  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func append(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  mutating func append(_ character: UTF16.EncodedScalar) {
    for byte in UTF8.transcode(character, from: UTF16.self) ?? UTF8.encodedReplacementCharacter {
      append(byte)
    }
  }
}
