internal import POSIX
internal import PlainText

/// A file that cannot be read or written.
struct FileFailure: Error {
  /// What was tried.
  enum Action {
    case read
    case write
  }

  /// What is in the way.
  enum Fault {
    case missing
    case isFolder
    case tooLarge(limit: Int)
    case system(Int32)
  }

  var path: String
  var action: Action
  var fault: Fault
  /// What the file is for, for example `payload`.
  var purpose: String
}

extension FileFailure {
  /// What is wrong.
  var sentence: String {
    let verb = action == .read ? "read" : "written"
    return switch fault {
    case .missing: "\(subject) does not exist."
    case .isFolder: "\(subject) is a folder."
    case .tooLarge(let limit):
      "\(subject) is too long for a \(purpose): the limit is \(grouped(limit)) bytes."
    case .system(let code): "\(subject) cannot be \(verb): \(systemMessage(code))."
    }
  }

  private var subject: String {
    if path == "-" { return action == .read ? "Standard input" : "Standard output" }
    return "The \(purpose) file \(path.printable)"
  }

  /// What to do about it.
  var fix: String {
    switch fault {
    case .missing:
      "Check the path; it is relative to the current folder, and in a scenario to its file."
    case .isFolder: "Name a file."
    case .tooLarge: "Name the file of the \(purpose) itself."
    case .system(ENOSPC), .system(EDQUOT): "Free some space, or write elsewhere."
    case .system(ENOENT) where action == .write: "Create its folder first, or name another."
    case .system: "Check the file's owner and permissions."
    }
  }
}

/// The system's words for an `errno`.
func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }

/// Reads a whole file, or standard input for `-`.
func readFile(
  _ path: String, for purpose: String, limit: Int = 1 << 20
) throws(FileFailure) -> [UInt8] {
  func failure(_ fault: FileFailure.Fault) -> FileFailure {
    FileFailure(path: path, action: .read, fault: fault, purpose: purpose)
  }
  let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw failure(errno == ENOENT ? .missing : .system(errno)) }
  defer { close(descriptor) }
  if isFolder(descriptor) { throw failure(.isFolder) }
  guard let bytes = readAll(descriptor, limit: limit) else { throw failure(.system(errno)) }
  if bytes.count > limit { throw failure(.tooLarge(limit: limit)) }
  return bytes
}

/// Creates a file that only its owner can read, or takes one that is there, which becomes one.
///
/// - Parameter continues: whether what is in the file stays, and more is added to it.
func createFile(
  _ path: String, for purpose: String, continues: Bool = false
) throws(FileFailure) -> Int32 {
  let start = continues ? O_APPEND : O_TRUNC
  let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | start, 0o600)
  if descriptor >= 0 {
    if isPlainFile(descriptor) { fchmod(descriptor, 0o600) }
    return descriptor
  }
  let fault = errno == EISDIR ? FileFailure.Fault.isFolder : .system(errno)
  throw FileFailure(path: path, action: .write, fault: fault, purpose: purpose)
}

/// Whether two paths are one file: the same plain file by whatever names, or the same name for what
/// is not there yet.
func areSameFile(_ path: String, _ other: String) -> Bool {
  var (first, second) = (stat(), stat())
  guard stat(path, &first) == 0, stat(other, &second) == 0 else {
    return path == other && !fileExists(path)
  }
  return first.st_mode & S_IFMT == S_IFREG && first.st_dev == second.st_dev
    && first.st_ino == second.st_ino
}

/// Whether a file or folder of this name is there.
func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// Whether nothing is in a file of this name, or no such file is there.
func isEmptyFile(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) != 0 || status.st_size == 0
}

private func isFolder(_ descriptor: Int32) -> Bool { kind(of: descriptor) == S_IFDIR }

private func isPlainFile(_ descriptor: Int32) -> Bool { kind(of: descriptor) == S_IFREG }

/// One of `S_IFREG`, `S_IFDIR` and so on; nil when the system does not tell.
private func kind(of descriptor: Int32) -> mode_t? {
  var status = stat()
  return fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : nil
}

/// Everything up to one byte past the limit; nil when reading fails.
private func readAll(_ descriptor: Int32, limit: Int) -> [UInt8]? {
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 65_536)
  while bytes.count <= limit {
    let count = read(descriptor, &block, block.count)
    if count < 0, errno == EINTR { continue }
    if count < 0 { return nil }
    if count == 0 { break }
    bytes.append(contentsOf: block[..<count])
  }
  return bytes
}
