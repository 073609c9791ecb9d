internal import HTTP2
internal import PlainText

extension DialError {
  /// What went wrong on the way to the server.
  var sentence: String {
    let place = target.authority.printable + way
    let said = detail.isEmpty ? "" : " (\(detail.printable))"
    return switch layer {
    case .library: "This libcurl is not built with OpenSSL\(said)."
    // libcurl knows no more than that something was wrong.
    case .roots: "The file of certificates \(roots) cannot be used."
    case .dns: "\(target.host.printable) has no address\(said)."
    case .tcp: "No connection to \(place)\(said)."
    case .timeout: "No connection to \(place) within \(target.timeoutMilliseconds / 1000) s\(said)."
    case .proxy: "The proxy\(proxy) did not let the connection through\(said)."
    case .tls: "The TLS handshake with \(place) failed\(said)."
    case .certificate(let fault):
      "\(place) shows a certificate that \(fault.clause)\(issuer)\(said)."
    case .identity(.certificateRequired), .identity(.handshakeFailure):
      "\(place) wants a client certificate\(said)."
    case .identity(let alert?): "\(place) refused the client certificate: \(alert.name)\(said)."
    case .identity(nil): "OpenSSL does not take the client certificate\(said)."
    case .alpn(let chosen?): "\(place) speaks \(chosen.printable), not HTTP/2."
    case .alpn(nil): "\(place) does not speak HTTP/2."
    }
  }

  private var proxy: String { target.proxyInUse.map { " " + $0.place.printable } ?? "" }

  private var way: String { proxy.isEmpty ? "" : " through the proxy\(proxy)" }

  /// Who signed what was shown. A name that nobody knows is how interception is found.
  private var issuer: String {
    guard layer == .certificate(.untrusted), let presented else { return "" }
    return ", but '\((presented.issuerCommonName ?? presented.issuer).printable)'"
  }

  private var roots: String { (target.additionalRoots ?? "of the system").printable }

  private var proxyOrigin: String {
    guard let origin = target.proxy?.origin, !origin.isEmpty else { return "its address" }
    return origin.printable
  }

  /// What to do about it.
  var fix: String {
    switch layer {
    case .library: "Install the OpenSSL build of libcurl (libcurl4-openssl-dev)."
    case .roots: "Name a PEM file that can be read and holds at least one certificate."
    case .dns: "Check the name, the network and the resolver."
    case .tcp, .timeout:
      "Check host and port, and whether a firewall lets 443 through; APNs answers on 2197 too."
    case .proxy:
      "Check \(proxyOrigin) and the proxy's own rules for port \(target.port)."
    case .tls: "Check that the server speaks TLS 1.2 or later on this port."
    case .certificate(let fault): fault.fix
    case .identity(.certificateExpired), .identity(.certificateRevoked):
      "Create a new certificate in the developer portal."
    case .identity(nil): "Create a new certificate with an RSA key of 2048 bits."
    case .identity(.certificateRequired), .identity(.handshakeFailure): Self.fixForMissingIdentity
    case .identity: "Check that the certificate is Apple's and for this environment."
    case .alpn: "APNs is reached over HTTP/2 only: check the address, and proxies that open TLS."
    }
  }
}

extension DialError {
  /// What to do where a provider token is not enough.
  static let fixForMissingIdentity =
    "Give one with --cert; a signing key is not enough for this server."
}

extension DialError.CertificateFault {
  fileprivate var clause: String {
    switch self {
    case .untrusted: "no trusted authority signed"
    case .expired: "has expired"
    case .notYetValid: "is not valid yet"
    case .wrongName: "is for another name"
    case .other: "is not accepted"
    }
  }

  fileprivate var fix: String {
    switch self {
    case .untrusted: "Trust its authority with --ca FILE, or look for a proxy that opens TLS."
    case .expired, .notYetValid: "Check this machine's clock first, then the server's certificate."
    case .wrongName: "Use the name that the certificate was made for."
    case .other: "Look at it with: openssl s_client -connect HOST:PORT"
    }
  }
}
