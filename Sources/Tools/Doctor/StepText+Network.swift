internal import Diagnosis
internal import HTTP2
internal import JSONText
internal import PlainText
internal import Reporting

// Texts for addresses, ports, connections and conversations.

extension [HostAddress] {
  var text: StepText {
    let shown = prefix(4).map(\.text.printable).joined(separator: ", ")
    return StepText(
      shown + (count > 4 ? " and \(count - 4) more." : "."), ["addresses": .texts(map(\.text))])
  }
}

extension DiagnosisPlan {
  fileprivate var host: String { target.host.printable }

  func noAddress(within limit: Int) -> StepText {
    noAddress(
      "The resolver gave no answer about \(host) within \(milliseconds(Double(limit))).")
  }

  func noAddress(_ error: HostLookup.Failure) -> StepText {
    noAddress("\(host) has no address (\(error.message)).")
  }

  private func noAddress(_ sentence: String) -> StepText {
    StepText(sentence, fix: proxyFix ?? "Check the name, the network and the resolver.")
  }

  func families(_ reaches: [FamilyReach]) -> StepText {
    let isWorking = reaches.contains { $0.outcome.milliseconds != nil || $0.outcome == .refused }
    let fix =
      isWorking
      ? "Nothing: the other family is used. Repair the route, or turn the family off."
      : "Check the network, and whether a firewall blocks \(firewalled)."
    return StepText(
      reaches.map { "\($0.family.name) \($0.outcome.clause)" }.joined(separator: ", ") + ".",
      fix: proxyFix ?? fix,
      ["families": .array(of: reaches) { $0.outcome.evidence("family", .text($0.family.name)) }])
  }

  private var firewalled: String {
    testsChannels ? "port \(target.port)" : "ports 443 and 2197"
  }

  func ports(_ reaches: [PortReach]) -> StepText {
    let open = reaches.first { $0.outcome.milliseconds != nil }
    let fix =
      open.map { "Give --port \($0.port), or have port \(reaches[0].port) opened." }
      ?? "Check host and port, whether the server is running, and firewalls."
    return StepText(
      "Port " + reaches.map { "\($0.port) \($0.outcome.clause)" }.joined(separator: ", ") + ".",
      fix: proxyFix ?? fix,
      ["ports": .array(of: reaches) { $0.outcome.evidence("port", .number($0.port)) }])
  }

  /// The fix for a missing direct connection when a proxy is used.
  private var proxyFix: String? {
    target.proxyInUse == nil ? nil : "Nothing, as long as the proxy is used."
  }
}

extension JSON {
  fileprivate static func array<Element>(
    of elements: [Element], _ json: (Element) -> JSON
  ) -> JSON { JSON(.array(elements.map(json))) }
}

extension AddressFamily {
  fileprivate var name: String { self == .v4 ? "IPv4" : "IPv6" }
}

extension FamilyReach.Outcome {
  /// The time that the connection took; nil if there is none.
  fileprivate var milliseconds: Int? { if case .connected(let time) = self { time } else { nil } }

  fileprivate var clause: String { texts.clause }

  private var texts: (clause: String, word: String) {
    switch self {
    case .connected(let time): ("connects (\(time) ms)", "connected")
    case .refused: ("is refused", "refused")
    case .noRoute: ("has no route from here", "noRoute")
    case .silent: ("gets no answer", "silent")
    case .failed(let code): ("fails (\(systemMessage(code)))", "failed")
    }
  }

  fileprivate func evidence(_ key: String, _ value: JSON) -> JSON {
    [key: value, "outcome": .text(texts.word), "milliseconds": .number(milliseconds)]
  }
}

extension StepText {
  static func direct(_ unused: ProxySetting?) -> StepText {
    let why = unused.map { ": \($0.place.printable) does not apply to this host." } ?? "."
    return StepText(
      "No proxy is used" + why, ["proxy": nil, "unused": .text(unused?.description)])
  }

  static func tunnel(_ proxy: ProxySetting) -> StepText {
    StepText(
      "\(proxy.place.printable) opened the tunnel.",
      ["proxy": .text(proxy.description), "origin": .text(proxy.origin)])
  }

  static func streams(_ limit: Int?) -> StepText {
    let sentence =
      switch limit {
      case nil: "No limit on concurrent streams."
      case 1?: "One stream until a provider token is accepted."
      case let limit?: "At most \(counted(limit, "concurrent stream"))."
      }
    return StepText(sentence, ["maxConcurrentStreams": .number(limit)])
  }
}

extension TLSConnectionFacts {
  func text(daysLeft days: Int) -> StepText {
    StepText(
      "\(sentence) \(counted(days, "day")) left.",
      fix: "The server's operator has to renew its certificate.", evidence(days: days))
  }

  func text(foreignRoot root: String, _ plan: DiagnosisPlan) -> StepText {
    StepText(
      "\(sentence) '\(root.printable)' is not one of the roots that Apple names.",
      fix: "TLS is intercepted on the way: have \(plan.host) exempted from inspection.",
      evidence(days: nil))
  }

  private var sentence: String {
    let leaf = chain.first.map { ($0.commonName ?? $0.subject).printable } ?? ""
    let issuer = chain.first.map { ($0.issuerCommonName ?? $0.issuer).printable } ?? ""
    let root = chain.last.map { ($0.commonName ?? $0.subject).printable } ?? ""
    let rest = root == issuer ? "" : ", root '\(root)'"
    return "\(tlsVersion), \(cipher). '\(leaf)' signed by '\(issuer)'\(rest)."
  }

  private func evidence(days: Int?) -> JSON {
    let (leaf, root) = (chain.first, chain.last)
    return [
      "version": .text(tlsVersion), "cipher": .text(cipher), "subject": .text(leaf?.subject),
      "issuer": .text(leaf?.issuer), "root": .text(root.map { $0.commonName ?? $0.subject }),
      "daysLeft": .number(days), "asksForCertificate": .flag(asksForIdentity),
    ]
  }
}

extension DialError {
  var evidence: JSON { ["detail": .text(detail), "presentedIssuer": .text(presented?.issuer)] }
}
