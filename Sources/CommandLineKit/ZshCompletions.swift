/// The completion script for zsh, as a function of a description: a function per command.
public enum ZshCompletions {
  /// The script; put it into a folder of `$fpath` as `_tool`, or load it with `source`.
  public static func script(for tool: ToolDescription) -> String {
    let name = tool.root.functionName
    var lines = ["#compdef \(tool.name)", ""]
    lines += tool.completable.family.flatMap(function)
    lines += [
      "if [[ $funcstack[1] == \(name) ]]; then",
      "  \(name) \"$@\"",
      "else",
      "  compdef \(name) \(tool.name)",
      "fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func function(for command: CommandDescription) -> [String] {
    let specs = command.options.flatMap(optionSpecs) + command.arguments.map(argumentSpec)
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

  /// One specification per spelling; the spellings of a parameter exclude each other.
  private static func optionSpecs(of option: ParameterDescription) -> [String] {
    let others = option.isRepeatable ? "*" : "(" + option.spellings.joined(separator: " ") + ")"
    return option.spellings.map { spelling in
      let takes = option.kind == .option
      let isLoose = option.isValueOptional
      let sign = takes && spelling.hasPrefix("--") ? (isLoose ? "=-" : "=") : ""
      let colon = isLoose ? "::" : ":"
      let value = takes ? "\(colon)\(escaped(option.value ?? "")):\(action(for: option))" : ""
      return "\(others)\(spelling)\(sign)[\(escaped(option.help))]\(value)".shellQuoted
    }
  }

  private static func argumentSpec(of argument: ParameterDescription) -> String {
    let position = argument.isRepeatable ? "*:" : argument.isRequired ? ":" : "::"
    return "\(position)\(escaped(argument.label)):\(action(for: argument))".shellQuoted
  }

  private static func action(for parameter: ParameterDescription) -> String {
    switch parameter.completion {
    case .none: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .choices: words(parameter.choices)
    case .words(let offered): words(offered)
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
