/// The completion script for fish, generated from a description.
public enum FishCompletions {
  /// The script, to be saved as `tool.fish` in fish's completions folder.
  public static func script(for tool: ToolDescription) -> String {
    let family = tool.completable.family
    var lines = ["# fish completion for \(tool.name)", ""]
    lines += position(tool.root, family.dropFirst().map(\.line))
    lines += ["", "complete -c \(tool.name) -f"]
    lines += family.flatMap { entries(for: $0, in: tool.root) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A shell function that tests if the words so far lead to a given command.
  private static func position(_ root: CommandDescription, _ paths: [String]) -> [String] {
    [
      "function _\(root.functionName)_at",
      "    set -l at \(quoted(root.name))",
      "    set -l words (commandline -opc)",
      "    for word in $words[2..-1]",
      "        switch \"$at $word\"",
      "            case \(paths.map(quoted).joined(separator: " "))",
      "                set at \"$at $word\"",
      "        end",
      "    end",
      "    test \"$at\" = \"$argv\"",
      "end",
    ]
  }

  private static func entries(
    for command: CommandDescription, in root: CommandDescription
  ) -> [String] {
    let start = "complete -c \(root.name) -n '_\(root.functionName)_at \(command.line)'"
    let subcommands = command.subcommands.map { "-a \($0.name) -d \(quoted($0.summary))" }
    let arguments = command.arguments.filter { $0.completion != .none }
      .map { value(of: $0, root.name) }
    let options = command.options.flatMap { option($0, root.name) }
    return (subcommands + options + arguments).map { "\(start) \($0)" }
  }

  private static func option(_ option: ParameterDescription, _ tool: String) -> [String] {
    let short = option.short.map { "-s \($0) " } ?? ""
    let help = "-d \(quoted(option.help))"
    let needs = option.isValueOptional ? "" : " -r"
    let takes = option.kind == .option ? "\(needs) \(value(of: option, tool))" : ""
    let positive = "\(short)-l \(option.name) \(help)\(takes)"
    return option.kind == .toggle ? [positive, "-l no-\(option.name) \(help)"] : [positive]
  }

  private static func value(of parameter: ParameterDescription, _ tool: String) -> String {
    switch parameter.completion {
    case .none: "-f"
    case .file: "-F"
    case .folder: "-f -a '(__fish_complete_directories)'"
    case .choices: "-f -a \(quoted(parameter.choices.joined(separator: " ")))"
    case .words(let offered): "-f -a \(quoted(offered.joined(separator: " ")))"
    case .lines(let command):
      "-f -a \(quoted("(" + ([tool] + command).joined(separator: " ") + " 2>/dev/null)"))"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: #"\\"#).replacing("'", with: #"\'"#) + "'"
  }
}
