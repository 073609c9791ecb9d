internal import CCurl
internal import COpenSSL

/// The reason a connection could not be opened. Nothing was sent.
public struct DialError: Error, Sendable, Hashable {
  /// The layer that failed.
  public enum Layer: Sendable, Hashable {
    /// The local libcurl is unusable: it is built with a TLS library other than OpenSSL.
    case library
    /// The file of additional roots cannot be read or holds no certificate.
    case roots
    /// The host name has no address or is invalid.
    case dns
    /// No TCP connection: refused, unreachable, reset.
    case tcp
    /// Connecting timed out.
    case timeout
    /// The proxy is at fault.
    case proxy(ProxyFault)
    /// The TLS handshake failed for a reason other than the server's certificate.
    case tls
    /// The server's certificate was rejected.
    case certificate(CertificateFault)
    /// The client certificate was rejected or is missing. The alert is the server's; nil if OpenSSL
    /// rejected the certificate locally, with its message in `detail`.
    ///
    /// With TLS 1.3 the server may reject it only after the client's handshake is complete: the
    /// connection then opens and ends with `ChannelFailure.identityRefused`.
    case identity(TLSAlert?)
    /// The server did not choose HTTP/2. The text is its choice; nil if it chose nothing or
    /// rejected the handshake (RFC 7301 section 3.2).
    case alpn(chosen: String?)
  }

  /// A fault of the proxy, or of the way to it.
  public enum ProxyFault: Sendable, Hashable {
    /// Its URL is invalid, or does not show where user name and password end.
    case url
    /// Its name has no address.
    case dns
    /// No TCP connection to it: refused, unreachable, reset.
    case unreachable
    /// It asks for a user name and a password, and its URL has none.
    case loginMissing
    /// It did not accept the user name or the password.
    case loginRefused
    /// It offers only these authentication schemes, none of which is Basic (RFC 7617).
    case loginScheme([String])
    /// It refused the tunnel (`detail` then holds the status), or the tunnel did not carry TLS.
    case refused

    /// Trying the same again cannot help. A password that is refused several times may be locked.
    package var isLasting: Bool {
      switch self {
      case .url, .loginMissing, .loginRefused, .loginScheme: true
      case .dns, .unreachable, .refused: false
      }
    }
  }

  /// A fault of the server's certificate.
  public enum CertificateFault: Sendable, Hashable {
    /// It was not issued by a locally trusted root.
    case untrusted
    /// It, or one of its issuers, has expired.
    case expired
    /// It, or one of its issuers, is not yet valid, or this machine's clock is behind.
    case notYetValid
    /// It is for a different host.
    case wrongName
    /// Any other fault, described in `detail`.
    case other
  }

  /// The layer that failed.
  public var layer: Layer

  /// The message from libcurl or OpenSSL, as evidence; may be empty. It is untrusted: escape it
  /// before it reaches a terminal.
  public var detail: String

  /// The target of the connection.
  public var target: DialTarget

  /// The certificate that the server presented if it was rejected: its issuer reveals interception.
  /// Nil for all other layers, and if the server presented none.
  public var presented: PeerCertificate?

  /// Creates an error with all its evidence.
  public init(
    layer: Layer, detail: String, target: DialTarget, presented: PeerCertificate? = nil
  ) {
    self.layer = layer
    self.detail = detail
    self.target = target
    self.presented = presented
  }
}

extension DialError.Layer {
  /// The layer indicated by the handshake and libcurl's result code.
  ///
  /// - Parameter proxyFault: the proxy's fault if it is to blame; nil without a proxy.
  init(code: CURLcode, tls: ClientTLS, proxyFault: DialError.ProxyFault?, detail: String) {
    if tls.rootsFailed {
      self = .roots
    } else if tls.identityFault != nil {
      self = .identity(nil)
    } else if let layer = Self(tls.handshake) {
      self = layer
    } else if let alert = tls.identityAlert {
      self = .identity(alert)
    } else if let proxyFault,
      code.isOfProxy(detail) || !tls.handshake.heardServer && code.isBrokenConnection
    {
      self = .proxy(proxyFault)
    } else {
      self.init(code: code, chainVerified: tls.handshake.completed)
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

  private init(code: CURLcode, chainVerified: Bool) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_URL_MALFORMAT: self = .dns
    case CURLE_OPERATION_TIMEDOUT: self = .timeout
    case CURLE_SSL_CACERT_BADFILE: self = .roots
    case CURLE_PEER_FAILED_VERIFICATION:
      // libcurl checks the host name itself, after the handshake.
      self = .certificate(chainVerified ? .wrongName : .other)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND: self = .tls
    default: self = .tcp
    }
  }
}

extension CURLcode {
  /// True if only a proxy can be at fault.
  func isOfProxy(_ detail: String) -> Bool {
    switch self {
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: true
    case CURLE_RECV_ERROR: detail.contains("CONNECT")
    default: false
    }
  }

  /// True if bytes do not get through or are not the expected ones; the code does not tell if the
  /// proxy or the server is to blame.
  var isBrokenConnection: Bool {
    switch self {
    case CURLE_COULDNT_CONNECT, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING,
      CURLE_SSL_CONNECT_ERROR:
      true
    // Newer versions of libcurl say this of a reply that is not HTTP.
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_FUNCTION_ARGUMENT: true
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
