internal import POSIX

/// The bytes of a descriptor as UTF-8: drops a byte order mark at the start, and converts UTF-16
/// with such a mark, or that begins with two characters of ASCII.
final class TextInput {
  /// The size of the file in bytes; nil for a pipe or a device.
  let size: Int64?

  /// The number of bytes read.
  private(set) var bytesRead: Int64 = 0

  private let descriptor: Int32
  private let spool: Spool?
  /// The file as it was opened; nil for a pipe or a device.
  private let opened: ListFingerprint?
  private var hasBegun = false
  private var decoder: UTF16Decoder?
  private var undecoded: [UInt8] = []

  /// The `errno` of a failed read.
  private(set) var failure: Int32?

  /// Takes ownership of the descriptor.
  ///
  /// - Parameter spool: receives the bytes as they are read; nil for a list that can be read again.
  init(descriptor: Int32, spool: Spool? = nil) {
    self.descriptor = descriptor
    self.spool = spool
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isFile ? Int64(status.st_size) : nil
    opened = isFile ? ListFingerprint(descriptor: descriptor) : nil
  }

  deinit { close(descriptor) }

  func emptyCopy() { spool?.empty() }

  func giveUpCopy(_ code: Int32) { spool?.giveUp(code) }

  /// The file was written to since it was opened. Another one may have taken its name.
  var hasChanged: Bool {
    opened.map { ListFingerprint(descriptor: descriptor)?.change(since: $0) != nil } ?? false
  }

  /// The writer has not written more yet, as with a slow pipe or a terminal.
  var isWaiting: Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) == 0
  }

  /// Reads more text, waiting for it if needed.
  ///
  /// - Parameter target: the buffer for the text; at least 64 bytes.
  /// - Returns: the number of bytes written; 0 at the end, and when reading failed.
  func read(into target: UnsafeMutableBufferPointer<UInt8>) -> Int {
    if !hasBegun { return begin(target) }
    return decoder == nil ? readBytes(into: target) : readUTF16(into: target)
  }

  private func begin(_ target: UnsafeMutableBufferPointer<UInt8>) -> Int {
    hasBegun = true
    let count = readStart(into: target)
    let start = UnsafeBufferPointer(rebasing: target[..<count])
    if start.starts(with: [0xEF, 0xBB, 0xBF]) {
      guard count > 3, let base = target.baseAddress else { return readBytes(into: target) }
      memmove(base, base + 3, count - 3)
      return count - 3
    }
    let isMarked = start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE])
    guard let isBigEndian = isMarked ? start[0] == 0xFE : Self.isBigEndian(start) else {
      return count
    }
    decoder = UTF16Decoder(isBigEndian: isBigEndian)
    undecoded = Array(start[(isMarked ? 2 : 0)...])
    return readUTF16(into: target)
  }

  /// The byte order of UTF-16 without a mark: every other byte is zero; nil for other text.
  private static func isBigEndian(_ start: UnsafeBufferPointer<UInt8>) -> Bool? {
    switch start.prefix(4).map({ $0 == 0 }) {
    case [true, false, true, false]: true
    case [false, true, false, true]: false
    default: nil
    }
  }

  /// Reads enough to detect a byte order mark, or UTF-16 without one.
  private func readStart(into target: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var count = 0
    while count < Self.startLength(target, count) {
      let more = readBytes(into: UnsafeMutableBufferPointer(rebasing: target[count...]))
      if more == 0 { break }
      count += more
    }
    return count
  }

  /// The bytes that tell the encoding of a text that begins like this.
  private static func startLength(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ count: Int) -> Int {
    if count < 2 { return 2 }
    if bytes[0] == 0xEF { return 3 }
    return bytes[0] == 0 || bytes[1] == 0 ? 4 : 2
  }

  private func readUTF16(into target: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var text = UTF8Target(target)
    while text.count == 0, decoder != nil {
      let bytes = undecoded.isEmpty ? moreBytes(atMost: target.count / 3) : undecoded
      undecoded = Array(bytes.dropFirst(target.count / 3))
      bytes.prefix(target.count / 3).withUnsafeBufferPointer { decoder?.decode($0, into: &text) }
      if bytes.isEmpty {
        decoder?.finish(into: &text)
        decoder = nil
      }
    }
    return text.count
  }

  private func moreBytes(atMost limit: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: limit) { $1 = readBytes(into: $0) }
  }

  private func readBytes(into target: UnsafeMutableBufferPointer<UInt8>) -> Int {
    while true {
      let count = POSIX.read(descriptor, target.baseAddress, target.count)
      if count >= 0 { return took(target[..<count]) }
      if errno == EAGAIN {
        waitForBytes()
      } else if errno != EINTR {
        failure = errno
        return 0
      }
    }
  }

  private func took(_ bytes: Slice<UnsafeMutableBufferPointer<UInt8>>) -> Int {
    bytesRead += Int64(bytes.count)
    if bytes.isEmpty {
      spool?.close()
    } else {
      spool?.write(UnsafeRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes)))
    }
    return bytes.count
  }

  /// Waits for bytes: another process may have made the shared descriptor non-blocking.
  private func waitForBytes() {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, -1)
  }
}

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
