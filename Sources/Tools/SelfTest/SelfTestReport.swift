internal import Diagnosis
internal import JSONText
internal import POSIX
internal import PlainText
internal import Reporting

extension SelfTestStep {
  /// The name for people.
  var name: String {
    switch self {
    case .libcurl, .nghttp2: rawValue
    case .openSSL: "OpenSSL"
    case .sqlite: "SQLite"
    case .push: "push over HTTP/2"
    case .certificates: "bad certificates"
    }
  }
}

/// The result of a step; nil if a prerequisite is broken.
typealias SelfTestFinding = (step: SelfTestStep, outcome: StepOutcome?)

/// An observation at a step, with its verdict.
struct StepOutcome: Sendable {
  let verdict: DiagnosisVerdict
  let text: StepText

  static func ok(_ sentence: String, _ evidence: JSON = [:]) -> StepOutcome {
    StepOutcome(verdict: .ok, text: StepText(sentence, evidence))
  }

  static func broken(_ sentence: String, fix: String, _ evidence: JSON = [:]) -> StepOutcome {
    StepOutcome(verdict: .broken, text: StepText(sentence, fix: fix, evidence))
  }
}

/// The report of `doctor --self`, in parts: people see each step as soon as it is done.
struct SelfTestReport {
  var system = ProcessFacts.system

  /// The whole report.
  func report(_ findings: [SelfTestFinding]) -> Report {
    let worst = DiagnosisVerdict.worst(of: findings.compactMap(\.outcome?.verdict))
    return Checklist(verdict: worst, steps: findings.map(checked))
      .report(head, Self.list, conclusion(findings))
  }

  private static let list = Checklist.fields(
    SelfTestStep.allCases.map(\.rawValue), [.ok, .warning, .broken, .notReached],
    "The steps, in order.")

  private static let machine: [ReportField<Self>] = [
    .people {
      let machine = "fanfare \(fanfareVersion) on \($0.system.printable)"
      return [.lines(["\("fanfare doctor: \(machine)", .bold)", ""])]
    }, .always("version", { _ in fanfareVersion }, "The version of fanfare."),
    .always("system", \.system, "The system, its release, and the processor."),
  ]

  static let shape = JSONShape.object(machine.keys() + list.keys())

  var head: [Report.Part] { Self.machine.parts(of: self) }

  func step(_ finding: SelfTestFinding) -> [Report.Part] { checked(finding).parts }

  private func checked(_ finding: SelfTestFinding) -> CheckedStep {
    CheckedStep(
      id: finding.step.rawValue, number: finding.step.number, name: finding.step.name,
      verdict: finding.outcome?.verdict ?? .notReached, text: finding.outcome?.text,
      nameWidth: SelfTestStep.push.name.count)
  }

  func conclusion(_ findings: [SelfTestFinding]) -> [Report.Part] {
    let broken = findings.filter { $0.outcome?.verdict == .broken }
    let names = broken.map { "\($0.step.number), \($0.step.name)" }.joined(separator: "; ")
    let sentence =
      switch broken.count {
      case 0: "fanfare works on this machine."
      case 1: "Step \(names), is broken."
      default: "Broken steps: \(names)."
      }
    return [.lines(["", "\(sentence, .bold)"])]
  }
}
