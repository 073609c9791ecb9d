internal import COpenSSL

/// The OpenSSL context in which algorithms are looked up.
///
/// `@unchecked Sendable` because OpenSSL locks its contexts itself, and the pointer never changes.
final class LibraryContext: @unchecked Sendable {
  /// The context; nil for the process's default.
  let pointer: OpaquePointer?

  /// The process's default, which has no weak algorithms.
  static let usual = LibraryContext(pointer: nil)

  /// A context with the algorithms of old `.p12` files (RC2, RC4, DES), used only to read those;
  /// nil if the legacy module is not installed. Created on first use.
  static let legacy = LibraryContext(legacyModuleIn: nil)

  private init(pointer: OpaquePointer?) { self.pointer = pointer }

  /// Loads the legacy provider from this folder; nil means OpenSSL's own folder.
  init?(legacyModuleIn folder: String?) {
    defer { ERR_clear_error() }
    guard let context = OSSL_LIB_CTX_new() else { return nil }
    if let folder { OSSL_PROVIDER_set_default_search_path(context, folder) }
    guard OSSL_PROVIDER_load(context, "default") != nil,
      OSSL_PROVIDER_load(context, "legacy") != nil
    else {
      OSSL_LIB_CTX_free(context)
      return nil
    }
    pointer = context
  }

  // This unloads the providers too.
  deinit { OSSL_LIB_CTX_free(pointer) }
}

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

/// OpenSSL's error queue of the current thread.
enum OpenSSLErrors {
  /// Returns true if no loaded provider has a requested algorithm. Empties the queue.
  static func sayUnsupported() -> Bool {
    var isUnsupported = false
    while case let code = ERR_get_error(), code != 0 {
      isUnsupported = isUnsupported || fanfare_err_is_unsupported(code) != 0
    }
    return isUnsupported
  }

  /// Returns true if a PEM reader stopped because there are no more blocks. Empties the queue.
  static func sayEndOfPEM() -> Bool {
    defer { ERR_clear_error() }
    return fanfare_err_is_end_of_pem(ERR_peek_last_error()) != 0
  }
}

/// Calls one of OpenSSL's `d2i` functions on these bytes.
func decoded<Value>(
  _ der: UnsafeRawBufferPointer,
  _ decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int) -> Value?
) -> Value? {
  var next = der.bindMemory(to: UInt8.self).baseAddress
  return decode(&next, der.count)
}

/// SHA-256 (FIPS 180-4), 32 bytes.
func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { hash, count in
    SHA256(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, hash.baseAddress)
    count = hash.count
  }
}

/// SHA-256 (FIPS 180-4), 32 bytes.
func sha256(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { sha256($0) } }
