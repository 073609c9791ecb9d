internal import APNS
internal import JSONText
internal import PushModel

/// The rows of a table with a header row (RFC 4180).
final class CSVRows: ListRows {
  let lines: LineReader
  private(set) var line = 0

  private let variables: [String]
  private var header: CSVHeader?
  private var columns: [Int?] = []
  private var record = CSVRecord(separator: 0, keeping: 0)
  private var fault: LineFault?

  init(_ lines: LineReader, variables: [String]) {
    self.lines = lines
    self.variables = variables
  }

  var excerpt: UnsafeBufferPointer<UInt8> {
    guard fault == nil, let header else { return record.bytes }
    return record[header.token].trimmed
  }

  /// Reads the header row.
  func begin() throws(ListError.Fault) {
    guard header == nil, nextText() != nil else { return }
    let header = try CSVHeader(lines)
    self.header = header
    record = CSVRecord(separator: header.separator, keeping: header.count)
    columns = variables.map(header.column)
  }

  func advance() -> Bool {
    guard let text = nextText() else { return false }
    line = lines.line
    fault = read(text)
    return true
  }

  private func read(_ text: UnsafeMutableBufferPointer<UInt8>) -> LineFault? {
    if lines.isCut { return .tooLong }
    do throws(CSVFault) { try record.read(text, lines) } catch { return .csv(error) }
    if record.bytes.firstInvalidUTF8 != nil { return .encoding }
    record.resolveEscapes()
    let count = header?.count ?? 0
    return record.count == count ? nil : .csv(.cells(record.count, columns: count))
  }

  func token() throws(LineFault) -> UnsafeBufferPointer<UInt8> {
    if let fault { throw fault }
    return record[header?.token ?? 0]
  }

  func registered() throws(LineFault) -> Int64? {
    guard let column = header?.registered else { return nil }
    return try RegistrationTime.seconds(record[column])
  }

  var columnNames: [String] { header?.names ?? [] }

  func lacks(_ name: String) -> Bool { header.map { $0.column(of: name) == nil } ?? false }

  func addValues(to values: inout TemplateValues) {
    for column in columns {
      if let column { values.append(.text, record[column]) } else { values.appendMissing(1) }
    }
  }
}
