internal import COpenSSL

/// The sole owner of a stack from OpenSSL and of its elements.
final class OwnedStack {
  private let pointer: OpaquePointer
  private let release: @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// Takes ownership of a stack; nil if given nil.
  init?(
    _ pointer: OpaquePointer?,
    release: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
  ) {
    guard let pointer else { return nil }
    self.pointer = pointer
    self.release = release
  }

  deinit { OPENSSL_sk_pop_free(pointer, release) }

  /// Visits the elements in order.
  func forEach<Failure>(
    _ body: (UnsafeMutableRawPointer) throws(Failure) -> Void
  ) throws(Failure) {
    try withExtendedLifetime(self) { () throws(Failure) in try Self.forEach(in: pointer, body) }
  }

  /// The same for a stack owned elsewhere.
  static func forEach<Failure>(
    in stack: OpaquePointer, _ body: (UnsafeMutableRawPointer) throws(Failure) -> Void
  ) throws(Failure) {
    for index in 0..<max(0, OPENSSL_sk_num(stack)) {
      if let element = OPENSSL_sk_value(stack, index) { try body(element) }
    }
  }
}
