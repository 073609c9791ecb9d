internal import PlainText

/// Asks on the terminal. Ctrl-C ends it with nothing written.
struct ProjectQuestions {
  private let context: Context

  init(_ context: Context) {
    self.context = context
    context.signals.end {}
  }

  /// Says what is about to happen.
  func introduce(_ folder: String?) {
    let files = NewProject.names.joined(separator: ", ")
    let place = folder.map { " in \($0.printable)" } ?? ""
    context.errors.write(
      "This writes \(files)\(place). Press Enter to accept the value in brackets.\n")
  }

  /// Asks until the answer is valid.
  ///
  /// - Throws: `Failure.noAnswer` when there are no more answers.
  func ask(
    _ question: ProjectQuestion, into answers: inout ProjectAnswers, _ command: InitCommand
  ) throws(Failure) {
    let proposal = question.proposal(after: answers, command)
    context.errors.write("\n\(question.hint)\n")
    while true {
      let shown = proposal.map { $0.isEmpty ? " [none yet]" : " [\($0.printable)]" } ?? ""
      context.errors.write("\(question.name)\(shown): ")
      context.errors.flush()
      guard let line = readLine() else { throw .noAnswer }
      do throws(Failure) {
        return try question.take(line.trimmed, into: &answers, command)
      } catch {
        context.errors.write("\(error.sentence) \(error.fix)\n")
      }
    }
  }
}

extension String {
  /// Without white space around it.
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }
}
