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
    /// The proxy's URL is invalid, its name has no address, it is unreachable, it refused the
    /// tunnel (`detail` then holds the status), or the tunnel did not carry TLS.
    case proxy
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
