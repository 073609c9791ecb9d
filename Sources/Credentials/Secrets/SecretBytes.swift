internal import COpenSSL

/// The bytes of a key or a password, in one buffer that is wiped on `deinit`. They are never
/// printed.
///
/// `@unchecked Sendable` because nothing writes to the buffer between `init` and `deinit`.
public final class SecretBytes: @unchecked Sendable {
  private let buffer: UnsafeMutableRawBufferPointer

  /// The number of bytes.
  public let count: Int

  /// Allocates a buffer and lets the caller write directly into it.
  ///
  /// - Parameters:
  ///   - capacity: the size of the buffer in bytes.
  ///   - fill: writes to the start of the buffer and returns the number of bytes to keep. The rest
  ///     is wiped.
  public init<Failure>(
    capacity: Int, filling fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
    do throws(Failure) {
      count = try fill(buffer)
    } catch {
      OPENSSL_cleanse(buffer.baseAddress, capacity)
      buffer.deallocate()
      throw error
    }
    self.buffer = buffer
    wipeRest()
  }

  /// Wipes bytes that were written and then dropped, such as the start of base64 that turned out to
  /// be invalid. They are secret too.
  private func wipeRest() {
    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
    OPENSSL_cleanse(rest.baseAddress, rest.count)
  }

  /// Copies bytes. The caller has to wipe the original.
  public convenience init(copying bytes: UnsafeRawBufferPointer) {
    self.init(capacity: bytes.count) { buffer in
      buffer.copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// Copies a text as UTF-8, such as a variable's value.
  public convenience init(_ text: String) {
    let utf8 = text.utf8
    self.init(capacity: utf8.count) { buffer in
      buffer.copyBytes(from: utf8)
      return utf8.count
    }
  }

  deinit {
    OPENSSL_cleanse(buffer.baseAddress, count)
    buffer.deallocate()
  }

  /// Lends the bytes. The caller has to wipe any copy it makes.
  public func withBytes<Result: ~Copyable, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
  }

  /// The bytes without a final line feed or carriage return, or both, and without a byte order mark
  /// in UTF-8: editors and `echo` add these.
  public var withoutLineEnd: SecretBytes {
    withBytes { bytes in
      let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      var content = bytes[mark...]
      if content.last == 0x0A { content.removeLast() }
      if content.last == 0x0D { content.removeLast() }
      if content.count == bytes.count { return self }
      return SecretBytes(copying: UnsafeRawBufferPointer(rebasing: content))
    }
  }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
  /// The byte count only.
  public var description: String { "secret of \(count) bytes" }

  /// The byte count only.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
