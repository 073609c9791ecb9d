internal import COpenSSL

/// The bytes of a key or a password, in one buffer that is wiped when it goes. They are never
/// printed.
///
/// `@unchecked Sendable` because nothing writes to the buffer between `init` and `deinit`.
public final class SecretBytes: @unchecked Sendable {
  private let buffer: UnsafeMutableRawBufferPointer

  /// An owner of a copy of these bytes. The original stays the caller's, to be wiped there.
  public init(copying bytes: UnsafeRawBufferPointer) {
    buffer = .allocate(byteCount: bytes.count, alignment: 1)
    buffer.copyMemory(from: bytes)
  }

  /// An owner of a copy of a text's UTF-8, such as a variable's value.
  public init(_ text: String) {
    let utf8 = text.utf8
    buffer = .allocate(byteCount: utf8.count, alignment: 1)
    buffer.copyBytes(from: utf8)
  }

  deinit {
    OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    buffer.deallocate()
  }

  /// How many bytes there are.
  public var count: Int { buffer.count }

  /// Lends the bytes. What is copied out of them is the caller's to wipe.
  public func withBytes<Result: ~Copyable, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(buffer))
  }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
  /// How many bytes there are, and nothing else.
  public var description: String { "secret of \(count) bytes" }

  /// How many bytes there are, and nothing else.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
