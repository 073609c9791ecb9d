internal import POSIX

/// Splits text into lines, in one buffer. LF, CR LF and CR end a line.
final class LineReader {
  /// The most bytes returned of a line, or of lines joined; longer ones are cut.
  static let limit = 1 << 20

  /// The most bytes of a line that are copied. The copy of a list with a longer one is given up.
  static let copiedLimit = 16 << 20

  private let input: TextInput
  private let leavesUnendedLine: Bool
  private var buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 18)
  private var atEnd = false

  // The start of the text in use, and the end of the text in the buffer.
  private var start = 0
  private var end = 0

  /// The place of the last line end in the buffer; negative when there is none.
  private var lastEnd = -1
  /// The number of bytes skipped of a line that was cut.
  private var skipped = 0

  // The line last returned, relative to `start`, and how much of the text after `start` is used up.
  private var text = 0..<0
  private var used = 0
  private var afterReturn = false
  private var first: (text: Range<Int>, used: Int, afterReturn: Bool, line: Int)

  /// The number of the last line returned.
  private(set) var line = 0

  /// The line last returned exceeds the limit; the rest of it is skipped.
  private(set) var isCut = false

  /// Takes ownership of the descriptor.
  ///
  /// - Parameters:
  ///   - spool: receives the bytes as they are read; nil for a list that can be read again.
  ///   - leavesUnendedLine: whether to drop a last line without a line end, as in truncated text.
  init(descriptor: Int32, spool: Spool? = nil, leavesUnendedLine: Bool = false) {
    input = TextInput(descriptor: descriptor, spool: spool)
    self.leavesUnendedLine = leavesUnendedLine
    first = (text, 0, false, 0)
  }

  deinit { buffer.deallocate() }

  /// The `errno` of a failed read.
  var failure: Int32? { input.failure }

  /// Removes what was copied as it was read.
  func emptyCopy() { input.emptyCopy() }

  /// The file was written to while it was read.
  var hasChanged: Bool { input.hasChanged }

  /// The size of the file in bytes; nil for a pipe or a device.
  var size: Int64? { input.size }

  /// The approximate number of bytes in the lines returned.
  var bytesPassed: Int64 { max(0, input.bytesRead - Int64(end - start - used)) }

  /// The next line has not been written to its end yet, as with a slow pipe or a terminal.
  var isAhead: Bool {
    passLineFeed()
    return lastEnd < start + used && !atEnd && input.isWaiting
  }

  /// Returns the bytes that follow, without taking them.
  func peek(_ count: Int) -> UnsafeBufferPointer<UInt8> {
    while end - start - used < count, !atEnd { fill() }
    passLineFeed()
    return UnsafeBufferPointer(rebasing: buffer[(start + used)..<min(end, start + used + count)])
  }

  /// Returns the bytes that follow up to the end of their first line, or more, without taking them;
  /// at most `count`. A pipe is waited for no longer.
  func peekLine(atMost count: Int) -> UnsafeBufferPointer<UInt8> {
    while end - start - used < count, !atEnd,
      !buffer[(start + used)..<end].contains(UInt8(ascii: "\n"))
    { fill() }
    return peek(min(count, end - start - used))
  }

  /// Returns the next line without its end, valid until the next call; nil at the end of the text.
  func next() -> UnsafeMutableBufferPointer<UInt8>? {
    passRestOfCutLine()
    passLineFeed()
    start += used
    used = 0
    guard let range = takeLine() else { return nil }
    text = range
    first = (range, used, afterReturn, line)
    return current
  }

  /// Returns the line last returned joined with the next one, including the line end between them;
  /// nil when there is none, or when together they exceed the limit.
  func extend() -> UnsafeMutableBufferPointer<UInt8>? {
    guard !isCut, let range = takeLine(isExtension: true) else { return nil }
    text = text.lowerBound..<range.upperBound
    return current
  }

  /// Returns the first line again, without the lines that were joined to it.
  func cutBack() -> UnsafeMutableBufferPointer<UInt8> {
    (text, used, afterReturn, line) = first
    return current
  }

  private var current: UnsafeMutableBufferPointer<UInt8> {
    let (from, to) = (start + text.lowerBound, start + text.upperBound)
    return UnsafeMutableBufferPointer(rebasing: buffer[from..<to])
  }
}

extension LineReader {
  private func takeLine(isExtension: Bool = false) -> Range<Int>? {
    var searched = used
    while true {
      passLineFeed()
      searched = max(searched, used)
      let stop = lineEnd(from: start + searched).map { $0 - start }
      searched = stop ?? end - start
      if searched > Self.limit { return isExtension ? nil : cut() }
      if let stop { return take(stop, hasEnd: true) }
      if atEnd {
        return searched == used || isCutOff ? nil : take(searched, hasEnd: false)
      }
      fill()
    }
  }

  /// The last line without a line end may be half a line.
  private var isCutOff: Bool {
    leavesUnendedLine || input.failure != nil || input.hasChanged
  }

  private func cut() -> Range<Int> {
    (isCut, skipped) = (true, 0)
    return take(Self.limit, hasEnd: false)
  }

  private func take(_ stop: Int, hasEnd: Bool) -> Range<Int> {
    defer { pass(stop, hasEnd: hasEnd) }
    line += 1
    return used..<stop
  }

  private func pass(_ stop: Int, hasEnd: Bool) {
    afterReturn = hasEnd && buffer[start + stop] == 0x0D
    used = stop + (hasEnd ? 1 : 0)
  }

  private func passRestOfCutLine() {
    while isCut {
      start += used
      used = 0
      if let stop = lineEnd(from: start) {
        pass(stop - start, hasEnd: true)
        isCut = false
      } else if atEnd {
        isCut = false
        used = end - start
      } else {
        skipped += end - start
        if skipped > Self.copiedLimit { input.giveUpCopy(EFBIG) }
        start = end
        fill()
      }
    }
  }

  /// Skips the second half of a CR LF.
  private func passLineFeed() {
    guard afterReturn, start + used < end else { return }
    if buffer[start + used] == 0x0A { used += 1 }
    afterReturn = false
  }

  // Works in steps, so that text with CR line ends is not searched to its end for an LF each time.
  private func lineEnd(from index: Int) -> Int? {
    guard let base = buffer.baseAddress else { return nil }
    var from = index
    while from < end {
      let count = min(end - from, 4096)
      let feed = memchr(base + from, 0x0A, count).map { $0 - UnsafeMutableRawPointer(base) }
      let limit = feed ?? from + count
      if let carriageReturn = memchr(base + from, 0x0D, limit - from) {
        return carriageReturn - UnsafeMutableRawPointer(base)
      }
      if feed != nil { return feed }
      from += count
    }
    return nil
  }

  /// Moves the unused text to the front, enlarges the buffer if needed, and reads more.
  private func fill() {
    let rest = end - start
    if rest > buffer.count / 2 { enlarge() }
    if start > 0, let base = buffer.baseAddress { memmove(base, base + start, rest) }
    (start, end, lastEnd) = (0, rest, lastEnd - start)
    let count = input.read(into: UnsafeMutableBufferPointer(rebasing: buffer[rest...]))
    end += count
    atEnd = count == 0
    lastEnd = buffer[rest..<end].lastIndex { $0 == 0x0A || $0 == 0x0D } ?? lastEnd
  }

  private func enlarge() {
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: buffer.count * 2)
    if let to = larger.baseAddress, let from = buffer.baseAddress { memcpy(to, from, end) }
    buffer.deallocate()
    buffer = larger
  }
}
