internal import HTTP2

/// Checks each layer between this machine and APNs in order, stopping at the first broken one.
///
/// Each wait is bounded by the target's timeout. Running it blocks the calling thread.
public struct Diagnosis: Sendable {
  /// The device token of the test push: well-formed, but no device has it.
  public static let falseToken = String(repeating: "deadbeef", count: 8)

  /// 2026 to 2100: fanfare did not exist before, and Apple's roots expire earlier.
  public static let plausibleTimes: ClosedRange<Int64> = 1_767_225_600...4_102_444_800

  private let plan: DiagnosisPlan

  /// Creates a diagnosis for a plan.
  public init(_ plan: DiagnosisPlan) { self.plan = plan }

  /// Runs every step.
  ///
  /// - Parameter tell: called with each finding as soon as it is made.
  public func run(_ tell: (DiagnosisFinding) -> Void = { _ in }) -> DiagnosisReport {
    var knowledge = DiagnosisKnowledge(plan)
    var findings: [DiagnosisFinding] = []
    for check in DiagnosisCheck.all {
      let isBroken = findings.contains { $0.verdict == .broken || $0.verdict == .notReached }
      let finding = isBroken ? DiagnosisFinding(check.step, .notReached) : check.find(&knowledge)
      findings.append(finding)
      tell(finding)
    }
    knowledge.close()
    return DiagnosisReport(findings)
  }
}

/// The check for one step.
struct DiagnosisCheck: Sendable {
  /// The result of a check.
  typealias Sight = (verdict: DiagnosisVerdict, evidence: DiagnosisEvidence)

  let step: DiagnosisStep
  /// Performs the check and records what later steps need.
  let look: @Sendable (inout DiagnosisKnowledge) -> Sight

  init(_ step: DiagnosisStep, _ look: @escaping @Sendable (inout DiagnosisKnowledge) -> Sight) {
    (self.step, self.look) = (step, look)
  }

  /// Runs the check and returns its finding.
  func find(_ knowledge: inout DiagnosisKnowledge) -> DiagnosisFinding {
    let sight = look(&knowledge)
    return DiagnosisFinding(step, sight.verdict, sight.evidence)
  }

  /// The steps, in order.
  static let all = [
    DiagnosisCheck(.credentials) { $0.credentials() },
    DiagnosisCheck(.identifiers) { $0.identifiers() },
    DiagnosisCheck(.clock) { $0.time() },
    DiagnosisCheck(.dns) { $0.addresses() },
    DiagnosisCheck(.addressFamilies) { $0.families() },
    DiagnosisCheck(.tcp) { $0.portsReached() },
    DiagnosisCheck(.proxy) { $0.proxy() },
    DiagnosisCheck(.tls) { $0.handshake() },
    DiagnosisCheck(.alpn) { $0.chosenProtocol() },
    DiagnosisCheck(.settings) { $0.settings() },
    DiagnosisCheck(.push) { $0.plan.testsChannels ? $0.channels() : $0.falsePush() },
    DiagnosisCheck(.serverClock) { $0.serverClock() },
  ]
}

/// The results of the steps so far. The steps themselves are in extensions.
struct DiagnosisKnowledge {
  typealias Sight = DiagnosisCheck.Sight

  /// The result of connecting to one address and port.
  struct Probe: Sendable {
    let address: HostAddress
    let port: UInt16
    let result: Result<Int, TCPProbe.Failure>
  }

  let plan: DiagnosisPlan

  /// The addresses of the host that are worth trying.
  var candidates: [HostAddress] = []

  /// The result for each address and port tried.
  var probes: [Probe] = []

  /// The result of dialing; nil before the first use.
  var dialed: Result<Conversation, DialError>?

  /// The TLS identity made from the client certificate; nil without one.
  var identity: ClientIdentity?

  /// The seconds this clock is ahead of the server's; nil before an answer with a date.
  var clockOffset: Int64?

  /// An answer has arrived.
  var isAnswered = false

  init(_ plan: DiagnosisPlan) { self.plan = plan }

  /// The longest wait of each step, in milliseconds.
  var limit: Int { max(1, plan.target.timeoutMilliseconds) }

  /// Closes the connection, if it was opened.
  func close() {
    if case .success(let conversation)? = dialed { conversation.close() }
  }
}
