internal import APNS
package import HTTP2
package import JSONText
internal import PlainText

extension DialError: Described {
  private var proxyOrigin: String {
    let origin = target.proxy?.origin ?? ""
    return origin.isEmpty ? "its address" : origin.printable
  }

  private var isOfManagement: Bool {
    PushEnvironment.named.contains { $0.managementAddress?.port == target.port }
  }

  package var fix: String {
    switch layer {
    case .library: "Install the OpenSSL build of libcurl (libcurl4-openssl-dev)."
    case .roots: "Name a readable PEM file with at least one certificate."
    case .dns: "Check the name, the network and the resolver."
    case .tcp where isOfManagement, .timeout where isOfManagement:
      "Check whether a firewall blocks port \(target.port); channels are managed on no other."
    case .tcp, .timeout:
      PushEnvironment.servicePorts.contains(target.port)
        ? "Check host and port, and whether a firewall blocks 443; APNs also answers on 2197."
        : "Check host and port, and whether a server listens there."
    case .proxy(let fault): fix(of: fault)
    case .tls: "Check that the server speaks TLS 1.2 or later on this port."
    case .certificate(let fault): fault.fix
    case .identity(let alert?): Self.fix(refusedWith: alert)
    case .identity(nil): "Create a new certificate with an RSA key of 2048 bits."
    case .alpn: "APNs speaks HTTP/2 only: check the address, and proxies that intercept TLS."
    }
  }

  private func fix(of fault: ProxyFault) -> String {
    switch fault {
    case .url: "Check \(proxyOrigin). \(URLLogin.advice)"
    case .dns: "Check the name in \(proxyOrigin), the network and the resolver."
    case .unreachable: "Check host and port in \(proxyOrigin), and whether the proxy runs."
    case .loginMissing:
      "Write them into HTTPS_PROXY, as http://USER:PASSWORD@HOST:PORT. \(URLLogin.advice)"
    case .loginRefused: "Check them in \(proxyOrigin). \(URLLogin.advice)"
    case .loginScheme:
      "Use a proxy that offers Basic: one on this machine can sign in to the other, as cntlm does."
    case .refused: "Check \(proxyOrigin) and the proxy's own rules for port \(target.port)."
    }
  }

  /// The advice when the server refuses the client certificate, or asks for one that was not given.
  static func fix(refusedWith alert: TLSAlert) -> String {
    switch alert {
    case .certificateExpired, .certificateRevoked:
      "Create a new certificate in the developer portal."
    case .certificateRequired, .handshakeFailure:
      "Give one with --cert; a signing key is not enough for this server."
    default: "Check that the certificate was issued by Apple, for this environment."
    }
  }
}

extension DialError.CertificateFault {
  fileprivate var fix: String {
    switch self {
    case .untrusted: "Trust its authority with --ca FILE, or look for a proxy that intercepts TLS."
    case .expired, .notYetValid: "Check this machine's clock first, then the server's certificate."
    case .wrongName: "Use the name that the certificate was issued for."
    case .other: "Look at it with: openssl s_client -connect HOST:PORT"
    }
  }
}

extension ConversationEnd: Described {
  package var sentence: String {
    switch self {
    case .timedOut(let limit): "The server sent nothing within \(milliseconds(Double(limit)))."
    case .closed: "The server closed the connection."
    case .goAway(let frame): "The server closed the connection with \(frame.words)."
    case .reset(let code): "The server reset the stream with code \(code)."
    case .identityRefused(.certificateRequired), .identityRefused(.handshakeFailure):
      "The server requires a client certificate."
    case .identityRefused(let alert): "The server refused the client certificate: \(alert.name)."
    case .brokenProtocol: "What the server sends is not HTTP/2."
    case .broken(let text): "The connection broke (\(text.printable))."
    }
  }

  package var fix: String {
    switch self {
    case .goAway(let frame):
      frame.reason.map { $0.info?.advice ?? "See 'fanfare explain \($0.rawValue)'." }
        ?? Self.checkWay
    case .identityRefused(let alert): DialError.fix(refusedWith: alert)
    case .timedOut, .closed, .reset, .brokenProtocol, .broken: Self.checkWay
    }
  }

  private static let checkWay =
    "Check that this is APNs, and look for a proxy or firewall on the way."

  package var evidence: JSON {
    switch self {
    case .goAway(let frame):
      ["reason": .text(frame.reason?.rawValue), "code": .number(frame.errorCode)]
    case .identityRefused(let alert): ["alert": .text(alert.name)]
    case .timedOut, .closed, .reset, .brokenProtocol, .broken: [:]
    }
  }
}

extension GoAway {
  /// The reason that APNs gives in the frame; nil when it gives none.
  var reason: Reason? { ErrorBody.reason(in: debugData) }

  var words: String { reason?.rawValue ?? "GOAWAY, code \(errorCode)" }
}
