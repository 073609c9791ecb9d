internal import PlainText

extension FailureText {
  /// What keeps scenarios from being run.
  static func scenarios(_ failure: Failure) -> (what: String, fix: String) {
    switch failure {
    case .noScenarios(let folder):
      (
        "There is no scenario in the folder \(folder.printable).",
        "Scenarios are files in .json5; docs/formats.md tells what is in them."
      )
    case .noSuchScenario(let name, let near, let all):
      (
        "No scenario is called '\(name.printable)'.",
        near.isEmpty
          ? "There is: \(all.map { "'\($0.printable)'" }.joined(separator: ", "))."
          : "Did you mean \(near.map { "'\($0.printable)'" }.joined(separator: " or "))?"
      )
    case .listForScenario(let file):
      (
        "\(file.printable) is a list of device tokens, not a scenario.",
        "Give it to --tokens, or name it among the recipients of a scenario."
      )
    case .noSuchStep(let number, let scenario, let count):
      (
        "There is no step \(number) in \(scenario.printable).",
        count == 1 ? "It has one step." : "Its steps are 1 to \(count)."
      )
    case .scriptForScenario(let file):
      (
        "\(file.printable) is a script for the emulator, not a scenario.",
        "Name it with --script, or as environment: {emulator: {script: \"…\"}} of a scenario."
      )
    default: ("", "")
    }
  }
}
