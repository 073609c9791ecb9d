internal import COpenSSL
internal import POSIX

/// The server's TLS configuration (TLS 1.2 or later): its certificate, and clients it accepts.
///
/// `@unchecked Sendable` because an SSL_CTX is reference counted and safe to share between threads
/// once set up, which happens only in `init`.
public final class ServerTLS: @unchecked Sendable {
  /// The reason the certificate or key cannot be used.
  public enum Failure: Error, Sendable, Hashable {
    /// There is no certificate, or one of them is not an X.509 certificate in DER.
    case badCertificate
    /// The key is not a private key in DER.
    case badKey
    /// The key does not belong to the leaf certificate.
    case keyDoesNotMatch
    /// OpenSSL is out of memory.
    case outOfMemory
  }

  let context: OpaquePointer

  /// The ALPN list in wire format. OpenSSL keeps pointers into it.
  private let protocols: UnsafeBufferPointer<UInt8>

  /// Sets up a context, and blocks `SIGPIPE` on this thread.
  ///
  /// - Parameters:
  ///   - certificates: the leaf followed by its issuers, in DER.
  ///   - key: the leaf's private key, PKCS#8 in DER.
  ///   - protocols: the ALPN protocols by preference; `h2` by default. A client that offers none of
  ///     them is rejected; with an empty list ALPN is ignored.
  ///   - asksForClientCertificate: true to request a certificate in the handshake.
  ///   - requiresClientCertificate: true to reject clients without one.
  /// - Throws: `Failure`, which names the unusable part.
  public init(
    certificates: [[UInt8]], key: [UInt8], protocols: [String] = ["h2"],
    asksForClientCertificate: Bool = false, requiresClientCertificate: Bool = false
  ) throws(Failure) {
    BrokenPipe.block()
    defer { ERR_clear_error() }
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw .outOfMemory }
    self.context = context
    self.protocols = Self.wireForm(of: protocols)
    try load(certificates, key)
    _ = fanfare_ssl_ctx_set_min_proto_version(context, TLS1_2_VERSION)
    fanfare_ssl_ctx_take_eof_as_the_end(context)
    _ = fanfare_ssl_ctx_set_mode(
      context, Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
    if asksForClientCertificate || requiresClientCertificate {
      askForClientCertificate(isRequired: requiresClientCertificate)
    }
    if !protocols.isEmpty {
      SSL_CTX_set_alpn_select_cb(
        context, chooseProtocol, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  deinit {
    SSL_CTX_free(context)
    protocols.deallocate()
  }

  /// Encodes names of 1 to 255 bytes, each preceded by its length (RFC 7301 section 3.1).
  private static func wireForm(of protocols: [String]) -> UnsafeBufferPointer<UInt8> {
    let bytes = protocols.filter { 1...255 ~= $0.utf8.count }.flatMap {
      [UInt8($0.utf8.count)] + Array($0.utf8)
    }
    let list = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = list.initialize(from: bytes)
    return UnsafeBufferPointer(list)
  }

  /// Requests a certificate and accepts any: it is verified later. Without a session ID context,
  /// OpenSSL would fail the handshake of every client that resumes a session.
  private func askForClientCertificate(isRequired: Bool) {
    let mode = SSL_VERIFY_PEER | (isRequired ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0)
    SSL_CTX_set_verify(context, mode) { _, _ in 1 }
    let name = Array("fanfare".utf8)
    SSL_CTX_set_session_id_context(context, name, UInt32(name.count))
  }

  private func load(_ certificates: [[UInt8]], _ key: [UInt8]) throws(Failure) {
    guard let leaf = certificates.first,
      SSL_CTX_use_certificate_ASN1(context, Int32(leaf.count), leaf) == 1
    else { throw .badCertificate }
    for issuer in certificates.dropFirst() {
      guard let parsed = parse(issuer, with: { d2i_X509(nil, $0, $1) }) else {
        throw .badCertificate
      }
      guard fanfare_ssl_ctx_add_chain_certificate(context, parsed) == 1 else {
        X509_free(parsed)
        throw .badCertificate
      }
    }
    guard let parsed = parse(key, with: { d2i_AutoPrivateKey(nil, $0, $1) }) else {
      throw .badKey
    }
    defer { EVP_PKEY_free(parsed) }
    guard SSL_CTX_use_PrivateKey(context, parsed) == 1, SSL_CTX_check_private_key(context) == 1
    else { throw .keyDoesNotMatch }
  }

  private func parse(
    _ der: [UInt8],
    with read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
  ) -> OpaquePointer? {
    der.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      return read(&next, bytes.count)
    }
  }

  fileprivate func choose(
    from offered: UnsafeBufferPointer<UInt8>, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>,
    _ count: UnsafeMutablePointer<UInt8>
  ) -> Int32 {
    var pointer: UnsafeMutablePointer<UInt8>?
    let result = SSL_select_next_proto(
      &pointer, count, protocols.baseAddress, UInt32(protocols.count), offered.baseAddress,
      UInt32(offered.count))
    guard result == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    chosen.pointee = pointer.map { UnsafePointer($0) }
    return SSL_TLSEXT_ERR_OK
  }
}

/// SSL_select_next_proto returns a pointer into the server's or the client's list; both outlive the
/// callback.
private func chooseProtocol(
  _ ssl: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ count: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ length: UInt32,
  _ owner: UnsafeMutableRawPointer?
) -> Int32 {
  guard let owner, let chosen, let count else { return SSL_TLSEXT_ERR_ALERT_FATAL }
  let tls = Unmanaged<ServerTLS>.fromOpaque(owner).takeUnretainedValue()
  return tls.choose(
    from: UnsafeBufferPointer(start: offered, count: Int(length)), chosen, count)
}
