internal import POSIX
internal import PlainText
package import Reporting
package import Settings

/// Writes the files of a new project; on a terminal, asks for what the options do not give.
package struct Init {
  /// The folder to write to; nil for the current one.
  let folder: String?
  let given: [ProjectQuestion: String]
  private let isAsked: Bool
  let context: Context

  /// - Parameter yes: whether defaults are used without asking.
  package init(folder: String?, given: [ProjectQuestion: String], yes: Bool, context: Context) {
    (self.folder, self.given, self.context) = (folder, given, context)
    isAsked = !yes && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
  }

  package func run() throws(Failure) -> Report {
    let project = NewProject(folder: folder ?? ".")
    if isAsked { try project.refuseOthers() }
    let answers = try answers()
    // Signals wait until all files are written.
    context.signals.take {}
    let (written, kept) = try project.write(answers)
    let parts = [
      ("Wrote", written.map(\.printable)), ("Already there, unchanged", kept.map(\.printable)),
      ("Next:", nextSteps(in: project.folder, answers)),
    ]
    return Report(
      parts: parts.map { title, lines in .section("\(title)", [.lines(lines.map { .verbatim($0) })])
      },
      exitCode: context.signals.received ?? .success)
  }

  private func nextSteps(in folder: String, _ answers: ProjectAnswers) -> [String] {
    let steps = [
      folder == "." ? nil : "cd \(shellWord(folder))",
      answers.isEmulator || answers.key != nil
        ? nil : "add 'credentials' to fanfare.json, or set FANFARE_KEY and its companions",
      answers.key == nil ? nil : "echo '*.p8' >> .gitignore    # never commit a key",
      "fanfare run scenarios"
        + (answers.isEmulator ? "" : " --to TOKEN    # a device token of your app"),
      answers.isEmulator ? "fanfare config show" : "fanfare run scenarios --profile emulator",
    ]
    return steps.compactMap(\.self)
  }
}

// Questions.
extension Init {
  private func answers() throws(Failure) -> ProjectAnswers {
    var answers = ProjectAnswers(given: given)
    if isAsked { introduce() }
    for question in ProjectQuestion.allCases where answers.isSensible(question) {
      if isAsked, given[question] == nil {
        try ask(question, into: &answers)
      } else {
        try answers.take(given[question] ?? "", for: question)
      }
    }
    return answers
  }

  /// Announces the files. Until they are written, Ctrl-C exits with nothing written.
  private func introduce() {
    context.signals.end {}
    let files = NewProject.names.joined(separator: ", ")
    let place = folder.map { " in \($0.printable)" } ?? ""
    context.teller.warn([
      .paragraph("This writes \(files)\(place). Press Enter to accept the value in brackets.")
    ])
  }

  /// Asks until the answer is valid.
  ///
  /// - Throws: `Failure.noAnswer` at the end of input.
  private func ask(
    _ question: ProjectQuestion, into answers: inout ProjectAnswers
  ) throws(Failure) {
    let proposal = answers.proposal(for: question)
    context.teller.warn([.lines([""]), .paragraph("\(question.words.hint)")])
    while true {
      let shown = proposal.map { $0.isEmpty ? " [none yet]" : " [\($0.printable)]" } ?? ""
      context.teller.ask("\(question.words.name)\(shown): ")
      guard let line = readLine() else { throw .noAnswer }
      do throws(Failure) {
        return try answers.take(line.trimmed.expandingTilde(context.home), for: question)
      } catch {
        context.teller.warn([.paragraph("\(error.sentence) \(error.fix)")])
      }
    }
  }
}

extension String {
  /// The text without surrounding white space.
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
  }
}

extension Failure {
  /// Input ended before a required answer. Nothing was done.
  fileprivate static var noAnswer: Failure {
    Failure(
      "There was no answer; nothing was written.", fix: "Give options, or --yes for an example.")
  }
}
