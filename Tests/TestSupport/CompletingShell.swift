internal import Foundation

/// A shell that has loaded a completion script, in a folder that holds a file `only one` and a
/// folder `folder`.
public struct CompletingShell {
  private let shell: String
  private let tool: String
  private let script: String

  /// - Parameters:
  ///   - shell: `bash`, `zsh` or `fish`, which has to be installed.
  ///   - tool: the word that starts the program.
  ///   - script: the text of its completion script.
  public init(_ shell: String, tool: String, script: String) {
    self.shell = shell
    self.tool = tool
    self.script = script
  }

  /// What the shell offers for the last of some words behind the tool's name, in order.
  public func offers(_ words: [String]) throws -> [String] {
    let line = ([tool] + words).joined(separator: " ")
    switch shell {
    case "fish": return try fish(line).filter { $0.hasPrefix(words.last ?? "") }
    case "zsh": return try zsh(line)
    default:
      let quoted = ([tool] + words).map { "'\($0)'" }.joined(separator: " ")
      return try bash("COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count)")
    }
  }

  /// What bash offers when it has set the variables of completion in this way.
  public func bash(_ variables: String) throws -> [String] {
    let text = try withFile("_\(tool)", script) {
      try output(
        of: "bash", "--norc", "-c",
        "\(Self.files); source '\($0)'; \(variables); _\(tool); printf '%s\\n' \"${COMPREPLY[@]}\"")
    }
    return words(of: text)
  }

  private func fish(_ line: String) throws -> [String] {
    let text = try withFile("_\(tool)", script) {
      try output(
        of: "fish", "--no-config", "-c", "\(Self.files); source '\($0)'; complete -C '\(line)'")
    }
    return words(of: text)
  }

  private func zsh(_ line: String) throws -> [String] {
    let text = try withFile("_\(tool)", script) { script in
      try withFile("drive.zsh", Self.drive) {
        try output(of: "zsh", "-f", $0, script, line)
      }
    }
    return words(of: text)
  }

  private static let files = "touch 'only one'; mkdir folder"

  /// fish 4 lists words that only resemble the one before the cursor behind those that begin with it,
  /// and shows a person only the best kind. It writes a tab before the help and a slash behind a
  /// folder; fish and zsh a backslash before a space.
  private func words(of text: String) -> [String] {
    text.split(separator: "\n").map { line in
      let word = line.prefix { $0 != "\t" }.filter { $0 != "\\" }
      return String(word.hasSuffix("/") ? word.dropLast() : word[...])
    }.filter { !$0.isEmpty }.sorted()
  }

  /// Types a line into an interactive zsh and prints the matches that reach `compadd`;
  /// a shell that never answers is given up after a minute.
  private static let drive = """
    \(files)
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "PS1= PS2= RPS1=; unsetopt zle_bracketed_paste
    autoload -Uz compinit && compinit -u -D && source '$1'
    compadd() {
      [[ \\$1 == -[ODA] || \\$* == *' -O '* || \\$* == *' -D '* || \\$* == *' -A '* ]] && {
        builtin compadd \\"\\$@\\"; return }
      local -a found
      builtin compadd -O found \\"\\$@\\"
      print -rl -- \\$found >>matches
      builtin compadd \\"\\$@\\"
    }
    finish() { print -n >>matches; print -n >done }
    zle -C offer complete-word _main_complete
    try() { zle offer; finish; exit }
    zle -N try
    bindkey '^X' try"
    zpty -w shell "print -n ready >ready"
    while [[ ! -s ready && $SECONDS -lt 60 ]]; do zpty -r -t shell _; done
    zpty -w -n shell "$2"$'\\x18'
    while [[ ! -e done && $SECONDS -lt 60 ]]; do zpty -r -t shell _; done
    sort -u matches
    """
}
