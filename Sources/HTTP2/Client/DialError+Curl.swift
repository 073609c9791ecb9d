internal import CCurl
internal import COpenSSL

extension DialError.Layer {
  /// The layer indicated by the handshake and libcurl's result code.
  init(code: CURLcode, tls: ClientTLS, proxied: Bool, detail: String) {
    if tls.rootsFailed {
      self = .roots
    } else if tls.identityFault != nil {
      self = .identity(nil)
    } else if let layer = Self(tls.handshake) {
      self = layer
    } else if let alert = tls.identityAlert {
      self = .identity(alert)
    } else if proxied && !tls.handshake.heardServer && code.isBrokenConnection {
      self = .proxy
    } else {
      self.init(code: code, chainVerified: tls.handshake.completed, detail: detail)
    }
  }

  private init?(_ handshake: Handshake) {
    if handshake.alert == .noApplicationProtocol {
      self = .alpn(chosen: nil)
    } else if let number = handshake.verificationError {
      self = .certificate(DialError.CertificateFault(verification: number))
    } else {
      return nil
    }
  }

  private init(code: CURLcode, chainVerified: Bool, detail: String) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_URL_MALFORMAT: self = .dns
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: self = .proxy
    case CURLE_OPERATION_TIMEDOUT: self = .timeout
    case CURLE_SSL_CACERT_BADFILE: self = .roots
    case CURLE_PEER_FAILED_VERIFICATION:
      // libcurl checks the host name itself, after the handshake.
      self = .certificate(chainVerified ? .wrongName : .other)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND: self = .tls
    case CURLE_RECV_ERROR where detail.contains("CONNECT"): self = .proxy
    default: self = .tcp
    }
  }
}

extension CURLcode {
  /// True if bytes do not get through or are not the expected ones; the code does not tell if the
  /// proxy or the server is to blame.
  var isBrokenConnection: Bool {
    switch self {
    case CURLE_COULDNT_CONNECT, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING,
      CURLE_SSL_CONNECT_ERROR:
      true
    default: false
    }
  }
}

extension DialError.CertificateFault {
  /// Maps an `X509_V_ERR_…` number to a fault.
  init(verification: Int) {
    switch Int32(truncatingIfNeeded: verification) {
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      self = .wrongName
    case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_SIGNATURE_FAILURE,
      X509_V_ERR_CERT_UNTRUSTED:
      self = .untrusted
    default: self = .other
    }
  }
}
