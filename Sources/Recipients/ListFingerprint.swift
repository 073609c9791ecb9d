internal import COpenSSL
internal import POSIX
internal import PlainText
public import PushModel

/// Evidence of a list's content: its size, its modification time and a hash of its head and tail.
public struct ListFingerprint: Sendable, Hashable {
  /// The number of bytes hashed at each end. A shorter file is hashed whole, twice.
  public static let hashedLength = 65_536

  /// The size in bytes.
  public let size: Int64

  /// The time of the last modification, in nanoseconds since 1970.
  public let modified: Int64

  /// The SHA-256 of the first 64 KiB followed by the last 64 KiB: 32 bytes.
  public let digest: [UInt8]

  /// Restores a fingerprint taken earlier.
  public init(size: Int64, modified: Int64, digest: [UInt8]) {
    self.size = size
    self.modified = modified
    self.digest = digest
  }

  /// Takes the fingerprint of a file; nil for a pipe or device, which can be read only once.
  ///
  /// - Throws: `ListError` when there is no such file or it cannot be read.
  public init?(path: String) throws(ListError) {
    var status = stat()
    if stat(path, &status) != 0 { throw Self.error(path, errno) }
    if status.st_mode & S_IFMT == S_IFDIR { throw ListError(list: path, fault: .isFolder) }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC) }
    if descriptor < 0 { throw Self.error(path, errno) }
    defer { close(descriptor) }
    // Examine the open file; another may have taken its name.
    guard let found = Self(descriptor: descriptor) else { throw Self.error(path, errno) }
    self = found
  }

  /// Takes the fingerprint of a file open for reading; nil, with the reason in `errno`, when it
  /// cannot be read.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    size = Int64(status.st_size)
    modified = status.modifiedNanoseconds
    guard let bytes = Self.hashedBytes(descriptor, size) else { return nil }
    digest = bytes.withUnsafeBufferPointer { SHA256Hash().digest(of: $0) }
  }

  private static func error(_ path: String, _ code: Int32) -> ListError {
    ListError(list: path, fault: code == ENOENT ? .missing : .unreadable(code))
  }

  private static func hashedBytes(_ descriptor: Int32, _ size: Int64) -> [UInt8]? {
    guard let head = bytes(descriptor, from: 0),
      let tail = bytes(descriptor, from: max(0, size - Int64(hashedLength)))
    else { return nil }
    return head + tail
  }

  private static func bytes(_ descriptor: Int32, from offset: Int64) -> [UInt8]? {
    var isRead = true
    let bytes = [UInt8](unsafeUninitializedCapacity: hashedLength) { buffer, count in
      while count < buffer.count {
        let free = UnsafeMutableBufferPointer(rebasing: buffer[count...])
        let more = uninterrupted {
          pread(descriptor, free.baseAddress, free.count, off_t(offset) + off_t(count))
        }
        if more < 0 { isRead = false }
        if more <= 0 { return }
        count += more
      }
    }
    return isRead ? bytes : nil
  }
}

extension ListFingerprint {
  /// The kinds of change to a list.
  public enum Change: Sendable, Hashable {
    /// The modification time only: size, head and tail are unchanged.
    case time
    /// The content.
    case content
  }

  /// Compares with an earlier fingerprint; nil when the list is unchanged. The time is ignored for
  /// a list that is hashed whole.
  public func change(since earlier: ListFingerprint) -> Change? {
    if size != earlier.size || digest != earlier.digest { return .content }
    let isHashedWhole = size <= 2 * Int64(Self.hashedLength)
    return isHashedWhole || modified == earlier.modified ? nil : .time
  }

  /// The stored form: size, time and hexadecimal digest, separated by colons.
  public var text: String {
    "\(size):\(modified):\(hexadecimal(digest))"
  }

  /// Reads the stored form; nil for anything else.
  public init?(text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 3, let size = Int64(parts[0]), let modified = Int64(parts[1]) else {
      return nil
    }
    let digits = parts[2].compactMap { $0.hexDigitValue.map { UInt8($0) } }
    guard digits.count == 64, parts[2].count == 64 else { return nil }
    let digest = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    self.init(size: size, modified: modified, digest: digest)
  }
}

/// SHA-256 (FIPS 180-4), in memory that is reused for each text.
package final class SHA256Hash {
  private let context = EVP_MD_CTX_new()
  private let algorithm = EVP_MD_fetch(nil, "SHA256", nil)
  private var result = [UInt8](repeating: 0, count: 32)

  package init() {}

  deinit {
    EVP_MD_CTX_free(context)
    EVP_MD_free(algorithm)
  }

  /// Returns the 32-byte hash of the bytes.
  package func digest(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let isDone =
      EVP_DigestInit_ex2(context, algorithm, nil) == 1
      && EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
      && EVP_DigestFinal_ex(context, &result, nil) == 1
    precondition(isDone, "OpenSSL has no SHA-256")
    return result
  }
}
