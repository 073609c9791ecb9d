package import APNS
internal import PlainText
package import Reporting
package import Settings

// Messages that GitHub Actions shows next to a line of a file, one per output line (GitHub:
// Workflow commands for GitHub Actions).

extension StepReport {
  var annotation: String {
    gitHubAnnotation(
      .error, file, line, nil, title: "\(scenario.title), \(title)",
      reasons.joined(separator: "\n"))
  }
}

extension Problem {
  fileprivate var annotation: String {
    gitHubAnnotation(severity, file, line, column, title: rule, "\(message) \(fix)")
  }
}

extension Context {
  /// Annotations of the lines with broken rules; empty outside of a job of GitHub Actions.
  package func annotations(of problems: [Problem]) -> [Report.Part] {
    annotations(problems.map(\.annotation))
  }

  func annotations(_ lines: [String]) -> [Report.Part] {
    environment["GITHUB_ACTIONS"] == "true" ? [.lines(lines.map { .verbatim($0) })] : []
  }
}

private func gitHubAnnotation(
  _ severity: Severity, _ file: String?, _ line: Int?, _ column: Int?, title: String,
  _ message: String
) -> String {
  let properties = [
    ("file", file), ("line", line.map { "\($0)" }), ("col", column.map { "\($0)" }),
    ("title", title),
  ].compactMap { name, value in value.map { "\(name)=\(escaped($0, isProperty: true))" } }
  let list = properties.joined(separator: ",")
  return "::\(severity.rawValue) \(list)::\(escaped(message))"
}

/// Text that keeps its line ends, without terminal controls or changes of writing direction.
private func escaped(_ text: String, isProperty: Bool = false) -> String {
  text.replacingScalars { scalar in
    switch scalar {
    case "%": "%25"
    case "\r": "%0D"
    case "\n": "%0A"
    case ":" where isProperty: "%3A"
    case "," where isProperty: "%2C"
    default: scalar.printable
    }
  }
}
