internal import Foundation

extension RecipientSource {
  /// Opens a list and looks at its start; nil for tokens that need no reading.
  func open() throws(ListError) -> LineReader? {
    switch self {
    case .tokens: return nil
    case .standardInput: return try checked(LineReader(descriptor: dup(STDIN_FILENO)))
    case .file(let path): return try checked(LineReader(descriptor: try descriptor(of: path)))
    }
  }

  private func descriptor(of path: String) throws(ListError) -> Int32 {
    for format in ["csv", "jsonl"] where path.lowercased().hasSuffix("." + format) {
      throw ListError(list: path, fault: .format(format))
    }
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 {
      throw ListError(list: path, fault: errno == ENOENT ? .missing : .unreadable(errno))
    }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      throw ListError(list: path, fault: .isFolder)
    }
    return descriptor
  }

  /// A file is looked through for its first row; a pipe is not waited for.
  private func checked(_ lines: LineReader) throws(ListError) -> LineReader {
    if case .standardInput = self { return lines }
    let start = lines.peek(LineReader.lineLimit)
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
      throw ListError(list: name, fault: .utf16)
    }
    if start.count < LineReader.lineLimit, !Self.hasRow(start) {
      throw ListError(list: name, fault: lines.failure.map { .unreadable($0) } ?? .empty)
    }
    return lines
  }

  private static func hasRow(_ text: ArraySlice<UInt8>) -> Bool {
    let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text
    return text.split { $0 == 0x0A || $0 == 0x0D }.contains { line in
      line.first { $0 > 0x20 }.map { $0 != UInt8(ascii: "#") } ?? false
    }
  }
}
