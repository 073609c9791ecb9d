internal import POSIX

/// The start of a file of whatever kind, or all of it, read once by its descriptor. It may be a
/// secret.
///
/// A pipe is read only where a shell's `<(…)` puts it: under `/dev/fd` and `/proc/self/fd`. Any
/// other is not waited for.
public struct FileStart: Sendable {
  /// What it holds, up to the limit.
  public let bytes: SecretBytes

  /// Whether these are all the bytes.
  public let isWhole: Bool

  /// The permission bits, for example `0o644`; nil for what is no ordinary file.
  public let mode: UInt16?

  /// Reads it. Links are followed, for mounted secrets are links.
  ///
  /// - Parameters:
  ///   - path: the file, or `-` for standard input.
  ///   - limit: how many bytes to read at most.
  /// - Throws: `SecretFileError`, but neither `empty`, `tooLarge` nor `writableByOthers`.
  public static func read(_ path: String, limit: Int) throws(SecretFileError) -> FileStart {
    let isInput = path == "-" || path == "/dev/stdin"
    let descriptor =
      isInput ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw SecretFileError(opening: errno) }
    defer { close(descriptor) }
    let mode = try isInput ? checkInput(descriptor) : check(descriptor, path)
    let read = try SecretBytes(capacity: limit + 1) { buffer throws(SecretFileError) in
      try fill(buffer, from: descriptor)
    }
    let isWhole = read.count <= limit
    return FileStart(bytes: isWhole ? read : read.prefix(limit), isWhole: isWhole, mode: mode)
  }

  private static func checkInput(_ descriptor: Int32) throws(SecretFileError) -> UInt16? {
    if try mode(of: descriptor) & S_IFMT == S_IFDIR { throw .isFolder }
    return nil
  }

  private static func check(
    _ descriptor: Int32, _ path: String
  ) throws(SecretFileError) -> UInt16? {
    let mode = try mode(of: descriptor)
    switch mode & S_IFMT {
    case S_IFREG: return UInt16(truncatingIfNeeded: mode & 0o7777)
    case S_IFDIR: throw .isFolder
    case S_IFIFO:
      guard path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/") else { throw .isPipe }
      // Its writer may be slow.
      if fcntl(descriptor, F_SETFL, O_RDONLY) < 0 { throw .system(errno) }
      return nil
    case S_IFSOCK: throw .isSocket
    default: throw .isDevice
    }
  }

  private static func mode(of descriptor: Int32) throws(SecretFileError) -> mode_t {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
    return status.st_mode
  }

  private static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32
  ) throws(SecretFileError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let count = POSIX.read(
        descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .system(errno) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }
}

extension SecretFileError {
  /// What `open` answered.
  init(opening code: Int32) {
    switch code {
    case ENOENT: self = .missing
    // Sockets have a name but cannot be opened: Linux says the one, macOS the other.
    case ENXIO, EOPNOTSUPP: self = .isSocket
    default: self = .system(code)
    }
  }
}

extension SecretBytes {
  fileprivate func prefix(_ count: Int) -> SecretBytes {
    withBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
  }
}
