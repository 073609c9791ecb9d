/// A command line that is not understood: the problem, and the command that was meant.
public struct UsageError: Error, Sendable, Equatable {
  /// The problem.
  public var problem: UsageProblem
  /// The words that lead to the command, the tool's name first.
  public var path: [String]

  /// Creates an error for one command's words.
  public init(_ problem: UsageProblem, path: [String]) {
    self.problem = problem
    self.path = path
  }
}

/// A problem with a command line. Options are named with their dashes, arguments in capitals.
///
/// A program may throw these itself for rules that span several options.
public enum UsageProblem: Error, Sendable, Equatable {
  /// No command has this name.
  case unknownCommand(String, near: [String])
  /// The command has no such option. A value after `=` is left out.
  case unknownOption(String, near: [String])
  /// The option is the last word, or is followed by a word with a dash (`isDashed`).
  case missingValue(String, value: String, isDashed: Bool)
  /// The word is not a valid value of the option or argument. `choices` is empty for an open set.
  case badValue(String, text: String, why: BadValue, choices: [String], near: [String])
  /// A flag was given a value with `=`.
  case flagWithValue(String)
  /// An option that is not repeatable was repeated, or both of a pair of flags were given.
  case repeated(String)
  /// A required option is missing.
  case missingOption(String, value: String)
  /// None of these options was given, but one is required. Each includes its value.
  case missingOneOf([String])
  /// A required argument is missing.
  case missingArgument(String)
  /// One word more than the command has arguments for. `near` are options that may be missing
  /// before the word.
  case unexpectedArgument(String, near: [String] = [])
  /// A word after an option that takes a value only with `=`.
  case looseValue(String, String)
  /// Two mutually exclusive options.
  case conflict(String, String)
}
