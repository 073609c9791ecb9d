internal import COpenSSL
internal import POSIX

/// Certificates in OpenSSL's form, immutable once assembled.
///
/// `@unchecked Sendable` because OpenSSL counts references atomically, and nothing else is written.
final class CertificateStack: @unchecked Sendable {
  /// A `STACK_OF(X509)`.
  let pointer: OpaquePointer

  /// Shares the certificates of another stack; nil if memory runs out or there is no stack.
  init?(sharing other: OpaquePointer?) {
    guard let other, let pointer = X509_chain_up_ref(other) else { return nil }
    self.pointer = pointer
  }

  /// Parses certificates in DER; nil if one of them is invalid or has trailing bytes.
  init?(_ certificates: some Sequence<[UInt8]>) {
    guard let pointer = fanfare_x509_stack_new() else { return nil }
    self.pointer = pointer
    for certificate in certificates {
      guard add(certificate) else { return nil }
    }
  }

  deinit { fanfare_x509_stack_free(pointer) }

  private func add(_ der: [UInt8]) -> Bool {
    let parsed = der.withUnsafeBytes {
      parseWhole($0) {
        d2i_X509(nil, $0, $1)
      } free: {
        X509_free($0)
      }
    }
    guard let parsed else { return false }
    if fanfare_x509_stack_push(pointer, parsed) > 0 { return true }
    X509_free(parsed)
    return false
  }

  var count: Int { Int(fanfare_x509_stack_count(pointer)) }

  /// The `X509` at an index, owned by the stack; nil past the end.
  subscript(index: Int) -> OpaquePointer? {
    index < count ? fanfare_x509_stack_get(pointer, Int32(index)) : nil
  }

  /// The contents of the certificates.
  var parsed: [PeerCertificate] { (0..<count).compactMap { self[$0].map(PeerCertificate.init) } }
}

/// Parses DER with one of OpenSSL's functions; nil if it is invalid or has trailing bytes.
func parseWhole(
  _ der: UnsafeRawBufferPointer,
  with read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?,
  free: (OpaquePointer) -> Void
) -> OpaquePointer? {
  der.withMemoryRebound(to: UInt8.self) { bytes in
    var next = bytes.baseAddress
    guard let start = next, let parsed = read(&next, bytes.count) else { return nil }
    if next == start + bytes.count { return parsed }
    free(parsed)
    return nil
  }
}

/// The authorities that the system trusts.
enum SystemRoots {
  /// A directory of hashed names is read one certificate at a time, when a chain asks for it; a
  /// bundle costs some ten milliseconds of every process.
  static func trust(in context: OpaquePointer) {
    if hasHashedDirectory {
      SSL_CTX_set_default_verify_dir(context)
    } else {
      SSL_CTX_set_default_verify_paths(context)
    }
  }

  /// True if OpenSSL's certificate directory holds a whole store of names like `5ed36f99.0`, and
  /// not just a few added next to a bundle.
  private static let hasHashedDirectory: Bool = {
    guard getenv(String(cString: X509_get_default_cert_file_env())) == nil else { return false }
    let directory = getenv(String(cString: X509_get_default_cert_dir_env()))
    let path = directory.map { String(cString: $0) } ?? String(cString: X509_get_default_cert_dir())
    return names(inFolder: path)?.count { $0.hasSuffix(".0") } ?? 0 >= wholeStore
  }()

  private static let wholeStore = 32
}
