internal import APNS
internal import JSONText
internal import Projects

/// A message that GitHub Actions shows beside the line of a file
/// (GitHub: Workflow commands for GitHub Actions).
struct GitHubAnnotation {
  private let severity: Severity
  private let properties: [(name: String, value: String)]
  private let message: String

  /// What was not as expected in a scenario; nothing for one that was.
  static func all(of report: ScenarioReport) -> [GitHubAnnotation] {
    report.steps.filter(\.isWrong).map { step in
      GitHubAnnotation(
        severity: .error,
        properties: place(step.step.file(in: report.scenario), step.step.origin.position?.line, nil)
          + [("title", "\(report.scenario.title), step \(step.step.label)")],
        message: step.reasons.joined(separator: "\n"))
    }
  }

  /// A broken rule.
  init(_ problem: Problem) {
    severity = problem.severity
    properties =
      Self.place(problem.file, problem.line, problem.column) + [("title", problem.rule)]
    message = "\(problem.message) \(problem.fix)"
  }

  private init(severity: Severity, properties: [(String, String)], message: String) {
    (self.severity, self.properties, self.message) = (severity, properties, message)
  }

  private static func place(_ file: String?, _ line: Int?, _ column: Int?) -> [(String, String)] {
    [("file", file), ("line", line.map { "\($0)" }), ("col", column.map { "\($0)" })]
      .compactMap { name, value in value.map { (name, $0) } }
  }

  /// The command, a line of its own.
  var line: String {
    let list = properties.map { "\($0.name)=\(Self.escaped($0.value, isProperty: true))" }
    return "::\(severity.rawValue) \(list.joined(separator: ","))::\(Self.escaped(message))\n"
  }

  private static func escaped(_ text: String, isProperty: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Context {
  /// Whether this is a job of GitHub Actions.
  var isOnGitHub: Bool { environment["GITHUB_ACTIONS"] == "true" }

  /// Shows broken rules beside their lines, where this is a job of GitHub Actions.
  func annotate(_ problems: [Problem]) {
    guard isOnGitHub else { return }
    for problem in problems { errors.write(GitHubAnnotation(problem).line) }
    errors.flush()
  }
}
