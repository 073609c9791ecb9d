package import POSIX
internal import PlainText

/// Reads a whole file, or standard input for `-`.
package func readFile(
  _ path: String, for purpose: String, limit: Int = 1 << 20
) throws(FileFailure) -> [UInt8] {
  let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
  return try readFile(descriptor, at: path, for: purpose, limit: limit)
}

/// Reads a whole file that has just been opened, and closes it.
///
/// - Parameter descriptor: negative if it could not be opened, with the reason in `errno`.
package func readFile(
  _ descriptor: Int32, at path: String, for purpose: String, limit: Int
) throws(FileFailure) -> [UInt8] {
  func failure(_ fault: FileFailure.Fault) -> FileFailure {
    FileFailure(path: path, action: .read, fault: fault, purpose: purpose)
  }
  guard descriptor >= 0 else { throw failure(errno == ENOENT ? .missing : .system(errno)) }
  defer { close(descriptor) }
  if fileKind(of: descriptor) == S_IFDIR { throw failure(.isFolder) }
  guard let bytes = readAll(descriptor, limit: limit) else { throw failure(.system(errno)) }
  if bytes.count > limit { throw failure(.tooLarge(limit: limit)) }
  return bytes
}

/// Reads everything, up to slightly more than the limit; nil when reading fails.
func readAll(_ descriptor: Int32, limit: Int = .max) -> [UInt8]? {
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

/// Opens a file for appending, and creates it if necessary. An existing file also becomes readable
/// by its owner only. A descriptor that is open already, such as `/dev/fd/3`, is written where the
/// caller left it.
package func openFile(_ path: String, for purpose: String) throws(FileFailure) -> Int32 {
  if let number = openDescriptor(path) {
    let descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .unwritable(path, for: purpose) }
    return descriptor
  }
  // A plain file is also opened for reading, to find where its last line ends.
  let access = [nil, S_IFREG].contains(fileKind(of: path)) ? O_RDWR : O_WRONLY
  let descriptor = open(path, access | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { throw .unwritable(path, for: purpose) }
  if fileKind(of: descriptor) == S_IFREG { fchmod(descriptor, 0o600) }
  return descriptor
}

/// Checks that a file can be written, without creating or changing it.
///
/// - Parameter replacing: it is to be replaced by a new file, so its folder has to be writable too.
package func checkWritable(
  _ path: String, for purpose: String, replacing: Bool = false
) throws(FileFailure) {
  if path == "-" || isOpenDescriptor(path) { return }
  let kind = fileKind(of: path)
  if kind == S_IFDIR {
    let fault = replacing ? FileFailure.Fault.isFolder : .system(EISDIR)
    throw FileFailure(path: path, action: .write, fault: fault, purpose: purpose)
  }
  if kind != nil, access(path, W_OK) != 0 { throw .unwritable(path, for: purpose) }
  if kind != nil, !replacing || kind != S_IFREG { return }
  let folder = parentFolder(of: realPath(path) ?? path)
  if access(folder, W_OK | X_OK) != 0 { throw .unwritable(path, for: purpose) }
}

/// True for the path of a descriptor that the caller has opened, as for process substitution.
package func isOpenDescriptor(_ path: String) -> Bool { openDescriptor(path) != nil }

private func openDescriptor(_ path: String) -> Int32? {
  if path == "/dev/stderr" { return STDERR_FILENO }
  return path.hasPrefix("/dev/fd/") ? UInt16(path.dropFirst(8)).map(Int32.init) : nil
}

/// Empties a plain file.
///
/// - Returns: true if the file is empty now, or is not a plain file.
package func emptyFile(_ descriptor: Int32) -> Bool {
  fileKind(of: descriptor) != S_IFREG || ftruncate(descriptor, 0) == 0
}

/// Cuts off an incomplete last line of a plain file, because text appended to it would become part
/// of it.
///
/// - Returns: true if something was cut off; nil on failure.
package func cutTornLine(_ descriptor: Int32) -> Bool? {
  guard fileKind(of: descriptor) == S_IFREG else { return false }
  guard let size = fileSize(descriptor), let end = endOfLastLine(descriptor, size) else {
    return nil
  }
  if end == size { return false }
  return ftruncate(descriptor, off_t(end)) == 0 ? true : nil
}

private func endOfLastLine(_ descriptor: Int32, _ size: Int) -> Int? {
  var block = [UInt8](repeating: 0, count: 65_536)
  var end = size
  while end > 0 {
    let start = max(0, end - block.count)
    let count = pread(descriptor, &block, end - start, off_t(start))
    guard count == end - start else { return nil }
    if let last = block[..<count].lastIndex(of: UInt8(ascii: "\n")) { return start + last + 1 }
    end = start
  }
  return 0
}

/// True if a file is empty, begins with the first line of a text, or ends within that line.
package func fileBegins(_ descriptor: Int32, withLineOf text: [UInt8]) -> Bool {
  var start = [UInt8](repeating: 0, count: text.count)
  let count = pread(descriptor, &start, start.count, 0)
  if count <= 0 { return true }
  let isInside: (UInt8) -> Bool = { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
  let (line, wanted) = (start[..<count].prefix(while: isInside), text.prefix(while: isInside))
  let isTorn = line.count == count && count < text.count
  return isTorn ? wanted.starts(with: line) : line.elementsEqual(wanted)
}

/// Passes the lines of a plain file with their newlines to `body`, last line first, until `body`
/// returns false. It stops at a line longer than a mebibyte.
package func readLines(fromEndOf descriptor: Int32, _ body: (ArraySlice<UInt8>) -> Bool) {
  guard fileKind(of: descriptor) == S_IFREG, var end = fileSize(descriptor) else { return }
  var rest: [UInt8] = []
  while end > 0, rest.count <= 1 << 20 {
    var block = [UInt8](repeating: 0, count: min(end, 65_536))
    end -= block.count
    guard pread(descriptor, &block, block.count, off_t(end)) == block.count else { return }
    var lines = (block + rest)[...]
    while let feed = lines.dropLast().lastIndex(of: UInt8(ascii: "\n")) {
      if !body(lines[(feed + 1)...]) { return }
      lines = lines[...feed]
    }
    rest = Array(lines)
  }
  if end == 0, !rest.isEmpty { _ = body(rest[...]) }
}

/// Removes a file if it exists.
package func removeFile(_ path: String) { unlink(path) }

/// A path with links resolved; nil when nothing is there.
package func realPath(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}

/// The path of the file that a symbolic link leads to; any other path as it is.
package func withoutLink(_ path: String) -> String {
  var status = stat()
  let isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  return isLink ? realPath(path) ?? path : path
}

/// The folder of a file, relative to the working folder.
package func parentFolder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Tests if a file or folder exists at a path.
package func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// Tests if a pipe, a socket or a device exists at a path.
package func isPipeOrDevice(_ path: String) -> Bool {
  fileKind(of: path).map { $0 != S_IFREG && $0 != S_IFDIR } ?? false
}

/// Tests if a plain file exists at a path.
package func isPlainFile(_ path: String) -> Bool { fileKind(of: path) == S_IFREG }

/// The time of the last change to a file's content or metadata, in milliseconds since 1970, which
/// programs cannot set. Nil when nothing is there.
package func changeTime(of path: String) -> Int64? {
  var status = stat()
  guard stat(path, &status) == 0 else { return nil }
  #if os(macOS)
  let time = status.st_ctimespec
  #else
  let time = status.st_ctim
  #endif
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// The size of an open file in bytes; nil when the system does not know it.
package func fileSize(_ descriptor: Int32) -> Int? {
  var status = stat()
  return fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
}

/// The type of file at a path: `S_IFREG`, `S_IFDIR` and so on; nil when nothing is there.
package func fileKind(of path: String) -> mode_t? {
  var status = stat()
  return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
}

private func fileKind(of descriptor: Int32) -> mode_t? {
  var status = stat()
  return fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : nil
}

extension FileFailure {
  /// The failure to write a file, with the current `errno`.
  package static func unwritable(_ path: String, for purpose: String) -> FileFailure {
    FileFailure(
      path: path, action: .write, fault: errno == EISDIR ? .isFolder : .system(errno),
      purpose: purpose)
  }
}

/// Reads a whole file, or standard input for `-`.
package func readText(_ path: String, for purpose: String) throws(Failure) -> [UInt8] {
  try attempt(try readFile(path, for: purpose)) { .file($0) }
}

/// The identity of a file, equal for paths that lead to one file: the same plain file under any
/// name or link, or the same name in the same folder for a file that does not exist yet.
package enum FileIdentity: Hashable {
  case plain(Node)
  case missing(name: String, folder: Node)

  /// The device and inode of a file or folder.
  package struct Node: Hashable {
    fileprivate let device: UInt64
    fileprivate let inode: UInt64

    fileprivate init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// The file at a path, or standard input for `-`. Nil for a pipe, a device or a folder, and in a
  /// folder that does not exist.
  package init?(_ path: String) {
    var status = stat()
    if path == "-" ? fstat(STDIN_FILENO, &status) == 0 : stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      self = .plain(Node(status))
    } else {
      let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
      guard stat(parentFolder(of: path), &status) == 0 else { return nil }
      self = .missing(name: String(path[end...]), folder: Node(status))
    }
  }
}

/// Compares two paths, which need not exist yet, by the files they lead to.
package func areSameFile(_ path: String, _ other: String) -> Bool {
  guard let file = FileIdentity(path) else { return path == other && !fileExists(path) }
  return file == FileIdentity(other)
}

extension [String: String] {
  /// The folder of fanfare in the one that a variable names, or else below the home folder; nil
  /// without both. Relative paths are ignored (XDG Base Directory Specification).
  package func folder(_ variable: String, inHome place: String) -> String? {
    [(variable, "/fanfare"), ("HOME", "/\(place)/fanfare")].lazy.compactMap { name, rest in
      self[name].flatMap { $0.hasPrefix("/") ? $0 + rest : nil }
    }.first
  }
}
