internal import CommandLineKit

/// Which scenarios to run, and where to report.
struct ScenarioOptions: Sendable, Equatable {
  var files: [String] = []
  var only: [String] = []
  var from: Int?
  var parallel = ParallelCount(count: 1)
  var script: String?
  var junit: String?
  var tap: String?
  var markdown: String?

  static let groups = [
    OptionGroup<Self>(
      "Scenarios",
      [
        .arguments(
          "file", \.files, help: "Scenario files, and folders of them.", isRequired: true,
          completion: .file),
        .option("only", \.only, value: "NAME", help: "Run the scenarios of this name only."),
        .option(
          "from", \.from, value: "STEP",
          help: "Begin with the step of this number, after another run of the scenario."),
        .option(
          "parallel", \.parallel, value: "N",
          help: "How many scenarios to run at once, at most 64."),
        .option(
          "script", \.script, value: "FILE", help: "What the emulator does: a bad day in JSON5.",
          completion: .file),
      ]),
    OptionGroup(
      "Reports",
      [
        .option(
          "junit", \.junit, value: "FILE", help: "A report in JUnit's XML, for CI.",
          completion: .file),
        .option(
          "tap", \.tap, value: "FILE", help: "A report in the Test Anything Protocol.",
          completion: .file),
        .option(
          "markdown", \.markdown, value: "FILE",
          help: "A report in Markdown, for the summary of a CI job.", completion: .file),
      ]),
  ]

  /// The reports that were asked for, and where they go.
  var reports: [(form: ReportForm, path: String)] {
    [(ReportForm.junit, junit), (.tap, tap), (.markdown, markdown)].compactMap { form, path in
      path.map { (form, $0) }
    }
  }
}

/// How many scenarios to run at once.
struct ParallelCount: ArgumentValue, Equatable {
  let count: Int

  init(count: Int) { self.count = count }

  init(argument word: String) throws(BadValue) {
    guard let count = Int(word), 1...64 ~= count else { throw .expected("a number from 1 to 64") }
    self.count = count
  }

  var argumentText: String { String(count) }
}
