internal import PlainText

extension DialError {
  /// The failure in a sentence, safe to print.
  package var sentence: String {
    let place = target.authority.printable + way
    let said = detail.isEmpty ? "" : " (\(detail.printable))"
    return switch layer {
    case .library: "This libcurl is not built with OpenSSL\(said)."
    // libcurl does not say more.
    case .roots:
      "The CA file \((target.additionalRoots ?? "of the system").printable) cannot be used."
    case .dns: "\(target.host.printable) has no address\(said)."
    case .tcp: "No connection to \(place)\(said)."
    case .timeout: "No connection to \(place) within \(limit)\(said)."
    case .proxy(.unreachable): "No connection to the proxy\(proxy)\(said)."
    case .proxy(let fault): "The proxy\(proxy) \(fault.clause)\(fault.isLasting ? "" : said)."
    case .tls: "The TLS handshake with \(place) failed\(said)."
    case .certificate(let fault):
      "The certificate of \(place) \(fault.clause)\(issuer)\(said)."
    case .identity(.certificateRequired), .identity(.handshakeFailure):
      "\(place) requires a client certificate\(said)."
    case .identity(let alert?): "\(place) refused the client certificate: \(alert.name)\(said)."
    case .identity(nil): "OpenSSL rejects the client certificate\(said)."
    case .alpn(let chosen?): "\(place) speaks \(chosen.printable), not HTTP/2."
    case .alpn(nil): "\(place) does not speak HTTP/2."
    }
  }

  /// The timeout that was exceeded: `30 s` or `250 ms`.
  private var limit: String {
    let (seconds, rest) = target.timeoutMilliseconds.quotientAndRemainder(dividingBy: 1000)
    return rest == 0 ? "\(seconds) s" : "\(target.timeoutMilliseconds.grouped) ms"
  }

  private var proxy: String { target.proxyInUse.map { " " + $0.place.printable } ?? "" }

  private var way: String { proxy.isEmpty ? "" : " through the proxy\(proxy)" }

  /// The issuer of the server's certificate. An unfamiliar name reveals interception.
  private var issuer: String {
    guard layer == .certificate(.untrusted), let presented else { return "" }
    return " (issuer: '\((presented.issuerCommonName ?? presented.issuer).printable)')"
  }
}

extension DialError.ProxyFault {
  fileprivate var clause: String {
    switch self {
    case .url: "has a URL that cannot be read"
    case .dns: "has no address"
    case .loginMissing: "asks for a user name and a password"
    case .loginRefused: "did not accept the user name or password"
    case .loginScheme(let names):
      "offers only \(names.joined(separator: " and ")) for authentication"
    case .refused, .unreachable: "refused the connection"
    }
  }
}

extension DialError.CertificateFault {
  fileprivate var clause: String {
    switch self {
    case .untrusted: "was not issued by a trusted authority"
    case .expired: "has expired"
    case .notYetValid: "is not valid yet"
    case .wrongName: "is for a different name"
    case .other: "is not accepted"
    }
  }
}

extension ProxySetting {
  /// The proxy and the setting that named it, without the user name and password its URL may hold.
  package var place: String { origin.isEmpty ? description : "\(description) (from \(origin))" }
}

extension ClientIdentity.Failure {
  /// The fault in a sentence, safe to print.
  package var sentence: String {
    switch self {
    case .badCertificate: "OpenSSL cannot read the certificate."
    case .badKey: "OpenSSL cannot read the certificate's key."
    case .keyDoesNotMatch: "The key belongs to a different certificate."
    case .refused(let words): "OpenSSL rejects the certificate: \(words.printable)."
    }
  }
}
