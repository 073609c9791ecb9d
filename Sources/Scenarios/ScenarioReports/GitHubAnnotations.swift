package import APNS
internal import PlainText
internal import Reporting
internal import Settings

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
  /// Annotates lines with broken rules, in a job of GitHub Actions.
  package func annotate(_ problems: [Problem]) { annotate(lines: problems.map(\.annotation)) }

  func annotate(lines: [String]) {
    guard environment["GITHUB_ACTIONS"] == "true" else { return }
    for line in lines { errors.write(line) }
    errors.flush()
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
  return "::\(severity.rawValue) \(list)::\(escaped(message))\n"
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
