internal import APNS
internal import PlainText

// What keeps scenarios from being run.
extension Failure {
  /// A folder has no scenario.
  static func noScenarios(folder: String) -> Failure {
    Failure(
      "The folder \(folder.printable) has no scenario.",
      fix: "Scenarios are .json5 files; docs/formats.md describes them.")
  }

  /// No scenario has this name.
  static func noSuchScenario(_ name: String, near: [String], among all: [String]) -> Failure {
    func listed(_ names: [String], _ separator: String) -> String {
      names.map { "'\($0.printable)'" }.joined(separator: separator)
    }
    return Failure(
      "There is no scenario '\(name.printable)'.",
      fix: near.isEmpty
        ? "The scenarios are \(listed(all, ", "))." : "Did you mean \(listed(near, " or "))?")
  }

  /// A scenario has no step with this number; it has so many.
  static func noSuchStep(_ number: Int, scenario: String, count: Int) -> Failure {
    Failure(
      "There is no step \(number) in \(scenario.printable).",
      fix: count == 1 ? "It has one step." : "Its steps are 1 to \(count).")
  }

  /// A list of device tokens in place of a scenario.
  static func listForScenario(_ file: String) -> Failure {
    Failure(
      "\(file.printable) is a list of device tokens, not a scenario.",
      fix: "Give it to --tokens, or name it among the recipients of a scenario.")
  }

  /// A script for the emulator in place of a scenario.
  static func scriptForScenario(_ file: String) -> Failure {
    Failure(
      "\(file.printable) is a script for the emulator, not a scenario.",
      fix:
        "Name it with --script, or as environment: {emulator: {script: \"…\"}} of a scenario.",
      cause: MistakenFile.scriptForScenario)
  }
}
