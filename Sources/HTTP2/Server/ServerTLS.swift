internal import COpenSSL

/// What a server shows and accepts in the TLS handshake: TLS 1.2 or later.
///
/// `@unchecked Sendable` because an SSL_CTX is reference counted and safe to share between threads
/// once it is set up, and it is set up in `init` only.
public final class ServerTLS: @unchecked Sendable {
  /// Why the material cannot be used.
  public enum Failure: Error, Sendable, Hashable {
    case badCertificate
    case badKey
    case keyDoesNotMatch
    case outOfMemory
  }

  let context: OpaquePointer
  private let protocols: [UInt8]

  /// - Parameters:
  ///   - certificates: the leaf and then its issuers, in DER.
  ///   - key: the leaf's private key, PKCS#8 in DER.
  ///   - protocols: what ALPN offers, best first; `h2` unless said otherwise.
  ///   - asksForClientCertificate: whether the handshake asks for one; none is required.
  public init(
    certificates: [[UInt8]], key: [UInt8], protocols: [String] = ["h2"],
    asksForClientCertificate: Bool = false
  ) throws(Failure) {
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw .outOfMemory }
    self.context = context
    self.protocols = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    try load(certificates, key)
    _ = fanfare_ssl_ctx_set_min_proto_version(context, TLS1_2_VERSION)
    _ = fanfare_ssl_ctx_set_mode(
      context, Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
    if asksForClientCertificate { SSL_CTX_set_verify(context, SSL_VERIFY_PEER) { _, _ in 1 } }
    SSL_CTX_set_alpn_select_cb(context, chooseProtocol, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { SSL_CTX_free(context) }

  private func load(_ certificates: [[UInt8]], _ key: [UInt8]) throws(Failure) {
    guard let leaf = certificates.first,
      SSL_CTX_use_certificate_ASN1(context, Int32(leaf.count), leaf) == 1
    else { throw .badCertificate }
    for issuer in certificates.dropFirst() {
      guard let parsed = parse(issuer), fanfare_ssl_ctx_add_chain_certificate(context, parsed) == 1
      else { throw .badCertificate }
    }
    guard
      SSL_CTX_use_PrivateKey_ASN1(EVP_PKEY_EC, context, key, key.count) == 1
        || SSL_CTX_use_PrivateKey_ASN1(EVP_PKEY_RSA, context, key, key.count) == 1
    else { throw .badKey }
    guard SSL_CTX_check_private_key(context) == 1 else { throw .keyDoesNotMatch }
  }

  private func parse(_ der: [UInt8]) -> OpaquePointer? {
    der.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      return d2i_X509(nil, &next, bytes.count)
    }
  }

  fileprivate func choose(
    from offered: UnsafeBufferPointer<UInt8>, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>,
    _ count: UnsafeMutablePointer<UInt8>
  ) -> Int32 {
    var pointer: UnsafeMutablePointer<UInt8>?
    let result = SSL_select_next_proto(
      &pointer, count, protocols, UInt32(protocols.count), offered.baseAddress,
      UInt32(offered.count))
    guard result == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    chosen.pointee = pointer.map { UnsafePointer($0) }
    return SSL_TLSEXT_ERR_OK
  }
}

/// SSL_select_next_proto answers with a pointer into the server's or the client's list; both
/// outlive the callback.
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
