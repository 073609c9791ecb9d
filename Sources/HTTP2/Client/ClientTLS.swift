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

/// The facts of a TLS handshake, gathered from its events because libcurl's `CONNECT_ONLY` handle
/// does not reveal them afterwards.
struct Handshake {
  /// True once the handshake is complete, which includes verifying the server's chain.
  private(set) var completed = false

  /// True once any TLS message has arrived from the server.
  private(set) var heardServer = false

  /// True if the server requested a client certificate.
  private(set) var asksForIdentity = false

  /// The protocol chosen by ALPN.
  private(set) var chosenProtocol: String?

  /// The TLS version, for example `TLSv1.3`; empty until the handshake is complete.
  private(set) var version = ""

  /// The cipher suite; empty until the handshake is complete.
  private(set) var cipher = ""

  /// The fatal alert from the server, during the handshake or later.
  private(set) var alert: TLSAlert?

  /// The `X509_V_ERR_…` number for which this side aborted the handshake; nil if it did not.
  private(set) var verificationError: Int?

  /// The verified part of the server's chain, its own certificate first. Kept in OpenSSL's form:
  /// parsing it costs more than a push and is rarely needed.
  private(set) var chain: CertificateStack?

  /// Handles an event of OpenSSL's info callback.
  mutating func observe(_ ssl: OpaquePointer, _ event: Int32, _ value: Int32) {
    if event & SSL_CB_HANDSHAKE_DONE != 0 {
      finish(ssl)
    } else if event == SSL_CB_ALERT | SSL_CB_READ {
      received(alert: value)
    } else if event == SSL_CB_ALERT | SSL_CB_WRITE {
      sentAlert(over: ssl)
    } else if event & SSL_CB_LOOP != 0, !completed {
      step(SSL_get_state(ssl))
    }
  }

  /// Finishes the handshake once; with TLS 1.3 each session ticket reports the end of another one.
  private mutating func finish(_ ssl: OpaquePointer) {
    guard !completed else { return }
    completed = true
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &name, &length)
    chosenProtocol = name.map {
      String(decoding: UnsafeBufferPointer(start: $0, count: Int(length)), as: UTF8.self)
    }
    version = String(cString: SSL_get_version(ssl))
    cipher = SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)).map { String(cString: $0) } ?? ""
    chain = CertificateStack(sharing: SSL_get0_verified_chain(ssl))
  }

  private mutating func step(_ state: OSSL_HANDSHAKE_STATE) {
    if state == TLS_ST_CR_SRVR_HELLO { heardServer = true }
    if state == TLS_ST_CR_CERT_REQ { asksForIdentity = true }
  }

  /// Handles an alert, whose level is in the upper byte. Errors must be sent as fatal alerts, in
  /// TLS 1.3 too (RFC 8446 section 6).
  private mutating func received(alert value: Int32) {
    heardServer = true
    if value >> 8 == SSL3_AL_FATAL { alert = TLSAlert(rawValue: UInt8(truncatingIfNeeded: value)) }
  }

  /// Reads the verification result from OpenSSL. libcurl's own result depends on the first error
  /// that OpenSSL queued, which is not about the certificate if a signature fails to verify.
  private mutating func sentAlert(over ssl: OpaquePointer) {
    let result = SSL_get_verify_result(ssl)
    guard !completed, result != Int(X509_V_OK) else { return }
    verificationError = result
    chain = CertificateStack(sharing: SSL_get0_verified_chain(ssl))
  }
}
