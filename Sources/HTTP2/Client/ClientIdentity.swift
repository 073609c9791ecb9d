internal import COpenSSL

/// A client's credentials for the TLS handshake: a certificate, its issuers and the private key.
///
/// `@unchecked Sendable` because its state is set up in `init` and only read afterwards; OpenSSL
/// counts references atomically, and a key may sign on several threads at once.
public final class ClientIdentity: @unchecked Sendable {
  /// The reason the credentials cannot be used.
  public enum Failure: Error, Sendable, Hashable {
    /// There is no certificate, or one of them is not an X.509 certificate in DER.
    case badCertificate
    /// The key is not a private key in DER.
    case badKey
    /// The key does not belong to the leaf certificate.
    case keyDoesNotMatch
    /// OpenSSL rejected them, with its message: for example `ee key too small`.
    case refused(String)
  }

  private let leaf: CertificateStack
  private let issuers: CertificateStack
  private let key: PrivateKey

  /// Parses the credentials and tries them on a TLS context, so that connecting will not fail.
  ///
  /// - Parameters:
  ///   - certificates: the leaf first, then its issuers in the order to be sent, in DER. The root
  ///     may be omitted (RFC 8446 section 4.4.2).
  ///   - key: the leaf's private key in DER: unencrypted PKCS#8, SEC1 or PKCS#1. It is read once;
  ///     the bytes are not kept.
  /// - Throws: `Failure`, which names the unusable part.
  public init(certificates: [[UInt8]], key: UnsafeRawBufferPointer) throws(Failure) {
    defer { ERR_clear_error() }
    guard !certificates.isEmpty, let leaf = CertificateStack(certificates.prefix(1)),
      let issuers = CertificateStack(certificates.dropFirst())
    else { throw .badCertificate }
    guard let key = PrivateKey(der: key) else { throw .badKey }
    guard X509_check_private_key(leaf[0], key.pointer) == 1 else { throw .keyDoesNotMatch }
    (self.leaf, self.issuers, self.key) = (leaf, issuers, key)
    try tryOn()
  }

  private func tryOn() throws(Failure) {
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw .refused("out of memory") }
    defer { SSL_CTX_free(context) }
    if let words = install(in: context) { throw .refused(words) }
  }

  /// Configures a TLS context to present the credentials.
  ///
  /// - Returns: OpenSSL's message if it rejects them; nil on success.
  func install(in context: OpaquePointer) -> String? {
    ERR_clear_error()
    if SSL_CTX_use_cert_and_key(context, leaf[0], key.pointer, issuers.pointer, 1) == 1 {
      return nil
    }
    defer { ERR_clear_error() }
    let words = ERR_reason_error_string(ERR_peek_last_error())
    return words.map { String(cString: $0) } ?? "no reason given"
  }
}

/// A private key in OpenSSL's form.
private final class PrivateKey {
  let pointer: OpaquePointer

  /// Parses a key in DER; nil if it is not one.
  init?(der: UnsafeRawBufferPointer) {
    let parsed = parseWhole(der) {
      d2i_AutoPrivateKey(nil, $0, $1)
    } free: {
      EVP_PKEY_free($0)
    }
    guard let parsed else { return nil }
    pointer = parsed
  }

  deinit { EVP_PKEY_free(pointer) }
}
