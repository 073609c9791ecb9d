internal import Foundation

/// Reads lines from a descriptor through one buffer. LF, CR LF and CR end a line; a UTF-8 byte
/// order mark at the start is dropped.
final class LineReader {
  /// Of a longer line only the start is returned; no device token comes near.
  static let lineLimit = 65_536

  private let descriptor: Int32
  private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4 * lineLimit)
  private var start = 0
  private var end = 0
  private var atEnd = false
  private var afterReturn = false
  private var isCut = false

  /// The number of the line last returned.
  private(set) var line = 0

  /// The `errno` of a read that failed.
  private(set) var failure: Int32?

  /// Takes the descriptor over.
  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// The bytes that the text begins with, before any line is taken.
  func peek(_ count: Int) -> ArraySlice<UInt8> {
    while end - start < count, !atEnd { fill() }
    return Array(buffer[start..<min(end, start + count)])[...]
  }

  /// Whether the text begins with a byte order mark of UTF-16, before any line is taken.
  var isUTF16: Bool {
    let mark = peek(2)
    return mark.elementsEqual([0xFF, 0xFE]) || mark.elementsEqual([0xFE, 0xFF])
  }

  /// Whether the next line has yet to be written by somebody: a slow pipe, a terminal.
  var isAhead: Bool {
    guard start == end, !atEnd else { return false }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) == 0
  }

  /// The next line without its end, valid until the next call; nil at the end of the text.
  func next() -> UnsafeBufferPointer<UInt8>? {
    passRestOfCutLine()
    var searched = 0
    while true {
      passLineFeed()
      if let stop = lineEnd(from: start + searched) { return take(to: stop) }
      searched = end - start
      if atEnd { return searched == 0 ? nil : take(to: end) }
      if searched >= Self.lineLimit {
        isCut = true
        return take(to: end)
      }
      fill()
    }
  }

  private func passRestOfCutLine() {
    while isCut {
      if let stop = lineEnd(from: start) {
        pass(to: stop)
        isCut = false
      } else if atEnd {
        isCut = false
      } else {
        start = end
        fill()
      }
    }
  }

  /// Passes over the second half of a CR LF.
  private func passLineFeed() {
    guard afterReturn, start < end else { return }
    if buffer[start] == 0x0A { start += 1 }
    afterReturn = false
  }

  private func lineEnd(from index: Int) -> Int? {
    guard let base = buffer.baseAddress, index < end else { return nil }
    let feed = memchr(base + index, 0x0A, end - index)
    let limit = feed.map { $0 - UnsafeMutableRawPointer(base) } ?? end
    let carriageReturn = memchr(base + index, 0x0D, limit - index)
    return carriageReturn.map { $0 - UnsafeMutableRawPointer(base) } ?? (feed == nil ? nil : limit)
  }

  private func take(to stop: Int) -> UnsafeBufferPointer<UInt8> {
    line += 1
    if line == 1, buffer[start..<stop].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
    let text = UnsafeBufferPointer(rebasing: buffer[start..<stop])
    pass(to: stop)
    return text
  }

  private func pass(to stop: Int) {
    afterReturn = stop < end && buffer[stop] == 0x0D
    start = min(stop + 1, end)
  }

  /// Moves what is left to the front and reads more behind it.
  private func fill() {
    let rest = end - start
    if start > 0, let base = buffer.baseAddress {
      memmove(base, base + start, rest)
      (start, end) = (0, rest)
    }
    let count = read(descriptor, buffer.baseAddress.map { $0 + end }, buffer.count - end)
    if count > 0 {
      end += count
    } else if count < 0, errno == EAGAIN {
      waitForBytes()
    } else if count == 0 || errno != EINTR {
      if count < 0 { failure = errno }
      atEnd = true
    }
  }

  /// Somebody else may have made our descriptor one that does not wait.
  private func waitForBytes() {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, -1)
  }
}
