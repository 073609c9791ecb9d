internal import Diagnosis
internal import HTTP2
internal import JSONText
internal import POSIX
internal import PlainText
package import Reporting
internal import SQLHistory
package import Settings

/// Tests fanfare on this machine, without the network, credentials or the user's files.
package struct SelfTest {
  let options: Settings
  /// The maximum wait for a connection.
  let timeout: TimeLength
  let ofChannels: Bool
  let asJSON: Bool
  let context: Context

  package init(
    options: Settings, timeout: TimeLength, ofChannels: Bool, asJSON: Bool, context: Context
  ) {
    (self.options, self.timeout, self.ofChannels) = (options, timeout, ofChannels)
    (self.asJSON, self.context) = (asJSON, context)
  }

  /// - Throws: `Failure` for options about APNs. A broken step is a finding.
  package func run() throws(Failure) -> Report {
    if ofChannels { throw .conflict("--self", "--channels") }
    if let other = Settings.fields.lazy.compactMap({ $0.setting(options)?.origin.text }).first {
      throw .conflict("--self", other)
    }
    let report = SelfTestReport()
    if asJSON { return report.report(findings()).asJSON(true) }
    context.teller.show(report.head)
    let findings = findings { context.teller.show(report.step($0)) }
    return Report(parts: report.conclusion(findings), exitCode: report.report(findings).exitCode)
  }

  /// Takes every step whose prerequisites hold; a broken step does not stop unrelated ones.
  ///
  /// - Parameter tell: called with each finding as soon as it is known.
  func findings(_ tell: (SelfTestFinding) -> Void = { _ in }) -> [SelfTestFinding] {
    var findings: [SelfTestFinding] = []
    for step in SelfTestStep.allCases {
      let good = findings.filter { $0.outcome.map { $0.verdict != .broken } ?? false }.map(\.step)
      let isReached = Self.needs[step, default: []].allSatisfy(good.contains)
      findings.append((step, isReached ? outcome(of: step) : nil))
      findings.last.map(tell)
    }
    return findings
  }

  /// The prerequisites of steps. Two copies of OpenSSL can even crash a process.
  private static let needs: [SelfTestStep: [SelfTestStep]] = [
    .push: [.libcurl, .openSSL, .nghttp2], .certificates: [.push],
  ]

  private func outcome(of step: SelfTestStep) -> StepOutcome {
    let trials = LoopbackTrials(context, timeoutMilliseconds: timeout.milliseconds)
    do throws(Failure) {
      return switch step {
      case .libcurl: CurlFacts.loaded.outcome
      case .openSSL: .openSSL(LibraryFacts.openSSL, .loaded)
      case .nghttp2: LibraryVersions("nghttp2", LibraryFacts.nghttp2).outcome
      case .sqlite: .sqlite(SQLiteFacts.versions, isThreadSafe: SQLiteFacts.isThreadSafe)
      case .push: try trials.push().outcome
      case .certificates: try trials.badCertificates().outcome
      }
    } catch {
      return StepOutcome(verdict: .broken, text: StepText(error))
    }
  }
}

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

  private static let machine: [OutputField<Self>] = [
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
    return [.lines([""]), .paragraph("\(sentence, .bold)")]
  }
}
