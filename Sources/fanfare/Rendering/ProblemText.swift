internal import APNS
internal import PlainText

/// Broken rules as a person reads them: where, how bad, what is wrong, which rule, what to do.
struct ProblemText {
  let hasColor: Bool

  /// All problems, each with a line feed at the end, as they follow each other in their files.
  func text(of problems: [Problem]) -> String { problems.inFileOrder.map(text).joined() }

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

extension [Problem] {
  /// First what has no place in a file, then by file, line and column; otherwise as they were.
  var inFileOrder: [Problem] {
    enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      let (file, otherFile) = (one.file ?? "", other.file ?? "")
      return (file, one.line ?? 0, one.column ?? 0, left.offset)
        < (otherFile, other.line ?? 0, other.column ?? 0, right.offset)
    }.map(\.element)
  }
}
