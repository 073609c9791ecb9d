internal import APNS
internal import Credentials
internal import Diagnosis
internal import HTTP2
internal import JSONText
internal import Reporting

/// A diagnosis as a report, in parts: people see each step as soon as it is done.
struct DoctorReport {
  private static let nameWidth = DiagnosisStep.allCases.map(\.name.count).max() ?? 0

  let plan: DiagnosisPlan

  init(_ plan: DiagnosisPlan) { self.plan = plan }

  /// The whole report: an object, documented in docs/formats.md.
  func report(_ diagnosis: DiagnosisReport) -> Report {
    let list = Checklist(
      verdict: diagnosis.verdict, steps: diagnosis.findings.map(checked))
    return .checklist(head, list, Self.list, conclusion(diagnosis))
  }

  fileprivate static let step = CheckedStep.fields(
    DiagnosisStep.allCases.map(\.rawValue), [.ok, .warning, .broken, .skipped, .notReached])

  fileprivate static let list = Checklist.fields("The twelve steps, in order.", step)

  fileprivate static let place: [JSONField<DiagnosisPlan>] = [
    .always("environment", "Where the doctor looked.") { $0.environment.name },
    .always("server", "The server's URL.") { $0.url },
  ]

  var head: [Report.Part] {
    let (name, url) = (plan.environment.name, plan.url)
    let place = name == url ? url : "\(name), \(url)"
    return [.lines(["\("fanfare doctor: \(place)", .bold)", ""])]
      + Self.place.map { ReportField($0) }.parts(of: plan)
  }

  func step(_ finding: DiagnosisFinding) -> [Report.Part] {
    Self.step.parts(of: checked(finding))
  }

  private func checked(_ finding: DiagnosisFinding) -> CheckedStep {
    CheckedStep(
      id: finding.step.rawValue, number: finding.step.number, name: name(of: finding.step),
      verdict: finding.verdict, text: finding.text(plan), nameWidth: Self.nameWidth)
  }

  private func name(of step: DiagnosisStep) -> String {
    step == .push && plan.testsChannels ? "channels" : step.name
  }

  func conclusion(_ diagnosis: DiagnosisReport) -> [Report.Part] {
    [.lines(["", "\(sentence(diagnosis), .bold)"])]
  }

  private func sentence(_ diagnosis: DiagnosisReport) -> String {
    if let broken = diagnosis.findings.first(where: { $0.verdict == .broken }) {
      return "Step \(broken.step.number), \(name(of: broken.step)), is broken."
    }
    let push = diagnosis.findings.first { $0.step == .push }
    let proven =
      switch push?.verdict {
      case .ok?: "Every step works, from the credentials to the answer from APNs."
      case .skipped?: "The network works; the credentials were not tested."
      default: "No step is broken."
      }
    let count = diagnosis.findings.count { $0.verdict == .warning }
    return count == 0 ? proven : "\(proven) \(counted(count, "warning"))."
  }
}

extension DiagnosisStep {
  /// The name for people.
  var name: String {
    switch self {
    case .credentials: "credentials"
    case .identifiers: "IDs"
    case .clock: "clock"
    case .dns: "DNS"
    case .addressFamilies: "IPv4 and IPv6"
    case .tcp: "TCP"
    case .proxy: "proxy"
    case .tls: "TLS"
    case .alpn: "ALPN"
    case .settings: "HTTP/2 SETTINGS"
    case .push: "test push"
    case .serverClock: "server's clock"
    }
  }
}

extension DiagnosisPlan {
  fileprivate var url: String { "https://\(target.authority)" }
}

extension Outputs {
  static let diagnosis = JSONShape.object(
    DoctorReport.place.map(\.key) + DoctorReport.list.keys())
}
