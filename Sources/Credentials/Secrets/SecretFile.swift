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

  /// Who else can read it; nil if no one else can, and for anything but a regular file.
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
