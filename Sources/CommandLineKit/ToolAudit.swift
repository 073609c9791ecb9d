/// Checks a tool's tables, in its tests, for faults that the compiler cannot see.
public enum ToolAudit {
  /// A rule that a table can break.
  public enum Requirement: Sendable, Equatable {
    /// Two sibling commands share a name, or one is called `help`.
    case duplicateCommand
    /// Two parameters of a command share a long or a short name.
    case duplicateName
    /// A name does not match `[a-z][a-z0-9-]+`, or a short name is not a letter or digit.
    case badName
    /// A help, summary or meaning does not start with a capital or does not end in a full stop.
    case notASentence
    /// A help or summary exceeds 80 columns.
    case tooLong
    /// The completion is `.choices` but there are none, or a word holds a space or a quote.
    case badChoices
    /// The default is not a choice, belongs to something required, or is what the flag sets anyway.
    case contradictoryDefault
    /// An argument is unreachable: it follows one that takes all words.
    case unreachable
    /// A command with subcommands has parameters of its own.
    case parametersBesideSubcommands
    /// A group has no parameters.
    case emptyGroup
    /// An example does not start with the command's path.
    case foreignExample
    /// The command is missing from a shell's completion script.
    case notCompleted(Shell)
  }

  /// A broken rule and its place.
  public struct Flaw: Sendable, Equatable {
    /// The command's path, joined with spaces.
    public let command: String
    /// The parameter or the example; empty for the command itself.
    public let subject: String
    /// The broken rule.
    public let rule: Requirement
  }

  /// All flaws; empty for a sound tool.
  public static func flaws(in tool: ToolDescription) -> [Flaw] {
    tool.root.family.flatMap { flaws(in: $0, tool.common) } + uncompleted(tool)
  }

  private static func flaws(
    in command: CommandDescription, _ common: [ParameterDescription]
  ) -> [Flaw] {
    let ownRules =
      nameRules(command.name) + textRules(command.summary) + levelRules(command, common)
    var all = ownRules.map { Flaw(command: command.line, subject: "", rule: $0) }
    for parameter in command.groups.flatMap(\.parameters) {
      let rules = flaws(in: parameter)
      all += rules.map { Flaw(command: command.line, subject: parameter.label, rule: $0) }
    }
    for example in command.examples {
      let isForeign = example.line != command.line && !example.line.hasPrefix(command.line + " ")
      let rules = sentenceRules(example.meaning) + (isForeign ? [.foreignExample] : [])
      all += rules.map { Flaw(command: command.line, subject: example.line, rule: $0) }
    }
    return all
  }

  private static func levelRules(
    _ command: CommandDescription, _ common: [ParameterDescription]
  ) -> [Requirement] {
    let spellings = command.options.flatMap(\.spellings) + command.arguments.map(\.label)
    let own = command.groups.flatMap(\.parameters)
      .filter { $0 != .help && $0 != .version && !common.contains($0) }
    var rules: [Requirement] = []
    let reserved = command.path.count == 1 ? ["help"] : []
    if hasDuplicates(command.subcommands.map(\.name) + reserved) { rules.append(.duplicateCommand) }
    if hasDuplicates(spellings) { rules.append(.duplicateName) }
    if command.arguments.dropLast().contains(where: \.isRepeatable) { rules.append(.unreachable) }
    if !command.subcommands.isEmpty && !own.isEmpty { rules.append(.parametersBesideSubcommands) }
    if command.groups.contains(where: \.parameters.isEmpty) { rules.append(.emptyGroup) }
    return rules
  }

  private static func flaws(in parameter: ParameterDescription) -> [Requirement] {
    var rules = nameRules(parameter.name) + textRules(parameter.help)
    if let short = parameter.short, !short.isASCII || !(short.isLetter || short.isNumber) {
      rules.append(.badName)
    }
    let isBad = offered(by: parameter).contains { $0.isEmpty || $0.contains(where: isUnsafe) }
    if isBad || (parameter.completion == .choices) == parameter.choices.isEmpty {
      rules.append(.badChoices)
    }
    return rules + (hasContradictoryDefault(parameter) ? [.contradictoryDefault] : [])
  }

  private static func offered(by parameter: ParameterDescription) -> [String] {
    if case .words(let words) = parameter.completion { return words }
    return parameter.choices
  }

  private static func hasContradictoryDefault(_ parameter: ParameterDescription) -> Bool {
    guard let text = parameter.defaultText else { return false }
    let isForeign = !parameter.choices.isEmpty && !parameter.choices.contains(text)
    return parameter.isRequired || parameter.kind == .flag
      || (isForeign && !parameter.isRepeatable)
  }

  private static func nameRules(_ name: String) -> [Requirement] {
    let letters = "a"..."z"
    let isGood =
      name.count > 1 && letters.contains(String(name.prefix(1)))
      && name.unicodeScalars.allSatisfy { $0 == "-" || ("a"..."z") ~= $0 || ("0"..."9") ~= $0 }
    return isGood ? [] : [.badName]
  }

  private static func textRules(_ text: String) -> [Requirement] {
    sentenceRules(text) + (text.count > 80 ? [.tooLong] : [])
  }

  private static func sentenceRules(_ text: String) -> [Requirement] {
    text.first?.isUppercase == true && text.hasSuffix(".") ? [] : [.notASentence]
  }

  private static func isUnsafe(_ character: Character) -> Bool {
    character.isWhitespace || "'\"\\$`()".contains(character)
  }

  private static func hasDuplicates(_ names: [String]) -> Bool { Set(names).count < names.count }

  private static func uncompleted(_ tool: ToolDescription) -> [Flaw] {
    Shell.allCases.flatMap { shell in
      let script = shell.completions(for: tool)
      return tool.commands.filter { !script.contains(shell.mark(of: $0)) }
        .map { Flaw(command: $0.line, subject: "", rule: .notCompleted(shell)) }
    }
  }
}

extension Shell {
  /// The text that a script contains if it knows a command.
  fileprivate func mark(of command: CommandDescription) -> String {
    switch self {
    case .bash: "    '\(command.line)')"
    case .zsh: "\n\(command.functionName)() {"
    case .fish: "_at \(command.line)'"
    }
  }
}
