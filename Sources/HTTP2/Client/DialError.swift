/// Why a link to a server could not be opened. Nothing was sent.
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
    /// The proxy's name has no address, the proxy given in the target cannot be reached, or a
    /// proxy refused the tunnel.
    case proxy
    /// The TLS handshake failed for another reason than the server's certificate.
    case tls
    /// The server's certificate was not accepted.
    case certificate(CertificateFault)
    /// The server did not choose HTTP/2. The text is what it chose; nil when it chose nothing or
    /// refused the handshake for that (RFC 7301 section 3.2).
    case alpn(chosen: String?)
  }

  /// What is wrong with the server's certificate.
  public enum CertificateFault: Sendable, Hashable {
    /// No root that is trusted here stands behind it.
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
}
