internal import POSIX

/// A file with a key, a certificate or a password. It is opened once and checked through its
/// descriptor, so the file that is checked is the one that is read.
public struct SecretFile: Sendable {
  /// The permissions of a file that others than its owner can read.
  public struct Exposure: Sendable, Hashable {
    /// The permission bits, for example `0o644`.
    public let mode: UInt16
  }

  /// The file's contents.
  public let bytes: SecretBytes

  /// The exposure to other users; nil if no one else can read it, and for non-regular files.
  public let exposure: Exposure?

  /// Reads a whole file. Symbolic links are followed, because mounted secrets are links.
  ///
  /// A pipe is read only under `/dev/fd` and `/proc/self/fd`, where a shell's `<(…)` puts it.
  ///
  /// - Parameters:
  ///   - path: the file, or `-` for standard input.
  ///   - limit: the maximum size in bytes; a larger file is refused.
  /// - Throws: `SecretFileError`, with one case per kind of unusable file.
  public static func read(
    _ path: String, limit: Int = 65_536
  ) throws(SecretFileError) -> SecretFile {
    let start = try FileStart.read(path, limit: limit)
    let exposure = try start.mode.flatMap { (mode) throws(SecretFileError) in
      try Self.exposure(mode: mode)
    }
    if start.bytes.count == 0 { throw .empty }
    if !start.isWhole { throw .tooLarge(limit: limit) }
    return SecretFile(bytes: start.bytes, exposure: exposure)
  }

  private static func exposure(mode: UInt16) throws(SecretFileError) -> Exposure? {
    if mode & 0o022 != 0 { throw .writableByOthers(mode: mode) }
    return mode & 0o044 != 0 ? Exposure(mode: mode) : nil
  }
}

/// The reason a file with a secret is not read.
public enum SecretFileError: Error, Sendable, Hashable {
  /// The file does not exist.
  case missing
  /// It is a folder.
  case isFolder
  /// It is a named pipe, and reading could block forever.
  case isPipe
  /// It is a device such as `/dev/null`.
  case isDevice
  /// It is a socket.
  case isSocket
  /// It is empty.
  case empty
  /// It is larger than this limit, in bytes.
  case tooLarge(limit: Int)
  /// Its group or everyone may write to it, so another user may have planted the secret. `mode` is
  /// its permission bits.
  case writableByOthers(mode: UInt16)
  /// The system call failed with this `errno`.
  case system(Int32)
}

/// The start of a file of any kind, or all of it, read once through one descriptor. The contents
/// may be a secret.
///
/// A pipe is read only under `/dev/fd` and `/proc/self/fd`, where a shell's `<(…)` puts it. Other
/// pipes are refused, because reading could block forever.
public struct FileStart: Sendable {
  /// The contents, up to the limit.
  public let bytes: SecretBytes

  /// The contents are complete.
  public let isWhole: Bool

  /// The permission bits, for example `0o644`; nil unless it is a regular file.
  public let mode: UInt16?

  /// Reads a file. Symbolic links are followed, because mounted secrets are links.
  ///
  /// - Parameters:
  ///   - path: the file, or `-` for standard input.
  ///   - limit: the maximum number of bytes to read.
  /// - Throws: `SecretFileError`, except `empty`, `tooLarge` and `writableByOthers`.
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
      // The writer may be slow, so reads have to block.
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
  /// Translates the error of `open`.
  init(opening code: Int32) {
    switch code {
    case ENOENT: self = .missing
    // Sockets have a path but cannot be opened; Linux reports one code, macOS the other.
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
