internal import APNS
internal import Diagnosis
internal import HTTP2
internal import PlainText

/// A diagnosis as a person reads it, a line or two for each step.
struct DoctorText {
  private static let nameWidth = DiagnosisStep.allCases.map(\.name.count).max() ?? 0

  private let plan: DiagnosisPlan
  private let style: Style
  private let hasMarks: Bool
  private let width: Int

  /// - Parameters:
  ///   - hasMarks: whether the verdicts are signs instead of words.
  ///   - width: the columns to keep to, where there is room for a sentence beside the names.
  init(_ plan: DiagnosisPlan, style: Style, hasMarks: Bool, width: Int = .max) {
    (self.plan, self.style, self.hasMarks, self.width) = (plan, style, hasMarks, width)
  }

  /// Signs on a terminal that shows UTF-8.
  init(_ plan: DiagnosisPlan, _ context: Context) {
    self.init(
      plan, style: Style(hasColor: context.output.hasColor),
      hasMarks: context.output.isTerminal && context.showsUTF8,
      width: context.output.isTerminal ? context.output.width : .max)
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
    let start = "\(mark(finding.verdict)) \(number < 10 ? " " : "")\(number)  \(name)"
    let lines = lines(of: finding)
    guard let first = lines.first else { return start + "\n" }
    let margin = String(repeating: " ", count: Self.nameWidth - name.count + 2)
    let text = ([first.drop { $0 == " " }] + lines.dropFirst()).joined(separator: "\n")
    return start + margin + text + "\n"
  }

  /// The sentence and what to do, each indented.
  private func lines(of finding: DiagnosisFinding) -> [Substring] {
    let fix = finding.fix(plan).map { (hasMarks ? "→ " : "Fix: ") + $0 }
    return [finding.sentence(plan), fix ?? ""].filter { !$0.isEmpty }.map {
      ExplainText.wrapped($0, indent: sentenceColumn, max(width, sentenceColumn + 40))[...]
    }
  }

  private var sentenceColumn: Int { markWidth + 5 + Self.nameWidth + 2 }

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

extension Context {
  /// Whether the locale's characters are UTF-8 (POSIX.1, 8.2: the first of these that is set).
  fileprivate var showsUTF8: Bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
    let locale = set.first { !$0.isEmpty }?.lowercased() ?? ""
    return locale.contains("utf-8") || locale.contains("utf8")
  }
}
