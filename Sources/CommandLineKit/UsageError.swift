import PlainText

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
  /// A required argument is missing. `choices` is empty for an open set.
  case missingArgument(String, choices: [String] = [])
  /// One word more than the command has arguments for. `near` are options that may be missing
  /// before the word.
  case unexpectedArgument(String, near: [String] = [])
  /// A word after an option that takes a value only with `=`.
  case looseValue(String, String)
  /// Two mutually exclusive options.
  case conflict(String, String)
}

extension UsageError {
  /// The problem, a suggestion or the allowed values, and where to read more: two lines without a
  /// final line feed. Control characters in the user's words are escaped.
  public var message: String {
    problem.sentences.joined(separator: " ")
      + "\nSee '\(path.joined(separator: " ")) --help'."
  }
}

extension UsageProblem {
  fileprivate var sentences: [String] {
    switch self {
    case .unknownCommand(let word, let near):
      ["Unknown command \(quoted(word))."] + didYouMean(near)
    case .unknownOption(let word, let near):
      ["Unknown option \(quoted(word))."] + didYouMean(near)
    case .missingValue(let option, let value, let isDashed):
      ["'\(option)' needs a value: \(value)."]
        + (isDashed ? ["Write a value that begins with '-' as '\(option)=-…'."] : [])
    case .badValue(let label, let text, let why, let choices, let near):
      [why.sentence(label, text)] + didYouMean(near) + allowed(choices)
    case .flagWithValue(let flag): ["\(quoted(flag)) does not take a value."]
    case .repeated(let option): ["'\(option)' is given more than once."]
    case .missingOption(let option, let value): ["'\(option) \(value)' is required."]
    case .missingOneOf(let options):
      [options.map { "'\($0)'" }.joined(separator: " or ") + " is required."]
    case .missingArgument(let name, let choices):
      ["Missing argument \(name)."] + allowed(choices)
    case .unexpectedArgument(let word, let near):
      ["Unexpected argument \(quoted(word))."] + didYouMean(near)
    case .looseValue(let option, let word):
      [
        "Unexpected argument \(quoted(word)).",
        "A value of '\(option)' follows '=': "
          + quoted("\(option)=\(word)", showing: option.count + 41) + ".",
      ]
    case .conflict(let one, let other): ["'\(one)' and '\(other)' cannot be used together."]
    }
  }
}

extension BadValue {
  fileprivate func sentence(_ label: String, _ text: String) -> String {
    switch self {
    case .notAChoice: "'\(label)' does not take \(quoted(text))."
    case .expected(let what): "'\(label)' needs \(what), not \(quoted(text))."
    case .because(let reason): "'\(label)' does not take \(quoted(text)): \(reason)."
    case .secretBecause(let reason):
      "'\(label)' does not take \(quoted(text, showing: 8)): \(reason)."
    }
  }
}

private func didYouMean(_ near: [String]) -> [String] {
  Suggestion.question(near).map { [$0] } ?? []
}

private func allowed(_ choices: [String]) -> [String] {
  choices.isEmpty ? [] : ["Allowed: \(choices.joined(separator: ", "))."]
}

/// A user's word in quotes, safe for a terminal. A long word, or sixteen or more hex digits, shows
/// only the last eight characters: it may be a key, password or token in the wrong place.
private func quoted(_ word: String, showing limit: Int = 40) -> String {
  let isDigits = word.count >= 16 && word.allSatisfy(\.isHexDigit)
  let shown = word.count > limit || isDigits ? "…" + word.suffix(8) : word
  return "'" + shown.printable + "'"
}
