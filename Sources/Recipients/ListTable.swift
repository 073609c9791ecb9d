internal import APNS
internal import JSONText
internal import POSIX
package import PushModel

/// The rows of a table or JSON Lines file with any columns wanted, for files that hold more than
/// recipients. They can be read repeatedly: standard input or a pipe is copied during the first
/// reading.
package final class ListTable {
  /// A row: its device token and the requested columns. The token is empty when null, as in a push
  /// to a channel.
  package struct Row: Sendable {
    package let token: String
    /// The values in column order; nil when the row has none, or it is empty or null.
    package let values: [String?]
  }

  /// The path, or `-`.
  package let name: String

  private let scratchFolder: String
  private var copy: Spool?

  /// - Parameters:
  ///   - name: The path; `-` for standard input.
  ///   - scratchFolder: The folder for a temporary copy.
  package init(_ name: String, scratchFolder: String) {
    (self.name, self.scratchFolder) = (name, scratchFolder)
  }

  /// Passes on each row with its line, or the fault in it.
  ///
  /// - Throws: `ListError` when the file cannot be read, or is a table without a device token.
  package func forEachRow(
    _ columns: [String], _ body: (Int, Result<Row, LineFault>) -> Void
  ) throws(ListError) {
    let lines = try open()
    let rows = rows(lines, columns)
    do throws(ListError.Fault) {
      try rows.begin()
      var values = TemplateValues()
      while rows.advance() {
        values.removeAll()
        body(rows.line, Self.row(rows, columns.count, &values))
      }
      if let code = lines.failure ?? copy?.failure { throw .unreadable(code) }
    } catch {
      throw ListError(list: name, fault: error)
    }
  }

  private func rows(_ lines: LineReader, _ columns: [String]) -> any ListRows {
    let isJSON =
      switch ListFormat(path: name) {
      case .jsonl: true
      case .csv: false
      case .txt, nil: lines.peek(4096).first { !$0.isWhiteSpace } == UInt8(ascii: "{")
      }
    return isJSON
      ? JSONRows(lines, variables: columns, takesNull: true) : CSVRows(lines, variables: columns)
  }

  private static func row(
    _ rows: any ListRows, _ count: Int, _ values: inout TemplateValues
  ) -> Result<Row, LineFault> {
    Result { () throws(LineFault) in
      let token = String(decoding: try rows.token(), as: UTF8.self)
      rows.addValues(to: &values)
      return Row(token: token, values: (0..<count).map { values.withValue(at: $0, Self.text) })
    }
  }

  private static func text(
    _ kind: TemplateValues.Kind, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.isEmpty || kind == .missing || kind == .json && text == "null" ? nil : text
  }

  private func open() throws(ListError) -> LineReader {
    // There is no copy of an empty list.
    if let copy {
      return LineReader(
        descriptor: copy.descriptor() ?? POSIX.open("/dev/null", O_RDONLY | O_CLOEXEC))
    }
    let descriptor =
      name == "-"
      ? dup(STDIN_FILENO) : uninterrupted { POSIX.open(name, O_RDONLY | O_CLOEXEC) }
    if descriptor < 0 {
      throw ListError(list: name, fault: errno == ENOENT ? .missing : .unreadable(errno))
    }
    var status = stat()
    let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    if kind == S_IFDIR {
      close(descriptor)
      throw ListError(list: name, fault: .isFolder)
    }
    // Standard input may be a file that other processes read as well.
    if kind != S_IFREG || name == "-" { copy = Spool(scratchFolder: scratchFolder) }
    return LineReader(descriptor: descriptor, spool: copy)
  }
}

/// Reads the names of a list's columns.
public enum ListColumns {
  /// Returns the header of a table, or the keys of the first JSON Lines object, at most 100; empty
  /// for a list of bare tokens, and when nothing can be read.
  ///
  /// - Parameters:
  ///   - path: a file that can be opened again.
  ///   - format: the format of the file.
  public static func names(ofFile path: String, _ format: ListFormat) -> [String] {
    if format == .txt { return [] }
    let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    if descriptor < 0 { return [] }
    let lines = LineReader(descriptor: descriptor)
    while let line = lines.next() {
      let text = UnsafeBufferPointer(line).trimmed
      if text.isEmpty { continue }
      return Array(names(in: text, lines, format).prefix(100))
    }
    return []
  }

  private static func names(
    in line: UnsafeBufferPointer<UInt8>, _ lines: LineReader, _ format: ListFormat
  ) -> [String] {
    if format == .csv { return (try? CSVHeader(lines))?.names ?? [] }
    return (try? JSONReader().read(line))?.object?.keys ?? []
  }
}
