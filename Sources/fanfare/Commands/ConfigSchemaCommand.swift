internal import CommandLineKit
internal import Projects

/// `fanfare config schema`
struct ConfigSchemaCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "schema", "Print the JSON Schema of a file format, for editors.",
    examples: [
      Example(
        "fanfare config schema scenario > scenario.schema.json",
        "For '$schema: \"scenario.schema.json\"' in a scenario.")
    ])

  var file: DescribedFile?

  static let groups = [
    OptionGroup<Self>(
      "Schema",
      [
        .arguments(
          "file", \.file, help: "The format: scenario, or config for fanfare.json.",
          isRequired: true)
      ])
  ]

  func run(_ context: Context) throws -> ExitCode {
    if let file { context.output.write(file.schema) }
    return .success
  }
}

/// A file format that people write.
enum DescribedFile: String, ArgumentValue, CaseIterable {
  case scenario
  case config

  /// Its JSON Schema, with a line feed at the end.
  var schema: [UInt8] {
    self == .scenario ? ScenarioShape.schema : ProfileShape.schema
  }
}
