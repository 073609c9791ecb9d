import PlainText

/// Words that people type for something with another name here, most often the words of other
/// tools. A word with the same meaning is a better suggestion than one that looks alike.
public struct Synonyms: Sendable {
  /// A word and its meanings, of which the first that fits is suggested.
  public typealias Row = (word: String, meant: [String])

  /// Commands, without the tool's name: `ls` may stand for `list all`.
  public let commands: [Row]
  /// Options with their dashes, such as `--colour` for `--color`, or for an option with its value.
  /// A meaning without a dash is a command line, suggested if the command has none of the options.
  public let options: [Row]
  /// Values of an option, keyed by its name with dashes, or of an argument.
  public let values: [String: [Row]]
  /// Returns the option whose value an unexpected argument looks like, such as `--to TOKEN`.
  public let optionOfArgument: @Sendable (String) -> String?

  /// Creates tables of synonyms.
  public init(
    commands: [Row] = [], options: [Row] = [], values: [String: [Row]] = [:],
    optionOfArgument: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    (self.commands, self.options, self.values) = (commands, options, values)
    self.optionOfArgument = optionOfArgument
  }
}

extension Tool {
  /// Suggestions for a word that is not a command at `path`: a synonym, a command of this name
  /// elsewhere, or a similar command at the same level.
  func commands(meantBy word: String, at path: [String], among level: [String]) -> [String] {
    let here = path.dropFirst().map { $0 + " " }.joined()
    let lines = description.commands.map { $0.path.dropFirst().joined(separator: " ") }
    let meant = synonyms().commands.meaning(of: here + word)
    let elsewhere = lines.filter { $0.split(separator: " ").last == word[...] }
    let found = (meant.isEmpty ? elsewhere : meant).prefix(3)
    if found.isEmpty { return Suggestion.near(word, among: level) }
    return found.map { line in
      line.hasPrefix(here) ? String(line.dropFirst(here.count)) : "\(name) \(line)"
    }
  }

  /// The problem with a synonym as its suggestion, if there is one.
  func suggesting(_ problem: UsageProblem, in command: CommandDescription) -> UsageProblem {
    switch problem {
    case .unknownOption(let word, let near):
      let meant = options(meantBy: word, in: command)
      return .unknownOption(word, near: meant.isEmpty ? near : meant)
    case .badValue(let label, let text, .notAChoice, let choices, let near):
      let meant = (synonyms().values[label] ?? []).meaning(of: text).filter(choices.contains)
      return .badValue(
        label, text: text, why: .notAChoice, choices: choices, near: meant.isEmpty ? near : meant)
    case .unexpectedArgument(let word, _):
      let names = command.options.flatMap(\.spellings)
      let meant = synonyms().optionOfArgument(word).flatMap { option in
        names.contains { option.isOption($0) } ? [option] : nil
      }
      return .unexpectedArgument(word, near: meant ?? [])
    default: return problem
    }
  }

  private func options(meantBy word: String, in command: CommandDescription) -> [String] {
    let meant = synonyms().options.meaning(of: word)
    let names = command.options.flatMap(\.spellings)
    let fitting = meant.first { option in names.contains { option.isOption($0) } }
    if let fitting { return [fitting] }
    return meant.first { !$0.isOption }.map { ["\(name) \($0)"] } ?? []
  }
}

extension [Synonyms.Row] {
  fileprivate func meaning(of word: String) -> [String] {
    first { $0.word.bare == word.bare }?.meant ?? []
  }
}

extension Suggestion {
  /// The options that equal a word apart from dashes and case, that begin with it, or that are near
  /// it.
  static func options(near spelling: String, among names: [String]) -> [String] {
    let word = spelling.bare
    let same = names.filter { $0.bare == word }
    if !same.isEmpty { return same }
    let longer = names.filter { word.count > 2 && $0.bare.hasPrefix(word) }
    return longer.isEmpty || longer.count > 3 ? near(spelling, among: names) : longer
  }
}

extension String {
  /// The word in lowercase without dashes and underscores.
  fileprivate var bare: String { lowercased().filter { $0 != "-" && $0 != "_" } }

  /// True if this is the option `name`, alone or followed by a space and a value.
  fileprivate func isOption(_ name: String) -> Bool { self == name || hasPrefix(name + " ") }
}
