internal import HTTP2
internal import POSIX
internal import Synchronization

// Steps 4 to 6: the direct route to the server. If a proxy is in use, a failure here is only a
// warning.
extension DiagnosisKnowledge {
  /// The limit per family. More addresses add no information, and each costs a thread per port.
  private static let addressesTried = 2

  private var failure: DiagnosisVerdict { plan.isProxied ? .warning : .broken }

  mutating func addresses() -> Sight {
    let found = gather([plan.target.host], milliseconds: limit, plan.network.addresses)
    switch found.first ?? nil {
    case nil: return (failure, .lookUpTimedOut(limit))
    case .failure(let error)?: return (failure, .lookUpFailed(error))
    case .success(let addresses)?:
      candidates = AddressFamily.allCases.flatMap { family in
        addresses.filter { $0.family == family }.prefix(Self.addressesTried)
      }
      return (.ok, .addresses(addresses))
    }
  }

  mutating func families() -> Sight {
    if candidates.isEmpty { return (.skipped, .unchecked(.noAddresses)) }
    probe()
    let reaches = AddressFamily.allCases.compactMap { family in
      outcome { $0.address.family == family }.map { FamilyReach(family: family, outcome: $0) }
    }
    guard reaches.contains(where: \.outcome.isAnswer) else { return (failure, .families(reaches)) }
    let isWhole = reaches.allSatisfy { $0.outcome.isAnswer || $0.outcome == .noRoute }
    return (isWhole ? .ok : .warning, .families(reaches))
  }

  mutating func portsReached() -> Sight {
    if candidates.isEmpty { return (.skipped, .unchecked(.noAddresses)) }
    let reaches = plan.ports.compactMap { port in
      outcome { $0.port == port }.map { PortReach(port: port, outcome: $0) }
    }
    if case .connected? = reaches.first?.outcome { return (.ok, .ports(reaches)) }
    return (failure, .ports(reaches))
  }

  private mutating func probe() {
    let ways = candidates.flatMap { address in plan.ports.map { (address, $0) } }
    let (connect, limit) = (plan.network.connect, limit)
    let results = gather(ways, milliseconds: limit + 100) { connect($0.0, $0.1, limit) }
    probes = zip(ways, results).map { way, result in
      Probe(address: way.0, port: way.1, result: result ?? .failure(.timedOut))
    }
  }

  /// The best outcome among the matching probes; nil if there are none.
  private func outcome(of isMeant: (Probe) -> Bool) -> FamilyReach.Outcome? {
    let outcomes = probes.filter(isMeant).map { FamilyReach.Outcome($0.result) }
    return outcomes.min { $0.rank < $1.rank }
  }
}

extension FamilyReach.Outcome {
  fileprivate init(_ result: Result<Int, TCPProbe.Failure>) {
    switch result {
    case .success(let milliseconds): self = .connected(milliseconds)
    case .failure(.timedOut): self = .silent
    case .failure(.system(ECONNREFUSED)): self = .refused
    case .failure(.system(let code)):
      let noRoute = [ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT]
      self = noRoute.contains(code) ? .noRoute : .failed(code)
    }
  }

  /// The host answered, by accepting or by refusing.
  fileprivate var isAnswer: Bool { rank <= 1 }

  fileprivate var rank: Int {
    switch self {
    case .connected: 0
    case .refused: 1
    case .silent: 2
    case .failed: 3
    case .noRoute: 4
    }
  }
}

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

/// The results of work that runs concurrently, each on its own thread.
private final class Gathering<Value: Sendable>: Sendable {
  let wake: Wake
  private let values: Mutex<[Value?]>

  init(_ count: Int, wake: Wake) {
    self.wake = wake
    values = Mutex(Array(repeating: nil, count: count))
  }

  var all: [Value?] { values.withLock { $0 } }

  func add(_ value: Value, at index: Int) {
    values.withLock { $0[index] = value }
    wake.call()
  }
}

/// Does uninterruptible work for all inputs concurrently, and waits up to a limit.
///
/// - Returns: the results that arrived in time, in the order of the inputs; nil for the rest, whose
///   threads end when the system call returns.
func gather<Input: Sendable, Value: Sendable>(
  _ inputs: [Input], milliseconds: Int, _ work: @escaping @Sendable (Input) -> Value
) -> [Value?] {
  guard let wake = Wake() else { return inputs.map { _ in nil } }
  let gathering = Gathering<Value>(inputs.count, wake: wake)
  for (index, input) in inputs.enumerated() {
    Thread.start { gathering.add(work(input), at: index) }
  }
  let clock = ContinuousClock()
  let end = clock.now + .milliseconds(milliseconds)
  while gathering.all.contains(where: { $0 == nil }), case let left = end - clock.now,
    left > .zero
  {
    wake.wait(milliseconds: Int(left / .milliseconds(1)) + 1)
  }
  return gathering.all
}
