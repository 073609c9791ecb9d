internal import HTTP2
internal import POSIX

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
