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
    let list = Checklist(verdict: worst, steps: findings.map(checked))
    return .checklist(head, list, Self.list, conclusion(findings))
  }

  fileprivate static let step = CheckedStep.fields(
    SelfTestStep.allCases.map(\.rawValue), [.ok, .warning, .broken, .notReached])

  fileprivate static let list = Checklist.fields("The steps, in order.", step)

  fileprivate static let machine: [ReportField<Self>] = [
    .always("version", "The version of fanfare.") { _ in fanfareVersion },
    .always("system", "The system, its release, and the processor.") { $0.system },
  ]

  var head: [Report.Part] {
    [.lines(["\("fanfare doctor: fanfare \(fanfareVersion) on \(system.printable)", .bold)", ""])]
      + Self.machine.parts(of: self)
  }

  func step(_ finding: SelfTestFinding) -> [Report.Part] {
    Self.step.parts(of: checked(finding))
  }

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

extension Outputs {
  static let selfTest = JSONShape.object(
    SelfTestReport.machine.keys() + SelfTestReport.list.keys())
}
