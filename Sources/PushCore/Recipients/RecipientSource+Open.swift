internal import Foundation

extension RecipientSource {
  /// Opens a list and looks at its start; nil for tokens that need no reading.
  func open() throws(ListError) -> LineReader? {
    switch self {
    case .tokens: return nil
    case .standardInput: return LineReader(descriptor: dup(STDIN_FILENO))
    case .file(let path):
      let (descriptor, isPlain) = try Self.descriptor(of: path)
      let lines = LineReader(descriptor: descriptor)
      // A pipe is not waited for.
      if isPlain { try check(lines) }
      return lines
    }
  }

  private static func descriptor(
    of path: String
  ) throws(ListError) -> (descriptor: Int32, isPlain: Bool) {
    for format in ["csv", "jsonl"] where path.lowercased().hasSuffix("." + format) {
      throw ListError(list: path, fault: .format(format))
    }
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 {
      throw ListError(list: path, fault: errno == ENOENT ? .missing : .unreadable(errno))
    }
    var status = stat()
    let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    if kind == S_IFDIR {
      close(descriptor)
      throw ListError(list: path, fault: .isFolder)
    }
    return (descriptor, kind == S_IFREG)
  }

  private func check(_ lines: LineReader) throws(ListError) {
    if lines.isUTF16 { throw ListError(list: name, fault: .utf16) }
    let start = lines.peek(LineReader.lineLimit)
    if start.count < LineReader.lineLimit, !Self.hasRow(start) {
      throw ListError(list: name, fault: lines.failure.map { .unreadable($0) } ?? .empty)
    }
  }

  private static func hasRow(_ text: ArraySlice<UInt8>) -> Bool {
    let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text
    return text.split { $0 == 0x0A || $0 == 0x0D }.contains { line in
      line.first { $0 > 0x20 }.map { $0 != UInt8(ascii: "#") } ?? false
    }
  }
}
