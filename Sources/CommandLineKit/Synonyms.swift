import PlainText

/// Words that people type for what has another name here, most often the words of other tools. What
/// means the same is a better suggestion than what looks alike.
public struct Synonyms: Sendable {
  /// A word, and what it stands for: the first that fits is suggested.
  public typealias Row = (word: String, meant: [String])

  /// Commands, without the tool's name: `ls` may stand for `list all`.
  public let commands: [Row]
  /// Options with their dashes, `--colour` for `--color`; or for an option with its value. What has no
  /// dash is a command line, suggested where the command has none of the options.
  public let options: [Row]
  /// Values of an option, by the option's name with its dashes, or of an argument.
  public let values: [String: [Row]]
  /// The option whose value a word looks like that is an argument too many, such as `--to TOKEN`.
  public let optionOfArgument: @Sendable (String) -> String?

  /// Tables of synonyms.
  public init(
    commands: [Row] = [], options: [Row] = [], values: [String: [Row]] = [:],
    optionOfArgument: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    (self.commands, self.options, self.values) = (commands, options, values)
    self.optionOfArgument = optionOfArgument
  }
}

extension Tool {
  /// What was probably meant by a word that is not a command at `path`: a synonym, a command of this
  /// name elsewhere, or a command beside it that looks alike.
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

  /// The problem with the suggestion of a synonym, where there is one.
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
  /// The options that are spelt like a word but for dashes and capitals, that begin with it, or that
  /// are near it.
  static func options(near spelling: String, among names: [String]) -> [String] {
    let word = spelling.bare
    let same = names.filter { $0.bare == word }
    if !same.isEmpty { return same }
    let longer = names.filter { word.count > 2 && $0.bare.hasPrefix(word) }
    return longer.isEmpty || longer.count > 3 ? near(spelling, among: names) : longer
  }
}

extension String {
  /// The word without dashes and underscores, in small letters.
  fileprivate var bare: String { lowercased().filter { $0 != "-" && $0 != "_" } }

  /// Whether this is an option with that name, alone or with a value behind a blank.
  fileprivate func isOption(_ name: String) -> Bool { self == name || hasPrefix(name + " ") }
}
