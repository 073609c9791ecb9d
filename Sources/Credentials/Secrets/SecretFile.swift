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
