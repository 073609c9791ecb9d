internal import PlainText

/// What `init` wrote, and what to do next.
struct ProjectText {
  let project: NewProject
  let written: [String]

  /// The lines, with a line feed at the end.
  var text: String {
    let steps = [enter, key, git, run, alone].compactMap(\.self)
    let files = written.map { "  \($0.printable)\n" }.joined()
    return "Wrote\n\(files)\nNext:\n" + steps.map { "  \($0)\n" }.joined()
  }

  private var answers: ProjectAnswers { project.answers }

  private var enter: String? { project.folder == "." ? nil : "cd \(shellWord(project.folder))" }

  /// There is no key yet.
  private var key: String? {
    guard answers.environment != .emulator, answers.key == nil else { return nil }
    return "add 'credentials' to fanfare.json, or set FANFARE_KEY and its companions"
  }

  private var git: String? {
    answers.key == nil ? nil : "echo '*.p8' >> .gitignore    # never commit a key"
  }

  private var run: String {
    answers.environment == .emulator
      ? "fanfare run scenarios" : "fanfare run scenarios --to TOKEN    # a device token of your app"
  }

  /// A first success, without a key.
  private var alone: String? {
    answers.environment == .emulator
      ? "fanfare config show" : "fanfare run scenarios --profile emulator"
  }
}
