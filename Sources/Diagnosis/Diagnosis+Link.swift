internal import HTTP2

// Steps 7 to 9: one dial, reported layer by layer.
extension DiagnosisKnowledge {
  /// The root CAs of APNs' server certificates (Apple: Setting up a remote notification server).
  private static let appleRoots: Set = [
    "USERTrust RSA Certification Authority", "AAA Certificate Services",
  ]

  mutating func proxy() -> Sight {
    guard let setting = plan.target.proxyInUse else {
      return (.ok, .direct(plan.target.proxy.flatMap { $0.url.isEmpty ? nil : $0 }))
    }
    if case .failure(let error) = dial(), error.isOfProxy { return (.broken, .dialFailed(error)) }
    return (.ok, .tunnel(setting))
  }

  mutating func handshake() -> Sight {
    switch dial() {
    case .success(let conversation): return judge(conversation.facts)
    case .failure(let error):
      guard case .alpn = error.layer else { return (.broken, .dialFailed(error)) }
      // Without detail text the handshake completed; with it, the server aborted over the protocol.
      return error.detail.isEmpty
        ? (.ok, .acceptedCertificate) : (.skipped, .unchecked(.endedEarlier))
    }
  }

  private func judge(_ facts: TLSConnectionFacts) -> Sight {
    let root = facts.chain.last.map { $0.commonName ?? $0.subject } ?? ""
    if plan.service != nil, !Self.appleRoots.contains(root) {
      return (.warning, .foreignRoot(facts, root: root))
    }
    let end = facts.chain.map(\.notAfter).min() ?? 0
    let days = Int((end - plan.clock.epochSeconds) / 86_400)
    return (days < 3 ? .warning : .ok, .handshake(facts, daysLeft: days))
  }

  mutating func chosenProtocol() -> Sight {
    switch dial() {
    case .success: (.ok, .chosenProtocol("h2"))
    case .failure(let error): (.broken, .dialFailed(error))
    }
  }

  /// The connection to the server, opened on first use.
  mutating func dial() -> Result<Conversation, DialError> {
    if let dialed { return dialed }
    let (target, identity, clock) = (plan.target, identity, plan.clock)
    let result = Result { () throws(DialError) in
      Conversation(try Dialer.dial(target, identity: identity), target, clock)
    }
    dialed = result
    return result
  }
}

extension DialError {
  /// The proxy is to blame, provided the connection goes through one.
  fileprivate var isOfProxy: Bool {
    switch layer {
    case .proxy, .dns, .tcp: true
    // libcurl's message names the phase it had reached when the time ran out.
    case .timeout: !detail.contains("SSL")
    case .library, .roots, .tls, .certificate, .identity, .alpn: false
    }
  }
}
