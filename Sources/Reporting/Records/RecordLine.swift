internal import JSONText

/// A line read back from a file of records; without values unless it has the file's format.
package struct RecordLine {
  private enum Values {
    case members(JSON?)
    case cells([ArraySlice<UInt8>])
  }

  private let values: Values
  private let columns: [String]

  /// - Parameter line: the line with its newline.
  package init(_ line: ArraySlice<UInt8>, _ format: RecordEncoder.Format, columns: [String]) {
    self.columns = columns
    let text = line.prefix { !Self.lineEnds.contains($0) }
    values =
      switch format {
      case .jsonLines: .members(try? JSONReader().read(Array(text)))
      case .csv(_, let separator): .cells(Self.cells(of: text, separator))
      case .text, .line: .cells([text])
      }
  }

  /// The value of a column that is never quoted; nil when it is missing.
  package subscript(column: String) -> String? {
    switch values {
    case .members(let json): return json?[column]?.string ?? json?[column]?.number?.text
    case .cells(let cells):
      guard let index = columns.firstIndex(of: column), cells.indices.contains(index) else {
        return nil
      }
      return cells[index].isEmpty ? nil : String(decoding: cells[index], as: UTF8.self)
    }
  }

  private static func cells(
    of line: ArraySlice<UInt8>, _ separator: UInt8
  ) -> [ArraySlice<UInt8>] {
    var isQuoted = false
    return line.split(omittingEmptySubsequences: false) { byte in
      // A doubled quote closes the cell and reopens it.
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == separator && !isQuoted
    }
  }

  private static let lineEnds = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
}
