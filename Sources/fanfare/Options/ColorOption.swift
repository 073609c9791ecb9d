internal import CommandLineKit
internal import Reporting

extension ColorChoice: ArgumentValue {
  /// The option, common to all commands.
  static let option = CommonOption<Self>(
    "color", value: "WHEN", defaultText: Self.auto.rawValue,
    help: "When to use colors; 'auto' does on a terminal.")
}

/// The command line without `--color`, and the option's value.
struct ColoredLine {
  private(set) var words: [String]
  private(set) var color = ColorChoice.auto
  /// The error in the option; nil for none.
  private(set) var problem: UsageProblem?

  init(_ words: [String]) {
    self.words = words
    do {
      color = try ColorChoice.option.take(from: &self.words) ?? .auto
    } catch {
      problem = error
    }
  }
}
