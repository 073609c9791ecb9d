/// The completion script for zsh, generated from a description: one function per command.
public enum ZshCompletions {
  /// The script, to be saved as `_tool` in a folder of `$fpath`, or loaded with `source`.
  public static func script(for tool: ToolDescription) -> String {
    let name = tool.root.functionName
    var lines = ["#compdef \(tool.name)", ""]
    lines += [
      "\(name)_lines() {",
      "  local -a offered=(${(f)\"$(\(tool.name.shellQuoted) \"$@\" 2>/dev/null)\"})",
      "  compadd -a offered",
      "}", "",
    ]
    lines += tool.completable.family.flatMap { function(for: $0, name) }
    lines += [
      "if [[ $funcstack[1] == \(name) ]]; then",
      "  \(name) \"$@\"",
      "else",
      "  compdef \(name) \(tool.name)",
      "fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func function(for command: CommandDescription, _ name: String) -> [String] {
    let specs =
      command.options.flatMap { optionSpecs(of: $0, name) }
      + command.arguments.map { argumentSpec(of: $0, name) }
    guard !command.subcommands.isEmpty else {
      let body = specs.isEmpty ? "  :" : "  _arguments -S" + continued(specs)
      return ["\(command.functionName)() {", body, "}", ""]
    }
    let branches = specs + ["'1: :->command'", "'*:: :->rest'"]
    return [
      "\(command.functionName)() {",
      "  local curcontext=\"$curcontext\" state line",
      "  typeset -A opt_args",
      "  _arguments -C" + continued(branches),
      "  case $state in",
    ] + commandState(command) + restState(command) + ["  esac", "}", ""]
  }

  private static func continued(_ specs: [String]) -> String {
    specs.map { " \\\n    \($0)" }.joined()
  }

  private static func commandState(_ command: CommandDescription) -> [String] {
    let entries = command.subcommands.map { "        " + "\($0.name):\($0.summary)".shellQuoted }
    return ["    command)", "      local -a commands=("] + entries
      + ["      )", "      _describe -t commands command commands", "      ;;"]
  }

  private static func restState(_ command: CommandDescription) -> [String] {
    let branches = command.subcommands.map { "        \($0.name)) \($0.functionName) ;;" }
    return ["    rest)", "      case $words[1] in"] + branches + ["      esac", "      ;;"]
  }

  /// One specification per spelling; the spellings of a parameter exclude one another.
  private static func optionSpecs(of option: ParameterDescription, _ name: String) -> [String] {
    let others = option.isRepeatable ? "*" : "(" + option.spellings.joined(separator: " ") + ")"
    return option.spellings.map { spelling in
      let takes = option.kind == .option
      let isLoose = option.isValueOptional
      let sign = takes && spelling.hasPrefix("--") ? (isLoose ? "=-" : "=") : ""
      let colon = isLoose ? "::" : ":"
      let value = takes ? "\(colon)\(escaped(option.value ?? "")):\(action(for: option, name))" : ""
      return "\(others)\(spelling)\(sign)[\(escaped(option.help))]\(value)".shellQuoted
    }
  }

  private static func argumentSpec(of argument: ParameterDescription, _ name: String) -> String {
    let position = argument.isRepeatable ? "*:" : argument.isRequired ? ":" : "::"
    return "\(position)\(escaped(argument.label)):\(action(for: argument, name))".shellQuoted
  }

  private static func action(for parameter: ParameterDescription, _ name: String) -> String {
    switch parameter.completion {
    case .none: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .choices: words(parameter.choices)
    case .words(let offered): words(offered)
    // After a space, zsh calls it without the options of compadd.
    case .lines(let command): " \(name)_lines \(command.joined(separator: " "))"
    }
  }

  private static func words(_ words: [String]) -> String {
    "(\(words.map(escaped).joined(separator: " ")))"
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, next in
      if "\\[]:".contains(next) { result.append("\\") }
      result.append(next)
    }
  }
}
