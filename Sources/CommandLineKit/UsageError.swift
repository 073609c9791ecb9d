/// A command line that cannot be understood: the problem, and the command that was meant.
public struct UsageError: Error, Sendable, Equatable {
  /// What is wrong.
  public var problem: UsageProblem
  /// The words that lead to the command, the tool's name first.
  public var path: [String]

  /// A problem with one command's words.
  public init(_ problem: UsageProblem, path: [String]) {
    self.problem = problem
    self.path = path
  }
}

/// What is wrong with a command line. Options are named with their dashes, arguments in capitals.
///
/// A program may throw these itself for rules that span several options.
public enum UsageProblem: Error, Sendable, Equatable {
  /// No command has this name.
  case unknownCommand(String, near: [String])
  /// The command has no such option. A value behind `=` is left out.
  case unknownOption(String, near: [String])
  /// The option is the last word, or precedes a word with a dash (`isDashed`).
  case missingValue(String, value: String, isDashed: Bool)
  /// The word is not a value of the option or argument. `choices` is empty for an open set.
  case badValue(String, text: String, why: BadValue, choices: [String], near: [String])
  /// A flag was given a value behind `=`.
  case flagWithValue(String)
  /// An option that is not repeatable was given twice, or both of a pair of flags were.
  case repeated(String)
  /// A required option is missing.
  case missingOption(String, value: String)
  /// None of the options is given, and one of them has to be. Each with its value.
  case missingOneOf([String])
  /// A required argument is missing.
  case missingArgument(String)
  /// One word more than the command has arguments for. `near` are options that may be missing
  /// before it.
  case unexpectedArgument(String, near: [String] = [])
  /// A word behind an option that takes a value only behind `=`.
  case looseValue(String, String)
  /// Two options that exclude each other.
  case conflict(String, String)
}
