internal import COpenSSL

/// fanfare's additions to the TLS context prepared by libcurl (ALPN `h2`, the system's roots, the
/// user's own roots, the client's identity), and the facts of the handshake.
final class ClientTLS {
  private let additionalRoots: String?
  private let identity: ClientIdentity?
  private let allowsKeyLog: Bool

  private(set) var rootsFailed = false

  /// OpenSSL's message if it rejected the identity.
  private(set) var identityFault: String?

  /// True once the handshake was reached.
  private(set) var started = false

  /// The facts of the handshake so far.
  private(set) var handshake = Handshake()

  init(
    additionalRoots: String? = nil, identity: ClientIdentity? = nil, allowsKeyLog: Bool = false
  ) {
    self.additionalRoots = additionalRoots
    self.identity = identity
    self.allowsKeyLog = allowsKeyLog
  }

  /// Prepares a context. `self` must outlive the connection that uses it.
  func prepare(_ context: OpaquePointer) -> Bool {
    started = true
    // libcurl 8.17 and newer let every handshake succeed and check the certificate afterwards. Here
    // a bad certificate fails the handshake, and OpenSSL alone decides.
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    SSL_CTX_set_info_callback(context, observeHandshake)
    // By now libcurl has set its own callback if SSLKEYLOGFILE is set.
    if !allowsKeyLog { SSL_CTX_set_keylog_callback(context, nil) }
    fanfare_ssl_ctx_take_eof_as_the_end(context)
    _ = fanfare_ssl_ctx_set_ex_data(
      context, Self.index, Unmanaged.passUnretained(self).toOpaque())
    // Unlike its siblings, this function returns 0 on success.
    let offered: [UInt8] = [2] + Array("h2".utf8)
    guard SSL_CTX_set_alpn_protos(context, offered, UInt32(offered.count)) == 0 else {
      return false
    }
    identityFault = identity?.install(in: context)
    return identityFault == nil && trustRoots(of: context)
  }

  private func trustRoots(of context: OpaquePointer) -> Bool {
    SystemRoots.trust(in: context)
    guard let additionalRoots else { return true }
    rootsFailed = SSL_CTX_load_verify_locations(context, additionalRoots, nil) != 1
    return !rootsFailed
  }

  /// The alert with which the server rejected the identity or its absence; nil if it did neither.
  var identityAlert: TLSAlert? {
    guard let alert = handshake.alert else { return nil }
    // TLS 1.2 has no alert of its own for a missing certificate.
    let isMissing =
      alert == .handshakeFailure && handshake.asksForIdentity && identity == nil
    // The only signature the server verifies is the client's.
    let isUnproven = alert == .decryptError && handshake.asksForIdentity && identity != nil
    return alert.isAboutCertificate || isMissing || isUnproven ? alert : nil
  }

  /// The ex-data index under which each context stores `self`.
  private static let index = fanfare_ssl_ctx_new_ex_index()

  fileprivate static func owner(of ssl: OpaquePointer) -> ClientTLS? {
    guard let context = SSL_get_SSL_CTX(ssl), let pointer = SSL_CTX_get_ex_data(context, index)
    else { return nil }
    return Unmanaged<ClientTLS>.fromOpaque(pointer).takeUnretainedValue()
  }

  fileprivate func observe(_ ssl: OpaquePointer, _ event: Int32, _ value: Int32) {
    handshake.observe(ssl, event, value)
  }
}

private func observeHandshake(_ ssl: OpaquePointer?, _ event: Int32, _ value: Int32) {
  guard let ssl else { return }
  ClientTLS.owner(of: ssl)?.observe(ssl, event, value)
}
