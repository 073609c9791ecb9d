internal import CommandLineKit
internal import POSIX
internal import PlainText

/// `fanfare init`
struct InitCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "init", "Write a fanfare.json, a first scenario and its payload.",
    discussion: """
      On a terminal it asks for everything that no option gives. Otherwise, and with --yes, it uses \
      the defaults of the questions: an example for the emulator, which needs no Apple account.

      Only the path of a key is written, never the key. Existing files are not overwritten: if one \
      of them has other contents, nothing is written at all.
      """,
    examples: [
      Example("fanfare init", "Set up this folder."),
      Example(
        "fanfare init push --env sandbox --bundle-id com.example.app --key AuthKey_ABC123DEFG.p8 "
          + "--team-id DEF123GHIJ",
        "Set up another folder, with everything that development builds need."),
    ])

  var folder: String?
  var environment: EnvironmentName?
  var bundleID: String?
  var key: String?
  var keyID: String?
  var teamID: String?
  var yes = false

  static let groups = [
    OptionGroup<Self>(
      "Init",
      [
        .arguments(
          "folder", \.folder, help: "The folder to write to; defaults to the current one.",
          completion: .file),
        .option("env", \.environment, value: "NAME", help: "Where pushes go."),
        .option("bundle-id", \.bundleID, value: "ID", help: "The app."),
        .option("key", \.key, value: "FILE", help: "The .p8 signing key.", completion: .file),
        .option(
          "key-id", \.keyID, value: "ID",
          help: "The key ID; defaults to the one in the name AuthKey_….p8."),
        .option("team-id", \.teamID, value: "ID", help: "The team ID."),
        .flag("yes", \.yes, short: "y", help: "Do not ask."),
      ])
  ]

  func run(_ context: Context) throws -> ExitCode {
    let files = NewProject(answers: ProjectAnswers(), folder: folder ?? ".")
    try files.refuseOthers()
    let answers = try answers(context)
    let project = NewProject(answers: answers, folder: folder ?? ".")
    // The files appear together: a signal waits until they have.
    context.signals.take {}
    let written = try project.write()
    context.output.write(ProjectText(project: project, written: written).text)
    return context.signals.received ?? .success
  }

  private func answers(_ context: Context) throws(Failure) -> ProjectAnswers {
    var answers = ProjectAnswers()
    let isAsked = !yes && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    let questions = isAsked ? ProjectQuestions(context) : nil
    questions?.introduce(folder)
    for question in ProjectQuestion.allCases where question.isSensible(after: answers, self) {
      if let said = question.option(of: self) {
        try question.take(said, into: &answers, self)
      } else if let questions {
        try questions.ask(question, into: &answers, self)
      } else {
        try question.take("", into: &answers, self)
      }
    }
    return answers
  }
}
