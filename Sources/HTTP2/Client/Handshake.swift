internal import COpenSSL

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
