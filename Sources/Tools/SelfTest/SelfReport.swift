internal import Diagnosis
internal import JSONText
internal import POSIX
internal import PlainText
internal import Reporting

/// What `doctor --self` found as a report, in pieces: people see each step as soon as it is done.
struct SelfReport {
  private static let nameWidth = PlatformStep.allCases.map(\.name.count).max() ?? 0

  var system = MachineFacts.name

  /// All of it: an object, documented in docs/formats.md.
  func report(_ findings: [PlatformFinding]) -> Report {
    let steps = [
      Report.Part.json("verdict", .text(verdict(findings).rawValue)),
      .list("steps", findings.map(step)),
    ]
    return Report(
      parts: head + steps + conclusion(findings), form: .object,
      exitCode: verdict(findings) == .broken ? .connection : .success)
  }

  var head: [Report.Part] {
    [
      .lines(["\("fanfare doctor: fanfare \(fanfareVersion) on \(system.printable)", .bold)", ""]),
      .json("version", .text(fanfareVersion)), .json("system", .text(system)),
    ]
  }

  func step(_ finding: PlatformFinding) -> [Report.Part] {
    CheckedStep(
      id: finding.step.rawValue, number: finding.step.number, name: finding.step.name,
      verdict: finding.verdict, text: finding.sight?.text
    ).parts(nameWidth: Self.nameWidth)
  }

  func conclusion(_ findings: [PlatformFinding]) -> [Report.Part] {
    [.lines(["", "\(sentence(findings), .bold)"])]
  }

  private func verdict(_ findings: [PlatformFinding]) -> DiagnosisVerdict {
    let order: [DiagnosisVerdict] = [.broken, .warning]
    return order.first { verdict in findings.contains { $0.verdict == verdict } } ?? .ok
  }

  private func sentence(_ findings: [PlatformFinding]) -> String {
    let broken = findings.filter { $0.verdict == .broken }
    if !broken.isEmpty {
      let names = broken.map { "\($0.step.number), \($0.step.name)" }.joined(separator: "; ")
      return broken.count == 1 ? "Step \(names), is broken." : "Broken steps: \(names)."
    }
    let count = findings.count { $0.verdict == .warning }
    let proven = "This machine has everything that fanfare needs."
    return count == 0 ? proven : "\(proven) \(counted(count, "warning"))."
  }
}
