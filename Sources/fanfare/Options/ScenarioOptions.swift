internal import CommandLineKit
internal import Scenarios

extension ScenarioOptions {
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
          "parallel", of: ParallelCount.self, value: "N", defaultText: "1",
          help: "How many scenarios to run at once, at most 64."
        ) { options, word, _ in options.parallel = word.count },
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
}

/// The number of scenarios to run at once.
struct ParallelCount: ArgumentValue {
  let count: Int

  init(argument word: String) throws(BadValue) {
    guard let count = Int(word), 1...64 ~= count else { throw .expected("a number from 1 to 64") }
    self.count = count
  }

  var argumentText: String { String(count) }
}
