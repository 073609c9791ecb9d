internal import APNS
internal import Foundation

/// Reads all recipients of a run, in order, a chunk at a time.
public struct RecipientReader: ~Copyable {
  /// What to do with a device token that occurs again.
  public enum Duplicates: String, Sendable, CaseIterable {
    /// The first row wins; the others are counted and not sent to.
    case first
    /// Every row is sent to.
    case send
  }

  /// What became of the lines that were read.
  public struct Counts: Sendable, Hashable {
    /// Lines that are neither blank nor a comment.
    public var lines = 0
    /// Lines that are no device token.
    public var badLines = 0
    /// Recipients left out because their device token was there already.
    public var duplicates = 0
  }

  /// What became of the lines so far.
  public private(set) var counts = Counts()

  private var sources: [(source: RecipientSource, lines: LineReader?)]
  private var tokensTaken = 0
  private let duplicates: Duplicates
  private let report: @Sendable (BadLine) -> Void
  private var seen = FingerprintSet()
  private var chunk = PushChunkBuilder()
  private let digits = UnsafeMutableBufferPointer<UInt8>.allocate(
    capacity: DeviceToken.maximumDigits)

  /// Opens every list, so that one that cannot be read is found before anything is sent.
  ///
  /// - Parameters:
  ///   - sources: the lists, in the order of their recipients.
  ///   - duplicates: what to do with a device token that occurs again.
  ///   - report: is told of each bad line, on the thread that reads.
  public init(
    _ sources: [RecipientSource], duplicates: Duplicates = .first,
    report: @escaping @Sendable (BadLine) -> Void = { _ in }
  ) throws(ListError) {
    var opened: [(source: RecipientSource, lines: LineReader?)] = []
    for source in sources { opened.append((source, try source.open())) }
    self.sources = opened
    self.duplicates = duplicates
    self.report = report
  }

  deinit { digits.deallocate() }

  /// The next chunk; nil at the end.
  ///
  /// - Throws: `ListError` when a list cannot be read on.
  public mutating func next() throws(ListError) -> PushChunk? {
    while let (source, lines) = sources.first {
      chunk.begin(list: source.name)
      if case .tokens(let tokens, _) = source { take(tokens) }
      if let lines { try takeLines(lines) }
      if !chunk.isEmpty { return chunk.take() }
      // Only now, so that what was read before gets sent.
      if let code = lines?.failure {
        throw ListError(list: source.name, fault: .unreadable(code))
      }
      sources.removeFirst()
      tokensTaken = 0
    }
    return nil
  }

  /// Takes tokens until the chunk is full or none is left.
  private mutating func take(_ tokens: [DeviceToken]) {
    while !chunk.isFull, tokensTaken < tokens.count {
      var hex = tokens[tokensTaken].hex
      tokensTaken += 1
      counts.lines += 1
      hex.withUTF8 { add($0, line: tokensTaken) }
    }
  }

  /// Takes lines until the chunk is full, the list has ended, or the next line is not written yet:
  /// who is there is not kept waiting for who is not.
  private mutating func takeLines(_ lines: LineReader) throws(ListError) {
    if lines.line == 0, lines.isUTF16 { throw ListError(list: chunk.list, fault: .utf16) }
    while !chunk.isFull, chunk.isEmpty || !lines.isAhead {
      guard let line = lines.next() else { return }
      let text = line.trimmed
      guard let first = text.first, first != UInt8(ascii: "#") else { continue }
      counts.lines += 1
      do throws(DeviceTokenError) {
        try take(text, line: lines.line)
      } catch {
        counts.badLines += 1
        let start = String(decoding: text.prefix(DeviceToken.maximumDigits), as: UTF8.self)
        report(BadLine(list: chunk.list, line: lines.line, text: start, error: error))
      }
    }
  }

  private mutating func take(
    _ text: UnsafeBufferPointer<UInt8>, line: Int
  ) throws(DeviceTokenError) {
    let isPlain = text.count <= digits.count && (try? DeviceToken.read(text, into: digits)) != nil
    if isPlain {
      add(UnsafeBufferPointer(rebasing: digits[..<text.count]), line: line)
    } else {
      var hex = try DeviceToken(tidying: String(decoding: text, as: UTF8.self)).hex
      hex.withUTF8 { add($0, line: line) }
    }
  }

  private mutating func add(_ token: UnsafeBufferPointer<UInt8>, line: Int) {
    if duplicates == .first, !seen.insert(token.fingerprint) {
      counts.duplicates += 1
    } else {
      chunk.append(token: token, line: line)
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The text without white space at either end.
  fileprivate var trimmed: UnsafeBufferPointer<UInt8> {
    guard let start = firstIndex(where: { $0 > 0x20 }), let last = lastIndex(where: { $0 > 0x20 })
    else { return UnsafeBufferPointer(rebasing: self[0..<0]) }
    return UnsafeBufferPointer(rebasing: self[start...last])
  }

  /// A 64-bit hash under a key that this process drew at random.
  fileprivate var fingerprint: UInt64 {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(self))
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
