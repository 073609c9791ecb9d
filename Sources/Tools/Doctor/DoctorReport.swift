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
    Checklist(verdict: diagnosis.verdict, steps: diagnosis.findings.map(checked))
      .report(head, Self.list, conclusion(diagnosis))
  }

  private static let list = Checklist.fields(
    DiagnosisStep.allCases.map(\.rawValue), [.ok, .warning, .broken, .skipped, .notReached],
    "The twelve steps, in order.")

  private static let place: [ReportField<DiagnosisPlan>] = [
    .people {
      let (name, url) = ($0.environment.name, $0.url)
      let place = name == url ? url : "\(name), \(url)"
      return [.lines(["\("fanfare doctor: \(place)", .bold)", ""])]
    }, .always("environment", \.environment.name, "Where the doctor looked."),
    .always("server", \.url, "The server's URL."),
  ]

  static let shape = JSONShape.object(place.keys() + list.keys())

  var head: [Report.Part] { Self.place.parts(of: plan) }

  func step(_ finding: DiagnosisFinding) -> [Report.Part] { checked(finding).parts }

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
