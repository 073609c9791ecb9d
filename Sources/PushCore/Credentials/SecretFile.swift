internal import Foundation

/// A file with a key, a certificate or a password in it, opened once and judged by its descriptor,
/// so that what was judged is what is read.
public struct SecretFile: Sendable {
  /// A file that more people may read than its owner.
  public struct Exposure: Sendable, Hashable {
    /// Its permission bits, for example `0o644`.
    public let mode: UInt16
  }

  /// What the file holds.
  public let bytes: SecretBytes

  /// Who else may read it; nil when nobody may, and for what is no ordinary file.
  public let exposure: Exposure?

  /// Reads a whole file. Links are followed, for mounted secrets are links.
  ///
  /// A pipe is read only where a shell's `<(…)` puts it: under `/dev/fd` and `/proc/self/fd`.
  ///
  /// - Parameters:
  ///   - path: the file, or `-` for standard input.
  ///   - limit: the count of bytes above which it is refused.
  /// - Throws: `SecretFileError`, one case for each way a file can be the wrong one.
  public static func read(
    _ path: String, limit: Int = 65_536
  ) throws(SecretFileError) -> SecretFile {
    let isInput = path == "-" || path == "/dev/stdin"
    let descriptor =
      isInput ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw SecretFileError(opening: errno) }
    defer { close(descriptor) }
    let exposure = try isInput ? checkInput(descriptor) : check(descriptor, path)
    let bytes = try SecretBytes(capacity: limit + 1) { buffer throws(SecretFileError) in
      try fill(buffer, from: descriptor)
    }
    if bytes.count == 0 { throw .empty }
    if bytes.count > limit { throw .tooLarge(limit: limit) }
    return SecretFile(bytes: bytes, exposure: exposure)
  }

  private static func checkInput(_ descriptor: Int32) throws(SecretFileError) -> Exposure? {
    if try mode(of: descriptor) & S_IFMT == S_IFDIR { throw .isFolder }
    return nil
  }

  private static func check(
    _ descriptor: Int32, _ path: String
  ) throws(SecretFileError) -> Exposure? {
    let mode = try mode(of: descriptor)
    switch mode & S_IFMT {
    case S_IFREG: return try exposure(mode: UInt16(truncatingIfNeeded: mode & 0o7777))
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

  private static func exposure(mode: UInt16) throws(SecretFileError) -> Exposure? {
    if mode & 0o022 != 0 { throw .writableByOthers(mode: mode) }
    return mode & 0o044 != 0 ? Exposure(mode: mode) : nil
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
      let count = Foundation.read(
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
  fileprivate init(opening code: Int32) {
    switch code {
    case ENOENT: self = .missing
    // Sockets have a name but cannot be opened.
    case ENXIO: self = .isSocket
    default: self = .system(code)
    }
  }
}
