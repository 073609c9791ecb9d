internal import APNS
internal import PlainText

/// Broken rules as a person reads them: where, how bad, what is wrong, which rule, what to do.
struct ProblemText {
  let hasColor: Bool

  /// All problems, each with a line feed at the end.
  func text(of problems: [Problem]) -> String { problems.map(text).joined() }

  private func text(of problem: Problem) -> String {
    let style = Style(hasColor: hasColor)
    let severity = problem.severity == .error ? style.bad("error:") : style.doubtful("warning:")
    return """
      \(place(of: problem)): \(severity) \(problem.message) [\(problem.rule)]
        \(problem.fix)

      """
  }

  private func place(of problem: Problem) -> String {
    let part = problem.place.description
    guard let file = problem.file else {
      return problem.origin?.setting.map { "\($0.printable), \(part)" } ?? part
    }
    let numbers = [problem.line, problem.column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(file.printable)\(numbers): \(part)"
  }
}
