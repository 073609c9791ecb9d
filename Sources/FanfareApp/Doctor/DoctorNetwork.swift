internal import APNS
internal import Credentials
internal import Diagnosis
internal import HTTP2
internal import JSONText
internal import POSIX
internal import PlainText

// What is told of addresses, ports, links and conversations.

extension [HostAddress] {
  var sentence: String {
    let shown = prefix(4).map(\.text.printable).joined(separator: ", ")
    return shown + (count > 4 ? " and \(count - 4) more." : ".")
  }
}

extension DiagnosisPlan {
  var host: String { target.host.printable }

  var lookUpFix: String { proxyFix ?? "Check the name, the network and the resolver." }

  /// How far each address family got.
  func families(_ reaches: [FamilyReach]) -> DiagnosisFinding.Seen {
    let isWorking = reaches.contains { $0.outcome.isConnected || $0.outcome == .refused }
    let fix =
      isWorking
      ? "Nothing: the other family is used. Repair the route, or turn the family off."
      : "Check the network, and whether a firewall blocks ports 443 and 2197."
    return (
      reaches.map { "\($0.family.name) \($0.outcome.clause)" }.joined(separator: ", ") + ".",
      proxyFix ?? fix,
      ["families": reaches.evidence { $0.outcome.evidence("family", .text($0.family.name)) }]
    )
  }

  /// How far each port got.
  func ports(_ reaches: [PortReach]) -> DiagnosisFinding.Seen {
    let open = reaches.first { $0.outcome.isConnected }
    let fix =
      open.map { "Give --port \($0.port), or have port \(reaches[0].port) opened." }
      ?? "Check host and port, whether the server is running, and firewalls."
    return (
      "Port " + reaches.map { "\($0.port) \($0.outcome.clause)" }.joined(separator: ", ") + ".",
      proxyFix ?? fix,
      ["ports": reaches.evidence { $0.outcome.evidence("port", .number($0.port)) }]
    )
  }

  /// What is said of a direct way that is closed, while a proxy is used.
  private var proxyFix: String? {
    target.proxyInUse == nil ? nil : "Nothing, as long as the proxy is used."
  }
}

extension Array {
  fileprivate func evidence(_ json: (Element) -> JSON) -> JSON { JSON(.array(map(json))) }
}

extension AddressFamily {
  fileprivate var name: String { self == .v4 ? "IPv4" : "IPv6" }
}

extension FamilyReach.Outcome {
  fileprivate var isConnected: Bool { if case .connected = self { true } else { false } }

  fileprivate var clause: String {
    switch self {
    case .connected(let time): "connects (\(time) ms)"
    case .refused: "is refused"
    case .noRoute: "has no route from here"
    case .silent: "gets no answer"
    case .failed(let code): "fails (\(systemMessage(code)))"
    }
  }

  fileprivate func evidence(_ key: String, _ value: JSON) -> JSON {
    let (word, time): (String, Int?) =
      switch self {
      case .connected(let milliseconds): ("connected", milliseconds)
      case .refused: ("refused", nil)
      case .noRoute: ("noRoute", nil)
      case .silent: ("silent", nil)
      case .failed: ("failed", nil)
      }
    let members = [(key, value), ("outcome", .text(word)), ("milliseconds", .number(time))]
    return JSON(.object(JSONObject(members.map { JSONMember(key: $0.0, value: $0.1) })))
  }
}

extension TLSConnectionFacts {
  /// The handshake and the chain.
  var sentence: String {
    let leaf = chain.first.map { ($0.commonName ?? $0.subject).printable } ?? ""
    let issuer = chain.first.map { ($0.issuerCommonName ?? $0.issuer).printable } ?? ""
    let root = chain.last.map { ($0.commonName ?? $0.subject).printable } ?? ""
    let rest = root == issuer ? "" : ", root '\(root)'"
    return "\(tlsVersion), \(cipher). '\(leaf)' signed by '\(issuer)'\(rest)."
  }

  func evidence(days: Int?) -> JSON {
    let (leaf, root) = (chain.first, chain.last)
    return [
      "version": .text(tlsVersion), "cipher": .text(cipher), "subject": .text(leaf?.subject),
      "issuer": .text(leaf?.issuer), "root": .text(root.map { $0.commonName ?? $0.subject }),
      "daysLeft": .number(days), "asksForCertificate": .flag(asksForIdentity),
    ]
  }
}

extension DialError {
  var evidence: JSON {
    ["detail": .text(detail), "presentedIssuer": .text(presented?.issuer)]
  }
}

extension ConversationEnd {
  var sentence: String {
    switch self {
    case .timedOut(let limit): "The server sent nothing within \(milliseconds(Double(limit)))."
    case .closed: "The server closed the connection."
    case .goAway(let reason?, _): "The server closed the connection with \(reason.rawValue)."
    case .goAway(nil, let code): "The server closed the connection with GOAWAY, code \(code)."
    case .reset(let code): "The server reset the stream with code \(code)."
    case .identityRefused(.certificateRequired), .identityRefused(.handshakeFailure):
      "The server requires a client certificate."
    case .identityRefused(let alert): "The server refused the client certificate: \(alert.name)."
    case .brokenProtocol: "What the server sends is not HTTP/2."
    case .broken(let text): "The connection broke (\(text.printable))."
    }
  }

  var fix: String {
    switch self {
    case .goAway(let reason?, _): reason.info?.advice ?? "See 'fanfare explain \(reason.rawValue)'."
    case .identityRefused(let alert): DialError.fix(refusedWith: alert)
    case .timedOut, .closed, .goAway(nil, _), .reset, .brokenProtocol, .broken:
      "Check that this is APNs, and look for a proxy or firewall on the way."
    }
  }

  var evidence: JSON {
    switch self {
    case .goAway(let reason, let code):
      ["reason": .text(reason?.rawValue), "code": .number(code)]
    case .identityRefused(let alert): ["alert": .text(alert.name)]
    case .timedOut, .closed, .reset, .brokenProtocol, .broken: [:]
    }
  }
}
