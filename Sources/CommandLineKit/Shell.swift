/// A shell for which completions can be generated.
public enum Shell: String, ArgumentValue, CaseIterable {
  /// bash 3.2 and later.
  case bash
  /// zsh 5 and later.
  case zsh
  /// fish 3.1 and later.
  case fish

  /// The shell's completion script for a tool.
  public func completions(for tool: ToolDescription) -> String {
    switch self {
    case .bash: BashCompletions.script(for: tool)
    case .zsh: ZshCompletions.script(for: tool)
    case .fish: FishCompletions.script(for: tool)
    }
  }
}

extension CommandDescription {
  /// The path as the name of a shell function, such as `_tool_list_show`.
  var functionName: String {
    "_" + path.joined(separator: "_").replacing("-", with: "_")
  }
}

extension String {
  /// The text in single quotes, for bash and zsh.
  var shellQuoted: String { "'" + replacing("'", with: #"'\''"#) + "'" }
}
