/// Proves each layer between here and APNs in order, and stops at the first that is broken.
///
/// Every wait is bounded by the target's time-out. It blocks the thread it runs on.
public struct Diagnosis: Sendable {
  /// The device token of the push: well-formed, and of no device.
  public static let falseToken = String(repeating: "deadbeef", count: 8)

  /// From 2026-01-01 to 2100-01-01: this program did not exist before, and Apple's roots do not last.
  public static let plausibleTimes: ClosedRange<Int64> = 1_767_225_600...4_102_444_800

  private let plan: DiagnosisPlan

  /// A diagnosis of what the plan names.
  public init(_ plan: DiagnosisPlan) { self.plan = plan }

  /// Looks at every step.
  ///
  /// - Parameter tell: is told each finding as soon as there is one.
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

/// How one step is looked at.
struct DiagnosisCheck: Sendable {
  /// What a look finds.
  typealias Sight = (verdict: DiagnosisVerdict, evidence: DiagnosisEvidence)

  let step: DiagnosisStep
  /// Looks, and adds to what is known.
  let look: @Sendable (inout DiagnosisKnowledge) -> Sight

  init(_ step: DiagnosisStep, _ look: @escaping @Sendable (inout DiagnosisKnowledge) -> Sight) {
    (self.step, self.look) = (step, look)
  }

  /// The finding of a look.
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
