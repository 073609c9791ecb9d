import PlainText

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
    case .missingArgument(let name): ["Missing argument \(name)."]
    case .unexpectedArgument(let word, let near):
      ["Unexpected argument \(quoted(word))."] + didYouMean(near)
    case .looseValue(let option, let word):
      [
        "Unexpected argument \(quoted(word)).",
        "A value of '\(option)' follows '=': \(quoted("\(option)=\(word)")).",
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
