internal import COpenSSL

/// What a TLS handshake shows to the one who is told of its steps. libcurl's `CONNECT_ONLY` handle
/// gives nothing of it away afterwards.
struct Handshake {
  /// Whether it was completed, and so the server's chain verified.
  private(set) var completed = false

  /// Whether anything in TLS has come from the server.
  private(set) var heardServer = false

  /// Whether the server asked for a client certificate.
  private(set) var asksForIdentity = false

  /// The protocol that ALPN chose.
  private(set) var chosenProtocol: String?

  /// `TLSv1.3`, for example; empty before it is completed.
  private(set) var version = ""

  /// The cipher suite; empty before it is completed.
  private(set) var cipher = ""

  /// The fatal alert that the server has sent, at any time.
  private(set) var alert: TLSAlert?

  /// The `X509_V_ERR_…` number for which this side ended the handshake; nil when it did not.
  private(set) var verificationError: Int?

  /// The server's certificates as far as they were verified, its own first. Kept as OpenSSL has
  /// them: reading them costs more than a push, and few ask.
  private(set) var chain: CertificateStack?

  /// Takes an event of OpenSSL's info callback.
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

  /// With TLS 1.3 each session ticket ends another handshake.
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

  /// The level is in the upper byte. What ends a connection for a fault must be sent as fatal, in
  /// TLS 1.3 too (RFC 8446 section 6).
  private mutating func received(alert value: Int32) {
    heardServer = true
    if value >> 8 == SSL3_AL_FATAL { alert = TLSAlert(rawValue: UInt8(truncatingIfNeeded: value)) }
  }

  /// libcurl's own result is not reliable: what OpenSSL queued first decides it, and of a signature
  /// that does not verify that is not the certificate.
  private mutating func sentAlert(over ssl: OpaquePointer) {
    let result = SSL_get_verify_result(ssl)
    guard !completed, result != Int(X509_V_OK) else { return }
    verificationError = result
    chain = CertificateStack(sharing: SSL_get0_verified_chain(ssl))
  }
}
