public import APNS
internal import POSIX
internal import PushModel

/// A source of recipients.
public enum RecipientSource: Sendable, Hashable {
  /// Individual device tokens, and their name in results.
  case tokens([DeviceToken], name: String = "--to")
  /// A broadcast channel, which gets one push, and its name in results.
  case channel(String, name: String = "--channel")
  /// A list in a file or a pipe. Its name determines the ``ListFormat``.
  case file(String)
  /// A list on standard input.
  case standardInput
  /// The copy of a list that could be read only once.
  case copy(ListCopy)
  /// Pushes of an earlier run to send again.
  case resent(ResentList)

  /// The name to show: the path, `-`, or the given name.
  public var name: String {
    switch self {
    case .tokens(_, let name), .channel(_, let name): name
    case .file(let path): path
    case .standardInput: "-"
    case .copy(let copy): copy.name
    case .resent(let list): list.name
    }
  }

  /// The broadcast channel; nil when the source holds device tokens.
  public var channel: String? {
    switch self {
    case .channel(let id, _): id
    case .resent(let list): list.channel
    case .tokens, .file, .standardInput, .copy: nil
    }
  }
}

/// The format of a list's rows.
public enum ListFormat: String, Sendable, Hashable, CaseIterable {
  /// One device token per line; lines that begin with `#` are comments.
  case txt
  /// A table with a header row (RFC 4180); the separator is a comma, a semicolon or a tab.
  case csv
  /// One JSON object per line (jsonlines.org).
  case jsonl

  /// The format for the extension `.txt`, `.csv`, `.tsv`, `.jsonl` or `.ndjson`, in either case;
  /// nil for any other.
  public init?(path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "txt": self = .txt
    case "csv", "tsv": self = .csv
    case "jsonl", "ndjson": self = .jsonl
    default: return nil
    }
  }
}

extension RecipientSource {
  /// Opens a list and checks its start; nil for tokens and channels, which need no reading.
  ///
  /// - Parameters:
  ///   - format: the format of standard input, and of a file whose name does not tell.
  ///   - variables: the names of the requested columns or members.
  ///   - mayBeEmpty: whether to accept a list without rows.
  ///   - needed: the columns that the list must have.
  ///   - spool: copies the list as it is read; nil for none.
  func open(
    as format: ListFormat, variables: [String], mayBeEmpty: Bool = false,
    needing needed: NeededColumns = NeededColumns(), spool: Spool? = nil
  ) throws(ListError) -> (any ListRows)? {
    switch self {
    case .tokens, .channel: return nil
    case .standardInput:
      let rows = format.rows(LineReader(descriptor: dup(STDIN_FILENO), spool: spool), variables)
      let isPlain = Self.kind(of: STDIN_FILENO) == S_IFREG
      do throws(ListError.Fault) { try rows.refuseOtherFormat(isPlain: isPlain) } catch {
        throw ListError(list: name, fault: error)
      }
      try check(rows, needing: needed)
      return rows
    case .copy(let copy):
      return (ListFormat(path: copy.name) ?? format).rows(try Self.lines(of: copy), variables)
    case .resent(let list): return ResentRows(try list.lines(), variables)
    case .file(let path):
      let (descriptor, isPlain) = try Self.descriptor(of: path)
      let format = ListFormat(path: path) ?? format
      let rows = format.rows(LineReader(descriptor: descriptor, spool: spool), variables)
      // Do not wait for a pipe.
      if isPlain { try check(rows, mayBeEmpty: mayBeEmpty) }
      try check(rows, needing: needed)
      return rows
    }
  }

  static func lines(of copy: ListCopy) throws(ListError) -> LineReader {
    let (descriptor, _) = try descriptor(of: copy.path)
    return LineReader(descriptor: descriptor, leavesUnendedLine: !copy.isWhole)
  }

  private static func descriptor(
    of path: String
  ) throws(ListError) -> (descriptor: Int32, isPlain: Bool) {
    let descriptor = uninterrupted { POSIX.open(path, O_RDONLY | O_CLOEXEC) }
    if descriptor < 0 {
      throw ListError(list: path, fault: errno == ENOENT ? .missing : .unreadable(errno))
    }
    let kind = kind(of: descriptor)
    if kind == S_IFDIR {
      close(descriptor)
      throw ListError(list: path, fault: .isFolder)
    }
    return (descriptor, kind == S_IFREG)
  }

  private static func kind(of descriptor: Int32) -> mode_t {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  private func check(_ rows: any ListRows, mayBeEmpty: Bool) throws(ListError) {
    do throws(ListError.Fault) {
      try rows.begin()
      if let code = rows.lines.failure { throw .unreadable(code) }
      try rows.refuseOtherFormat(isPlain: true)
      if !mayBeEmpty, rows.isKnownToBeEmpty { throw .empty }
    } catch {
      throw ListError(list: name, fault: error)
    }
  }

  /// Checks for the required columns, waiting for the first line of a pipe.
  private func check(
    _ rows: any ListRows, needing needed: NeededColumns
  ) throws(ListError) {
    if needed.isEmpty || rows is JSONRows { return }
    do throws(ListError.Fault) {
      try rows.begin()
      if let missing = needed.missing(in: rows) { throw .missingColumns(missing) }
    } catch {
      throw ListError(list: name, fault: error)
    }
  }
}

/// The columns that every row of a list must have.
struct NeededColumns {
  /// The columns that a template needs.
  var variables: [String] = []
  /// The columns shown with the results.
  var listed: [String] = []

  var isEmpty: Bool { variables.isEmpty && listed.isEmpty }

  func missing(in rows: any ListRows) -> MissingColumns? {
    let missing = MissingColumns(
      variables: variables.filter(rows.lacks), listed: listed.filter(rows.lacks),
      found: rows.columnNames.filter { !$0.isEmpty }.map(\.excerptWithoutToken))
    return missing.variables.isEmpty && missing.listed.isEmpty ? nil : missing
  }
}

extension ListFormat {
  func rows(_ lines: LineReader, _ variables: [String]) -> any ListRows {
    switch self {
    case .txt: TextRows(lines, variables: variables.count)
    case .csv: CSVRows(lines, variables: variables)
    case .jsonl: JSONRows(lines, variables: variables)
    }
  }
}

extension ListRows {
  private static var peekLimit: Int { 65_536 }

  /// The list is short and has no rows.
  fileprivate var isKnownToBeEmpty: Bool {
    let start = lines.peek(Self.peekLimit)
    let isWhole = start.count < Self.peekLimit
    return isWhole && !start.split { $0 == 0x0A || $0 == 0x0D }.contains { isRow($0) }
  }

  private func isRow(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let first = line.first(where: { !$0.isWhiteSpace }) else { return false }
    return !(self is TextRows) || first != UInt8(ascii: "#")
  }
}
