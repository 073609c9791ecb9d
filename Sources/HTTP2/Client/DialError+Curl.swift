internal import CCurl
internal import COpenSSL

extension DialError.Layer {
  /// The layer that libcurl's result code and OpenSSL's verification result point at.
  init(code: CURLcode, verification: Int, detail: String) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: self = .dns
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: self = .proxy
    case CURLE_OPERATION_TIMEDOUT: self = .timeout
    case CURLE_SSL_CACERT_BADFILE: self = .roots
    case CURLE_PEER_FAILED_VERIFICATION:
      self = .certificate(DialError.CertificateFault(verification: verification))
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND: self = .tls
    case CURLE_RECV_ERROR where detail.contains("CONNECT"): self = .proxy
    default: self = detail.contains("proxy") ? .proxy : .tcp
    }
  }
}

extension DialError.CertificateFault {
  /// The fault behind an `X509_V_ERR_…` number. libcurl compares the name itself and reports it
  /// with a chain that verified.
  init(verification: Int) {
    switch Int32(truncatingIfNeeded: verification) {
    case X509_V_OK, X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      self = .wrongName
    case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      self = .untrusted
    default: self = .other
    }
  }
}
