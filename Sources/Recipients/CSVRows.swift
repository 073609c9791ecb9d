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
  /// Reading failed within a row: the lines that it has are no rows.
  private var isCutOff = false

  init(_ lines: LineReader, variables: [String]) {
    self.lines = lines
    self.variables = variables
  }

  var excerpt: UnsafeBufferPointer<UInt8> {
    guard fault == nil, let header else { return record.bytes }
    return record[header.token].trimmed
  }

  func readHeader() throws(ListError.Fault) {
    guard header == nil, nextText() != nil else { return }
    let header = try CSVHeader(lines)
    self.header = header
    record = CSVRecord(separator: header.separator, keeping: header.count)
    columns = variables.map(header.column)
  }

  func advance() -> Bool {
    guard !isCutOff, let text = nextText() else { return false }
    line = lines.line
    fault = read(text)
    isCutOff = fault == .csv(.openQuote) && lines.failure != nil
    return !isCutOff
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

/// The columns of a table.
struct CSVHeader {
  /// The most columns a table may have.
  static let columnLimit = 1000

  /// The byte between cells.
  let separator: UInt8

  /// The number of columns.
  let count: Int

  /// The column of the device token.
  let token: Int

  /// The column of the registration time; nil when there is none.
  let registered: Int?

  /// The column names, without surrounding white space.
  let names: [String]

  /// Reads the header row that begins with the line last read. The separator is the first of comma,
  /// semicolon and tab that yields a column for the device token.
  init(_ lines: LineReader) throws(ListError.Fault) {
    if lines.isCut { throw .header(.tooLong) }
    var fault = ListError.Fault.header(.csv(.openQuote))
    var most = 0
    for separator in ",;\t".utf8 {
      let names: [String]
      do throws(LineFault) {
        names = try Self.names(lines, separator)
      } catch {
        if case .csv(.cells) = error { throw .header(error) }
        if most == 0 { fault = .header(error) }
        continue
      }
      if let token = Self.token(in: names) {
        self = try Self(names, token: token, separator: separator)
        return
      }
      if names.count > most { (fault, most) = (.noTokenColumn(Self.shown(names)), names.count) }
    }
    throw fault
  }

  private init(_ names: [String], token: Int, separator: UInt8) throws(ListError.Fault) {
    if let name = Self.duplicate(in: names) { throw .duplicateColumn(name.excerptWithoutToken) }
    self.separator = separator
    self.names = names
    self.token = token
    count = names.count
    registered = names.firstIndex { $0.lowercased() == "registered" }
  }

  private static func text(of cell: [UInt8]) -> String {
    cell.withUnsafeBufferPointer { String(decoding: $0.trimmed, as: UTF8.self) }
  }

  /// Returns the column of a variable; nil when there is none. The device token is not a variable.
  func column(of variable: String) -> Int? {
    names.firstIndex(of: variable).flatMap { $0 == token ? nil : $0 }
  }

  private static func names(
    _ lines: LineReader, _ separator: UInt8
  ) throws(LineFault) -> [String] {
    var record = CSVRecord(separator: separator, keeping: columnLimit)
    do throws(CSVFault) { try record.read(lines.cutBack(), lines) } catch { throw .csv(error) }
    if record.bytes.firstInvalidUTF8 != nil { throw .encoding }
    if record.count > columnLimit { throw .csv(.cells(record.count, columns: columnLimit)) }
    return (0..<record.count).map { text(of: record.meaning(of: $0)) }
  }

  /// True for the cells of a header row with several columns, one of them for the device token.
  static func hasToken(_ cells: [Substring]) -> Bool {
    let names = cells.map { $0.split { " \"".contains($0) }.joined(separator: " ") }
    return names.count > 1 && token(in: names) != nil
  }

  private static func token(in names: [String]) -> Int? {
    names.firstIndex { $0.lowercased() == "token" }
      ?? names.firstIndex { $0.lowercased() == "device_token" }
  }

  /// Returns a name that two columns share. Columns without a name are never looked up.
  private static func duplicate(in names: [String]) -> String? {
    let special = ["token", "device_token", "registered"]
    var seen: Set<String> = []
    return names.first { name in
      let lowercased = name.lowercased()
      return !name.isEmpty
        && !seen.insert(special.contains(lowercased) ? lowercased : name).inserted
    }
  }

  /// Returns the first names, shortened: without a header row, a list's first line has a token.
  private static func shown(_ names: [String]) -> [String] {
    names.prefix(20).map(\.excerptWithoutToken)
  }
}
