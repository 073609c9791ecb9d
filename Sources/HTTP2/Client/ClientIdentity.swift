internal import COpenSSL

/// What a client shows in the TLS handshake: a certificate, its issuers and the private key.
///
/// `@unchecked Sendable` because what it holds is set up in `init` and then only read; OpenSSL
/// counts references atomically, and one key may sign in several threads at once.
public final class ClientIdentity: @unchecked Sendable {
  /// Why the material cannot be used.
  public enum Failure: Error, Sendable, Hashable {
    /// There is no certificate, or one of them is no X.509 certificate in DER.
    case badCertificate
    /// The key is not a private key in DER.
    case badKey
    /// The key belongs to another certificate than the leaf.
    case keyDoesNotMatch
    /// OpenSSL does not take it, in OpenSSL's words: `ee key too small`, for example.
    case refused(String)
  }

  private let leaf: CertificateStack
  private let issuers: CertificateStack
  private let key: PrivateKey

  /// Reads the material and tries it on a TLS context, so that a connection will not fail for it.
  ///
  /// - Parameters:
  ///   - certificates: the leaf first, then its issuers as they shall be sent, in DER. The root
  ///     can be left out (RFC 8446 section 4.4.2).
  ///   - key: the leaf's private key in DER: PKCS#8 without encryption, SEC1 or PKCS#1. It is read
  ///     once; the bytes are not kept.
  /// - Throws: `Failure`, naming the part that cannot be used.
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

  /// Makes a TLS context show it.
  ///
  /// - Returns: OpenSSL's words when it does not take it; nil when it does.
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

  /// Reads a key in DER; nil when it is none.
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
