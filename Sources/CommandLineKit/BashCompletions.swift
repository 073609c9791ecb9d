/// The completion script for bash, generated from a description. It requires only bash 3.2.
public enum BashCompletions {
  /// The script, to be loaded with `source`.
  public static func script(for tool: ToolDescription) -> String {
    let family = tool.completable.family
    let name = tool.root.functionName
    var lines = ["# bash completion for \(tool.name)", ""]
    lines += helpers(name, tool.name)
    lines += opening(name, tool.name)
    lines += ["      " + pattern(family.dropFirst().map(\.line)) + " at=\"$at $word\" ;;"]
    lines += ["    esac", "  done", "  case $at in"]
    lines += family.flatMap { cases(for: $0, name) }
    lines += ["  esac", "}", "", "complete -F \(name) \(tool.name)"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The loop replaces `mapfile`, which the bash of macOS is too old for.
  private static func helpers(_ name: String, _ tool: String) -> [String] {
    [
      "\(name)_reply() {",
      "  local line",
      "  while IFS= read -r line; do COMPREPLY+=(\"$line\"); done",
      "}",
      "\(name)_words() { \(name)_reply < <(compgen -W \"$1\" -- \"$cur\"); }",
      "\(name)_lines() {",
      "  local line",
      "  while IFS= read -r line; do",
      "    if [[ $line == \"$cur\"* && $line != *[^[:alnum:]_.@+=/-]* ]]; then",
      "      COMPREPLY+=(\"$line\")",
      "    fi",
      "  done < <(\(tool.shellQuoted) \"$@\" 2>/dev/null)",
      "}",
      "\(name)_paths() {",
      "  compopt -o filenames 2>/dev/null",
      "  \(name)_reply < <(compgen \"$1\" -- \"$cur\")",
      "}",
      "",
    ]
  }

  /// bash splits `--name=value` into three words, and a URL at its colon, after which nothing is
  /// offered. The loop then follows the words that name commands.
  private static func opening(_ name: String, _ tool: String) -> [String] {
    [
      "\(name)() {",
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}",
      "  local at=\(tool.shellQuoted) word",
      "  COMPREPLY=()",
      "  if [[ $cur == = ]]; then",
      "    cur=",
      "  elif [[ $prev == = ]]; then",
      "    prev=${COMP_WORDS[COMP_CWORD-2]}",
      "  elif [[ $cur == : || $prev == : ]]; then",
      "    return",
      "  fi",
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do",
      "    case \"$at $word\" in",
    ]
  }

  private static func cases(for command: CommandDescription, _ name: String) -> [String] {
    let options = command.options.filter { $0.kind == .option }
    var lines = ["    \(pattern([command.line]))", "      case $prev in"]
    let rest = offerRest(of: command, name)
    lines += options.map { option in
      let value = offer(option, name)
      let offered =
        option.isValueOptional ? "if \(isGlued); then \(value); else \(rest); fi" : value
      return "        \(pattern(option.spellings)) \(offered) ;;"
    }
    lines += ["        *) \(rest) ;;", "      esac", "      ;;"]
    return lines
  }

  /// A shell test for a word that follows `=`, the only place for an optional value.
  private static let isGlued =
    "[[ ${COMP_WORDS[COMP_CWORD]} == = || ${COMP_WORDS[COMP_CWORD-1]} == = ]]"

  private static func pattern(_ words: [String]) -> String {
    words.map(\.shellQuoted).joined(separator: " | ") + ")"
  }

  private static func offer(_ parameter: ParameterDescription, _ name: String) -> String {
    switch parameter.completion {
    case .none: ":"
    case .file: "\(name)_paths -f"
    case .folder: "\(name)_paths -d"
    case .choices: words(parameter.choices, name)
    case .words(let offered): words(offered, name)
    case .lines(let command): "\(name)_lines \(command.joined(separator: " "))"
    }
  }

  /// Options after a dash, otherwise subcommands or the first argument; without these, options.
  private static func offerRest(of command: CommandDescription, _ name: String) -> String {
    let options = words(command.options.flatMap(\.spellings), name)
    let argument = command.arguments.first { $0.completion != .none }
    guard !command.subcommands.isEmpty || argument != nil else { return options }
    let plain =
      argument.map { offer($0, name) } ?? words(command.subcommands.map(\.name), name)
    return "if [[ $cur == -* ]]; then \(options); else \(plain); fi"
  }

  private static func words(_ words: [String], _ name: String) -> String {
    "\(name)_words \(words.joined(separator: " ").shellQuoted)"
  }
}
