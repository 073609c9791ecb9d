package import APNS
internal import Projects

/// A message that GitHub Actions shows beside the line of a file
/// (GitHub: Workflow commands for GitHub Actions).
struct GitHubAnnotation {
  /// The command, a line of its own.
  let line: String

  /// What was not as expected in a step.
  init(_ step: StepReport) {
    self.init(
      .error, step.file, step.line, nil, title: "\(step.scenario.title), step \(step.step.label)",
      step.reasons.joined(separator: "\n"))
  }

  /// A broken rule.
  init(_ problem: Problem) {
    self.init(
      problem.severity, problem.file, problem.line, problem.column, title: problem.rule,
      "\(problem.message) \(problem.fix)")
  }

  private init(
    _ severity: Severity, _ file: String?, _ line: Int?, _ column: Int?, title: String,
    _ message: String
  ) {
    let properties = [
      ("file", file), ("line", line.map { "\($0)" }), ("col", column.map { "\($0)" }),
      ("title", title),
    ].compactMap { name, value in
      value.map { "\(name)=\(Self.escaped($0, isProperty: true))" }
    }
    let list = properties.joined(separator: ",")
    self.line = "::\(severity.rawValue) \(list)::\(Self.escaped(message))\n"
  }

  private static func escaped(_ text: String, isProperty: Bool = false) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      case ":" where isProperty: "%3A"
      case "," where isProperty: "%2C"
      default: nil
      }
    }
  }
}

extension Context {
  /// Shows broken rules beside their lines, where this is a job of GitHub Actions.
  package func annotate(_ problems: [Problem]) { annotate(problems.map { .init($0) }) }

  /// Shows annotations, where this is a job of GitHub Actions.
  func annotate(_ annotations: [GitHubAnnotation]) {
    guard environment["GITHUB_ACTIONS"] == "true" else { return }
    for annotation in annotations { errors.write(annotation.line) }
    errors.flush()
  }
}
