internal import APNS
internal import Diagnosis
internal import HTTP2
internal import POSIX
internal import PlainText
internal import PushModel

// What is told of steps 4 to 11.
extension DiagnosisEvidence {
  func networkSentence(_ plan: DiagnosisPlan) -> String {
    let host = plan.target.host.printable
    return switch self {
    case .addresses(let addresses): listed(addresses)
    case .lookUpFailed(let error): "\(host) has no address (\(error.message))."
    case .lookUpTimedOut(let limit):
      "No answer about \(host) within \(milliseconds(Double(limit)))."
    case .families(let reaches):
      reaches.map { "\($0.family.name) \($0.outcome.clause)" }.joined(separator: ", ") + "."
    case .ports(let reaches):
      "Port " + reaches.map { "\($0.port) \($0.outcome.clause)" }.joined(separator: ", ") + "."
    case .direct(nil): "None is used."
    case .direct(let setting?): "None is used: \(setting.place.printable) is not for this host."
    case .tunnel(let setting): "\(setting.place.printable) opened the tunnel."
    case .dialFailed(let error): error.sentence
    case .handshake(let facts, let days): facts.sentence + " \(counted(days, "day")) left."
    case .foreignRoot(let facts, let root):
      facts.sentence + " '\(root.printable)' is none of the roots that Apple names."
    case .acceptedCertificate: "The server's certificate was accepted."
    case .chosenProtocol: "HTTP/2 was chosen."
    case .streams(nil): "They set no limit to the streams at once."
    case .streams(1): "One stream at once, until a provider token is accepted."
    case .streams(let limit?): "At most \(counted(limit, "stream")) at once."
    case .conversation(let end): end.sentence
    default: ""
    }
  }

  func networkFix(_ plan: DiagnosisPlan) -> String? {
    switch self {
    case .lookUpFailed, .lookUpTimedOut:
      plan.needsNoWay ?? "Check the name, the network and the resolver."
    case .families(let reaches): familyFix(reaches, plan)
    case .ports(let reaches): plan.needsNoWay ?? portFix(reaches)
    case .dialFailed(let error): error.fix
    case .handshake: "The server's owner has to renew its certificate."
    case .foreignRoot:
      "Somebody opens TLS on the way: have \(plan.target.host.printable) excepted from inspection."
    case .conversation(let end): end.fix
    default: nil
    }
  }

  private func familyFix(_ reaches: [FamilyReach], _ plan: DiagnosisPlan) -> String {
    if let text = plan.needsNoWay { return text }
    let isWorking = reaches.contains {
      if case .connected = $0.outcome { true } else { $0.outcome == .refused }
    }
    return isWorking
      ? "Nothing needs it: the other one is used. Repair the route, or switch the family off."
      : "Check the network, and whether a firewall lets 443 or 2197 through."
  }

  private func portFix(_ reaches: [PortReach]) -> String {
    let open = reaches.first { if case .connected = $0.outcome { true } else { false } }
    if let open { return "Give --port \(open.port), or have port \(reaches[0].port) opened." }
    return "Check host and port, whether the server runs, and firewalls."
  }

  private func listed(_ addresses: [HostAddress]) -> String {
    let shown = addresses.prefix(4).map(\.text.printable).joined(separator: ", ")
    return shown + (addresses.count > 4 ? " and \(addresses.count - 4) more." : ".")
  }
}

extension DiagnosisPlan {
  /// What is said of a direct way that is closed, while a proxy is used.
  fileprivate var needsNoWay: String? {
    target.proxyInUse == nil ? nil : "Nothing to do while the proxy is used."
  }
}

extension AddressFamily {
  var name: String { self == .v4 ? "IPv4" : "IPv6" }
}

extension FamilyReach.Outcome {
  fileprivate var clause: String {
    switch self {
    case .connected(let time): "connects (\(time) ms)"
    case .refused: "is refused"
    case .noRoute: "has no route from here"
    case .silent: "gets no answer"
    case .failed(let code): "fails (\(String(cString: strerror(code))))"
    }
  }
}

extension TLSConnectionFacts {
  fileprivate var sentence: String {
    let leaf = chain.first.map { ($0.commonName ?? $0.subject).printable } ?? ""
    let issuer = chain.first.map { ($0.issuerCommonName ?? $0.issuer).printable } ?? ""
    let root = chain.last.map { ($0.commonName ?? $0.subject).printable } ?? ""
    let rest = root == issuer ? "" : ", root '\(root)'"
    return "\(tlsVersion), \(cipher). '\(leaf)' signed by '\(issuer)'\(rest)."
  }
}

extension ConversationEnd {
  fileprivate var sentence: String {
    switch self {
    case .timedOut(let limit): "The server said nothing within \(milliseconds(Double(limit)))."
    case .closed: "The server closed the connection."
    case .goAway(let reason?, _): "The server closed the connection for \(reason.rawValue)."
    case .goAway(nil, let code): "The server closed the connection with GOAWAY, code \(code)."
    case .reset(let code): "The server reset the stream with code \(code)."
    case .identityRefused(.certificateRequired), .identityRefused(.handshakeFailure):
      "The server wants a client certificate."
    case .identityRefused(let alert): "The server refused the client certificate: \(alert.name)."
    case .brokenProtocol: "What the server says is no HTTP/2."
    case .broken(let text): "The connection broke (\(text.printable))."
    }
  }

  fileprivate var fix: String {
    switch self {
    case .goAway(let reason?, _): reason.info?.advice ?? "See 'fanfare explain \(reason.rawValue)'."
    case .identityRefused(.certificateExpired), .identityRefused(.certificateRevoked):
      "Create a new certificate in the developer portal."
    case .identityRefused(.certificateRequired), .identityRefused(.handshakeFailure):
      DialError.fixForMissingIdentity
    case .identityRefused: "Check that the certificate is Apple's and for this environment."
    default: "Check that this is APNs, and look for a proxy or firewall on the way."
    }
  }
}

extension FalsePushAnswer {
  /// What the answer proves, or what it complains of.
  var sentence: String {
    let answer = [response.status.description, response.reason?.rawValue].compactMap(\.self)
    let words = answer.joined(separator: " ").printable
    if response.isAccepted { return "\(words): \(acceptance)" }
    switch response.reason {
    case .badDeviceToken?, .unregistered?: return "\(words): the credentials are good."
    case let reason?:
      return
        "\(words): \(reason.info?.meaning ?? "this reason is newer than this fanfare.")\(clock)"
    case nil: return "\(words), without a reason."
    }
  }

  /// The likeliest cause and what to do about it.
  var fix: String? {
    if clockFault != nil { return "Set the clock; see 'date -u'." }
    if response.isAccepted { return "Tell Apple; the push itself reached nobody." }
    guard let reason = response.reason, let cause = reason.causes(of: request).first else {
      return "Try again later; look at the server, and at proxies on the way."
    }
    if cause.text == reason.info?.meaning { return cause.fix }
    return "Most likely: \(cause.text) \(cause.fix) More: fanfare explain \(reason.rawValue)"
  }

  private var acceptance: String {
    request.service == .other
      ? "the credentials are good; this server takes any device token."
      : "the credentials are good, but that APNs takes a false device token is odd."
  }

  private var clock: String {
    guard let clockFault else { return "" }
    return " This clock is \(duration(clockFault)) "
      + (clockFault > 0 ? "ahead of" : "behind") + " the server's, and that is why."
  }
}
