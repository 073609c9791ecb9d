internal import HTTP2
internal import PlainText
internal import PushCore

/// A diagnosis as a person reads it, a line or two for each step.
struct DoctorText {
  private static let nameWidth = DiagnosisStep.allCases.map(\.name.count).max() ?? 0

  private let plan: DiagnosisPlan
  private let style: Style
  private let hasMarks: Bool

  /// - Parameter hasMarks: whether the verdicts are signs instead of words.
  init(_ plan: DiagnosisPlan, style: Style, hasMarks: Bool) {
    (self.plan, self.style, self.hasMarks) = (plan, style, hasMarks)
  }

  /// Signs on a terminal that shows UTF-8.
  init(_ plan: DiagnosisPlan, _ context: Context) {
    self.init(
      plan, style: Style(hasColor: context.output.hasColor),
      hasMarks: context.output.isTerminal && context.showsUTF8)
  }

  /// What is diagnosed.
  var head: String {
    let url = "https://\(plan.target.authority)"
    let place = plan.environment.name == url ? url : "\(plan.environment.name), \(url)"
    return style.bold("fanfare doctor: \(place.printable)") + "\n\n"
  }

  /// A step's line, and what to do.
  func text(of finding: DiagnosisFinding) -> String {
    let number = finding.step.number
    let name = finding.step.name
    let margin = String(repeating: " ", count: Self.nameWidth - name.count + 2)
    let start = "\(mark(finding.verdict)) \(number < 10 ? " " : "")\(number)  \(name)"
    let sentence = finding.sentence(plan)
    guard !sentence.isEmpty else { return start + "\n" }
    var text = start + margin + sentence + "\n"
    if let fix = finding.fix(plan) {
      let indent = String(repeating: " ", count: markWidth + 5 + Self.nameWidth + 2)
      text += indent + "→ ".onlyIf(hasMarks, else: "Fix: ") + fix + "\n"
    }
    return text
  }

  /// What it comes to.
  func tail(_ report: DiagnosisReport) -> String {
    "\n" + style.bold(conclusion(report)) + "\n"
  }

  private func conclusion(_ report: DiagnosisReport) -> String {
    if let broken = report.findings.first(where: { $0.verdict == .broken }) {
      return "Step \(broken.step.number), \(broken.step.name), is broken."
    }
    let push = report.findings.first { $0.step == .push }
    let proven =
      switch push?.verdict {
      case .ok?: "Everything is proven, from the credentials to APNs' answer."
      case .skipped?: "The network is proven; the credentials are not."
      default: "No step is broken."
      }
    let count = report.findings.count { $0.verdict == .warning }
    return count == 0 ? proven : "\(proven) \(counted(count, "warning"))."
  }

  private var markWidth: Int { hasMarks ? 1 : "not reached".count }

  private func mark(_ verdict: DiagnosisVerdict) -> String {
    let text = hasMarks ? verdict.sign : verdict.word
    let padded = text + String(repeating: " ", count: markWidth - text.count)
    return switch verdict {
    case .ok: style.good(padded)
    case .warning: style.doubtful(padded)
    case .broken: style.bad(padded)
    case .skipped, .notReached: padded
    }
  }
}

extension DiagnosisStep {
  /// What a person calls it.
  var name: String {
    switch self {
    case .credentials: "credentials"
    case .identifiers: "ids"
    case .clock: "clock"
    case .dns: "DNS"
    case .addressFamilies: "IPv4 and IPv6"
    case .tcp: "TCP"
    case .proxy: "proxy"
    case .tls: "TLS"
    case .alpn: "ALPN"
    case .settings: "HTTP/2 SETTINGS"
    case .push: "false push"
    case .serverClock: "server's clock"
    }
  }
}

extension DiagnosisVerdict {
  fileprivate var sign: String {
    switch self {
    case .ok: "✓"
    case .warning: "!"
    case .broken: "✗"
    case .skipped, .notReached: "-"
    }
  }

  fileprivate var word: String { self == .notReached ? "not reached" : rawValue }
}

extension String {
  fileprivate func onlyIf(_ condition: Bool, else other: String) -> String {
    condition ? self : other
  }
}

extension Context {
  /// Whether the locale's characters are UTF-8 (POSIX.1, 8.2: the first of these that is set).
  fileprivate var showsUTF8: Bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
    let locale = set.first { !$0.isEmpty }?.lowercased() ?? ""
    return locale.contains("utf-8") || locale.contains("utf8")
  }
}
