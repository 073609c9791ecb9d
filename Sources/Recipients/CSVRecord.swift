internal import POSIX
internal import PushModel

/// The cells of a row of a table (RFC 4180). One instance is reused from row to row.
struct CSVRecord {
  /// The byte between cells.
  let separator: UInt8

  /// The number of cells.
  private(set) var count = 0

  /// The most cells to keep; further cells are only counted.
  private let kept: Int
  private var cells: [Cell] = []
  private var text = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

  private struct Cell {
    var bytes: Range<Int>
    var hasEscapes = false
  }

  private static let quote = UInt8(ascii: "\"")

  init(separator: UInt8, keeping kept: Int) {
    self.separator = separator
    self.kept = kept
  }

  /// All the bytes, valid until the next line is read.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(text) }

  /// A cell without its quotes, valid until the next line is read.
  subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: text[cells[index].bytes])
  }

  /// Returns a copy of a cell with its escapes resolved, for a row that still has them.
  func meaning(of index: Int) -> [UInt8] {
    guard cells[index].hasEscapes else { return Array(self[index]) }
    var isSecond = false
    return self[index].filter { byte in
      isSecond = byte == Self.quote && !isSecond
      return !isSecond
    }
  }

  /// Finds the cells of the row that begins with the line last read. A line end inside quotes joins
  /// the next line to it. After an error the row is only that first line.
  ///
  /// Escapes stay as they are, for code that looks at the row's bytes or parses it again.
  mutating func read(
    _ line: UnsafeMutableBufferPointer<UInt8>, _ lines: LineReader
  ) throws(CSVFault) {
    begin(line)
    do throws(CSVFault) {
      try readCells(lines)
    } catch {
      text = lines.cutBack()
      throw error
    }
  }

  /// Replaces `""` with `"` in every cell, in place. After that the row's bytes are not text.
  mutating func resolveEscapes() {
    for index in cells.indices where cells[index].hasEscapes { resolveEscapes(of: index) }
  }

  private mutating func begin(_ line: UnsafeMutableBufferPointer<UInt8>) {
    text = line
    count = 0
    cells.removeAll(keepingCapacity: true)
  }

  private mutating func readCells(_ lines: LineReader) throws(CSVFault) {
    var start = 0
    while true {
      let isQuoted = start < text.count && text[start] == Self.quote
      let end = isQuoted ? try quotedCell(at: start, lines) : plainCell(at: start)
      if end == text.count { return }
      start = end + 1
    }
  }

  private mutating func plainCell(at start: Int) -> Int {
    let end = find(separator, from: start) ?? text.count
    add(Cell(bytes: start..<end))
    return end
  }

  private mutating func quotedCell(
    at start: Int, _ lines: LineReader
  ) throws(CSVFault) -> Int {
    var cell = Cell(bytes: start + 1..<start + 1)
    var index = start + 1
    while true {
      let quote = try closingQuote(from: index, lines)
      index = quote + 1
      if index < text.count, text[index] == Self.quote {
        cell.hasEscapes = true
        index += 1
      } else if index == text.count || text[index] == separator {
        cell.bytes = start + 1..<quote
        add(cell)
        return index
      } else {
        throw .textAfterQuote
      }
    }
  }

  private mutating func closingQuote(
    from start: Int, _ lines: LineReader
  ) throws(CSVFault) -> Int {
    var searched = start
    while true {
      if let quote = find(Self.quote, from: searched) { return quote }
      searched = text.count
      guard let longer = lines.extend() else { throw .openQuote }
      text = longer
    }
  }

  private mutating func add(_ cell: Cell) {
    if count < kept { cells.append(cell) }
    count += 1
  }

  private func find(_ byte: UInt8, from start: Int) -> Int? {
    guard let base = text.baseAddress, start < text.count else { return nil }
    let found = memchr(base + start, Int32(byte), text.count - start)
    return found.map { $0 - UnsafeMutableRawPointer(base) }
  }

  private mutating func resolveEscapes(of index: Int) {
    var end = cells[index].bytes.lowerBound
    var isSecond = false
    for place in cells[index].bytes {
      isSecond = text[place] == Self.quote && !isSecond
      if isSecond { continue }
      text[end] = text[place]
      end += 1
    }
    cells[index].bytes = cells[index].bytes.lowerBound..<end
  }
}
