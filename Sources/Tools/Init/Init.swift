internal import Credentials
internal import POSIX
internal import PlainText
package import Reporting
package import Settings

/// Writes the files of a new project, or adds a profile to one that is there; on a terminal, asks
/// for what the options do not give.
package struct Init {
  /// The folder to write to; nil for the current one.
  let folder: String?
  let given: [ProjectQuestion: String]
  /// The name of the profile; nil for one made of app and environment.
  private let profile: String?
  private let isAsked: Bool
  let context: Context

  /// - Parameter yes: whether defaults are used without asking.
  package init(
    folder: String?, given: [ProjectQuestion: String], profile: String?, yes: Bool,
    context: Context
  ) {
    (self.folder, self.given, self.profile, self.context) = (folder, given, profile, context)
    isAsked = !yes && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
  }

  package func run() throws(Failure) -> Report {
    let project = NewProject(folder: folder ?? ".")
    let adds = project.isThere && (isAsked || profile != nil || !given.isEmpty)
    if !adds, profile != nil { throw .profileOfNewProject(project.file) }
    let answers = try answers(adds ? "adds a profile to \(project.file.printable)" : nil)
    // Signals wait until all files are written.
    context.signals.take {}
    let parts =
      adds && !project.holds(answers)
      ? try added(to: project, answers) : try written(project, answers)
    return Report(
      parts: parts.map { title, lines in .section("\(title)", [.lines(lines.map { .verbatim($0) })])
      },
      exitCode: context.signals.received ?? .success)
  }

  private typealias Parts = [(title: String, lines: [String])]

  private func written(
    _ project: NewProject, _ answers: ProjectAnswers
  ) throws(Failure) -> Parts {
    let (written, kept) = try project.write(answers)
    return [
      ("Wrote", written.map(\.printable)), ("Already there, unchanged", kept.map(\.printable)),
      ("Next:", entry(project.folder) + firstSteps(answers)),
    ]
  }

  private func added(
    to project: NewProject, _ answers: ProjectAnswers
  ) throws(Failure) -> Parts {
    let app = answers.bundleID.split(separator: ".").last ?? ""
    let name = profile ?? "\(app)-\(answers.environment.shown)"
    try project.add(name, answers, home: context.home)
    let option = "--profile \(shellWord(name))"
    let steps = [
      "fanfare config show \(option)",
      answers.isEmulator
        ? "fanfare run scenarios \(option)" : "fanfare send --title Hello --to TOKEN \(option)",
    ]
    return [
      ("Added to \(project.file.printable)", ["profile \(name.printable)"]),
      ("Next:", entry(project.folder) + credentialSteps(answers) + steps),
    ]
  }

  private func entry(_ folder: String) -> [String] {
    folder == "." ? [] : ["cd \(shellWord(folder))"]
  }

  private func credentialSteps(_ answers: ProjectAnswers) -> [String] {
    guard let path = answers.credentials else {
      return answers.isEmulator
        ? [] : ["add 'credentials' to fanfare.json, or set FANFARE_KEY and its companions"]
    }
    let ending = path.split(separator: ".").last ?? "p8"
    return ["echo '*.\(ending)' >> .gitignore    # never commit a key"]
  }

  private func firstSteps(_ answers: ProjectAnswers) -> [String] {
    let first = ["fanfare preview \(NewProject.names[1])    # sends nothing"]
    let runs =
      answers.isEmulator
      ? ["fanfare run scenarios", "fanfare config show"]
      : ["fanfare run scenarios --profile emulator"]
    return credentialSteps(answers) + first + runs + [
      "fanfare device add my-phone TOKEN    # of your app",
      "fanfare send --title Hello --to my-phone", "fanfare send --again --title Hi",
    ]
  }
}

// Questions.
extension Init {
  /// - Parameter deed: what is done in place of writing all files.
  private func answers(_ deed: String?) throws(Failure) -> ProjectAnswers {
    var answers = ProjectAnswers(given: given, keyHere: isAsked ? keyHere : nil)
    if isAsked { introduce(deed) }
    for question in ProjectQuestion.allCases where answers.isSensible(question) {
      if isAsked, given[question] == nil {
        try ask(question, into: &answers)
      } else {
        try answers.take(given[question] ?? "", for: question)
      }
    }
    return answers
  }

  /// The only signing key in this folder; nil for none or several.
  private var keyHere: String? {
    let keys = (names(inFolder: ".") ?? []).filter { KeyID(fileName: $0) != nil }
    return keys.count == 1 ? keys.first : nil
  }

  /// Announces the files. Until they are written, Ctrl-C exits with nothing written.
  private func introduce(_ deed: String?) {
    context.signals.end {}
    let files = NewProject.names.joined(separator: ", ")
    let deed = deed ?? "writes \(files)" + (folder.map { " in \($0.printable)" } ?? "")
    context.teller.warn([
      .paragraph("This \(deed). Press Enter to accept the value in brackets.")
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
  fileprivate static func profileOfNewProject(_ file: String) -> Failure {
    Failure(
      "--profile names a profile to add, and there is no \(file.printable); nothing was written.",
      fix: "Leave it out: the first profile is called like its environment.")
  }

  /// Input ended before a required answer. Nothing was done.
  fileprivate static var noAnswer: Failure {
    Failure(
      "There was no answer; nothing was written.", fix: "Give options, or --yes for an example.")
  }
}
