public import APNS
public import PushModel

/// Reads all recipients of a run, in order, a chunk at a time.
public struct RecipientReader: PushSource, ~Copyable {
  /// The rule for a device token that occurs again.
  public enum Duplicates: String, Sendable, CaseIterable {
    /// The first row wins; the others are counted and not sent to.
    case first
    /// Every row is sent to.
    case send
  }

  /// The counts of the lines read so far.
  public private(set) var counts = RecipientCounts()

  private var lists: [(source: RecipientSource, rows: (any ListRows)?)] = []
  private var tokensTaken = 0
  private var bytesDone: Int64 = 0
  /// The first list that was written to while it was read.
  private var changed: String?
  private let size: Int64?
  private let spools: [Int: Spool]
  private let report: @Sendable (BadLine) -> Void
  private var sieve: RecipientSelector
  private var chunk: PushChunkBuilder
  private var rendering: (any RowRendering)?
  private let variables: Int
  private let listed: Int
  private let firstLine: Int
  private var values = TemplateValues()
  private let digits: UnsafeMutableBufferPointer<UInt8>

  /// Opens every list, so that an unreadable one is found before anything is sent.
  ///
  /// - Parameters:
  ///   - sources: the lists, in the order of their recipients.
  ///   - format: the format of standard input, and of a file whose name does not tell.
  ///   - selection: the rows that are sent to.
  ///   - rendering: renders each recipient's payload; nil when all get the same.
  ///   - listed: the columns to keep with each recipient.
  ///   - refusesMissing: whether to refuse a list that lacks a listed column or one that the
  ///     payload needs. This waits for the header row of a pipe.
  ///   - mayBeEmpty: whether to accept a file without rows.
  ///   - spools: the spools that copy lists as they are read, by index in `sources`.
  ///   - firstLine: rows before this line of each list are skipped and not counted.
  ///   - chunkSize: the most recipients in a chunk, up to ``PushChunk/capacity``.
  ///   - report: called with each bad line, on the reading thread.
  /// - Throws: `ListError` when a list cannot be read. Pipes are checked only at their turn.
  public init(
    _ sources: [RecipientSource], format: ListFormat = .txt,
    selection: RecipientSelection = RecipientSelection(),
    rendering: (any RowRendering)? = nil, listed: [String] = [], refusesMissing: Bool = false,
    mayBeEmpty: Bool = false, spools: [Int: Spool] = [:],
    firstLine: Int = 1, chunkSize: Int = PushChunk.capacity,
    report: @escaping @Sendable (BadLine) -> Void = { _ in }
  ) throws(ListError) {
    let names = rendering?.names ?? []
    let needed =
      refusesMissing
      ? NeededColumns(variables: rendering?.neededNames ?? [], listed: listed) : NeededColumns()
    var lacking: [ListError] = []
    for (index, source) in sources.enumerated() {
      do throws(ListError) {
        let rows = try source.open(
          as: format, variables: names + source.keys(of: listed), mayBeEmpty: mayBeEmpty,
          needing: needed,
          spool: spools[index])
        lists.append((source, rows))
      } catch {
        guard case .missingColumns = error.fault else { throw error }
        if !lacking.contains(error) { lacking.append(error) }
      }
    }
    if var first = lacking.first {
      first.others = Array(lacking.dropFirst())
      throw first
    }
    let sizes = lists.map { $0.source.size(of: $0.rows) }
    size = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
    chunk = PushChunkBuilder(capacity: min(chunkSize, PushChunk.capacity))
    sieve = RecipientSelector(selection)
    self.rendering = rendering
    self.firstLine = firstLine
    self.report = report
    self.spools = spools
    variables = names.count
    self.listed = listed.count
    // Last, because it would leak if opening threw afterwards.
    digits = .allocate(capacity: DeviceToken.maximumDigits)
  }

  deinit { digits.deallocate() }

  /// Returns the next chunk; nil at the end.
  ///
  /// - Throws: `ListError` when reading a list fails, or at the end of all when one was written to
  ///   meanwhile.
  public mutating func next() throws(ListError) -> PushChunk? {
    while !sieve.isDone, let (source, rows) = lists.first {
      chunk.begin(list: source.name, channel: source.channel)
      if case .tokens(let tokens, _) = source { take(tokens) }
      if case .channel = source { takeChannel() }
      if let rows { try takeRows(rows) }
      if !chunk.isEmpty { return chunk.take() }
      if sieve.isDone { break }
      // Only now, so that recipients already read are sent to.
      if let code = rows?.lines.failure {
        throw ListError(list: source.name, fault: .unreadable(code))
      }
      if changed == nil, rows?.lines.hasChanged == true { changed = source.name }
      if lists.count == 1, let changed { throw ListError(list: changed, fault: .changed) }
      bytesDone += source.size(of: rows) ?? 0
      lists.removeFirst()
      tokensTaken = 0
    }
    for spool in spools.values { spool.close() }
    return nil
  }

  /// The part of the lists that is read.
  public var extent: ListExtent {
    let current = lists.first.map { $0.rows?.lines.bytesPassed ?? Self.bytes(tokensTaken) } ?? 0
    return ListExtent(read: bytesDone + current, size: size, limit: sieve.limit)
  }

  /// The nominal size of tokens given individually, as if they were lines.
  fileprivate static func bytes(_ tokens: Int) -> Int64 { Int64(tokens) * 65 }

  /// Takes tokens until the chunk is full or none are left.
  private mutating func take(_ tokens: [DeviceToken]) {
    while !chunk.isFull, !sieve.isDone, tokensTaken < tokens.count {
      var hex = tokens[tokensTaken].hex
      tokensTaken += 1
      counts.lines += 1
      hex.withUTF8 { add($0, line: tokensTaken, registered: nil, nil) }
    }
  }
}

extension RecipientReader {
  /// Treats the channel as a list of one recipient without a device token.
  private mutating func takeChannel() {
    guard tokensTaken == 0 else { return }
    tokensTaken = 1
    counts.lines += 1
    add(Self.noToken, line: tokensTaken, registered: nil, nil)
  }

  private static var noToken: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: nil, count: 0)
  }
}

// Rows of lists.
extension RecipientReader {
  /// Takes rows until the chunk is full, the list has ended, or the next row is not written yet:
  /// recipients already read need not wait for a slow writer.
  private mutating func takeRows(_ rows: any ListRows) throws(ListError) {
    do throws(ListError.Fault) {
      try rows.begin()
    } catch {
      throw ListError(list: chunk.list, fault: error)
    }
    while !chunk.isFull, !sieve.isDone, chunk.isEmpty || !rows.lines.isAhead {
      guard rows.advance() else { return }
      if rows.line < firstLine { continue }
      counts.lines += 1
      do throws(LineFault) {
        try take(rows)
      } catch {
        if let format = rows.otherFormat {
          counts.lines -= 1
          throw ListError(list: chunk.list, fault: .otherFormat(format.rawValue))
        }
        skip(rows, error)
      }
    }
  }

  private mutating func skip(_ rows: any ListRows, _ fault: LineFault) {
    if sieve.leavesBadLines {
      counts.otherShards += 1
    } else {
      counts.badLines += 1
      let start = String(
        decoding: rows.excerpt.prefix(DeviceToken.maximumDigits), as: UTF8.self)
      report(BadLine(list: chunk.list, line: rows.line, text: start, error: fault))
    }
  }

  private mutating func take(_ rows: any ListRows) throws(LineFault) {
    if chunk.channel != nil {
      add(Self.noToken, line: rows.line, registered: nil, rows)
      return
    }
    let text = try rows.token().trimmed
    let registered = try rows.registered()
    let isPlain = text.count <= digits.count && (try? DeviceToken.read(text, into: digits)) != nil
    if isPlain {
      let token = UnsafeBufferPointer(rebasing: digits[..<text.count])
      add(token, line: rows.line, registered: registered, rows)
    } else {
      var hex = try tidied(text)
      hex.withUTF8 { add($0, line: rows.line, registered: registered, rows) }
    }
  }

  private func tidied(_ text: UnsafeBufferPointer<UInt8>) throws(LineFault) -> String {
    do throws(DeviceTokenError) {
      return try DeviceToken(tidying: text).hex
    } catch {
      throw .token(error)
    }
  }

  private mutating func add(
    _ token: UnsafeBufferPointer<UInt8>, line: Int, registered: Int64?, _ rows: (any ListRows)?
  ) {
    switch sieve.verdict(on: token) {
    case .otherShard: counts.otherShards += 1
    case .suppressed: counts.suppressed += 1
    case .duplicate: counts.duplicates += 1
    case .push:
      chunk.append(token: token, line: line, registered: registered)
      if rendering != nil || listed > 0 { addValues(rows) }
    }
  }

  private mutating func addValues(_ rows: (any ListRows)?) {
    values.removeAll()
    if let rows { rows.addValues(to: &values) } else { values.appendMissing(variables + listed) }
    if rendering != nil { chunk.render(values, &rendering) }
    if listed > 0 { chunk.list(values, last: listed) }
  }
}

extension RecipientSource {
  /// The keys of the columns in the list.
  fileprivate func keys(of columns: [String]) -> [String] {
    if case .resent = self { columns.map(ResentList.key(ofColumn:)) } else { columns }
  }

  /// The size in bytes; nil when unknown.
  fileprivate func size(of rows: (any ListRows)?) -> Int64? {
    switch self {
    case .tokens(let tokens, _): RecipientReader.bytes(tokens.count)
    case .channel: RecipientReader.bytes(1)
    case .file, .standardInput, .copy, .resent: rows?.lines.size
    }
  }
}
