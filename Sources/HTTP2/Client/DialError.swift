/// Why a connection to a server could not be opened. Nothing was sent.
public struct DialError: Error, Sendable, Hashable {
  /// The layer that failed.
  public enum Layer: Sendable, Hashable {
    /// The local libcurl is not fit: it is built with another TLS library than OpenSSL.
    case library
    /// The file of additional roots cannot be read or holds no certificate.
    case roots
    /// The host name has no address, or is none.
    case dns
    /// No TCP connection: refused, unreachable, reset.
    case tcp
    /// The time for connecting ran out.
    case timeout
    /// The proxy's URL cannot be read, its name has no address, it cannot be reached, it refused
    /// the tunnel (then `detail` holds the status), or no TLS came out of the tunnel.
    case proxy
    /// The TLS handshake failed for another reason than the server's certificate.
    case tls
    /// The server's certificate was not accepted.
    case certificate(CertificateFault)
    /// The client certificate was refused, or is missing. The alert is the server's; nil when
    /// OpenSSL did not take it here, and `detail` has OpenSSL's words.
    ///
    /// With TLS 1.3 a server can refuse it only after the client's handshake is over: then the
    /// connection opens and ends with `ChannelFailure.identityRefused`.
    case identity(TLSAlert?)
    /// The server did not choose HTTP/2. The text is what it chose; nil when it chose nothing or
    /// refused the handshake for that (RFC 7301 section 3.2).
    case alpn(chosen: String?)
  }

  /// What is wrong with the server's certificate.
  public enum CertificateFault: Sendable, Hashable {
    /// It was not issued by a root that is trusted here.
    case untrusted
    /// It, or one of its issuers, is past its last day.
    case expired
    /// It, or one of its issuers, is before its first day, or this machine's clock is behind.
    case notYetValid
    /// It is for another host.
    case wrongName
    /// Anything else; `detail` says what.
    case other
  }

  /// The layer that failed.
  public var layer: Layer

  /// What libcurl or OpenSSL said about it, as evidence; may be empty. It comes from outside:
  /// escape it before it reaches a terminal.
  public var detail: String

  /// Where the connection was to go.
  public var target: DialTarget

  /// What the server showed, when its certificate was not accepted: interception is known by the
  /// issuer. Nil for every other layer, and when the server showed none.
  public var presented: PeerCertificate?

  /// An error with all its evidence.
  public init(
    layer: Layer, detail: String, target: DialTarget, presented: PeerCertificate? = nil
  ) {
    self.layer = layer
    self.detail = detail
    self.target = target
    self.presented = presented
  }
}
