internal import COpenSSL

/// The bytes of a key or a password, in one buffer that is wiped when it goes. They are never
/// printed.
///
/// `@unchecked Sendable` because nothing writes to the buffer between `init` and `deinit`.
public final class SecretBytes: @unchecked Sendable {
  private let buffer: UnsafeMutableRawBufferPointer

  /// How many bytes there are.
  public let count: Int

  /// An owner of bytes that are written straight into its buffer.
  ///
  /// - Parameters:
  ///   - capacity: how many bytes the buffer has room for.
  ///   - fill: writes to the start of the buffer and gives the count of what is kept of it. The
  ///     rest is wiped.
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

  /// What was written and then given up, such as the start of base64 that ends in something else,
  /// is a secret too.
  private func wipeRest() {
    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
    OPENSSL_cleanse(rest.baseAddress, rest.count)
  }

  /// An owner of a copy of these bytes. The original stays the caller's, to be wiped there.
  public convenience init(copying bytes: UnsafeRawBufferPointer) {
    self.init(capacity: bytes.count) { buffer in
      buffer.copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// An owner of a copy of a text's UTF-8, such as a variable's value.
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

  /// Lends the bytes. What is copied out of them is the caller's to wipe.
  public func withBytes<Result: ~Copyable, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
  }

  /// The same without the line feed, or carriage return and line feed, that editors and `echo` put
  /// at the end of a file.
  public var withoutLineEnd: SecretBytes {
    withBytes { bytes in
      guard bytes.last == 0x0A else { return self }
      let line = bytes.dropLast()
      let content = line.last == 0x0D ? line.dropLast() : line
      return SecretBytes(copying: UnsafeRawBufferPointer(rebasing: content))
    }
  }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
  /// How many bytes there are, and nothing else.
  public var description: String { "secret of \(count) bytes" }

  /// How many bytes there are, and nothing else.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
