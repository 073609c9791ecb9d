import CommandLineKit
import TestSupport
import Testing

@Suite("Completions")
struct CompletionTests {
  @Test("the scripts are as recorded", arguments: Shell.allCases)
  func recorded(_ shell: Shell) throws {
    try expectSnapshot(shell.completions(for: kettle.description), "kettle.\(shell.rawValue)")
  }

  /// A line up to the cursor, and what is offered there.
  static let lines: [(words: [String], offered: [String])] = [
    ([""], ["brew", "check", "help", "recipes"]),
    (["b"], ["brew"]),
    (["--v"], ["--version"]),
    (["recipes", ""], ["list", "show"]),
    (["help", "recipes", "s"], ["show"]),
    (["brew", "--leaf", ""], ["black", "green", "oolong"]),
    (["brew", "-l", "g"], ["green"]),
    (["brew", "--second"], ["--second-leaf"]),
    (["brew", "--no-"], ["--no-filter", "--no-log"]),
    (["brew", "-q", "--te"], ["--temperature"]),
    (["recipes", "list", "--li"], ["--limit"]),
    (["brew", "--seed", "only"], ["only one"]),
    (["brew", "only"], ["only one"]),
    (["check", "fol"], ["folder"]),
    (["brew", "--minutes", ""], []),
  ]

  @Test("bash offers what fits", .needs("bash"), arguments: lines)
  func bash(_ row: (words: [String], offered: [String])) throws {
    let words = (["kettle"] + row.words).map { "'\($0)'" }.joined(separator: " ")
    #expect(try bash("COMP_WORDS=(\(words)) COMP_CWORD=\(row.words.count)") == row.offered)
  }

  @Test("bash completes behind an equals sign", .needs("bash"))
  func bashEquals() throws {
    let offered = ["black", "green", "oolong"]
    #expect(try bash("COMP_WORDS=(kettle brew --leaf =) COMP_CWORD=3") == offered)
    #expect(try bash("COMP_WORDS=(kettle brew --leaf = g) COMP_CWORD=4") == ["green"])
  }

  @Test("fish finds no fault in its script", .needs("fish"))
  func fishSyntax() throws {
    #expect(try withScript(.fish) { try output(of: "fish", "--no-execute", $0) } == "")
  }

  @Test("fish offers what fits", .needs("fish"), arguments: lines)
  func fish(_ row: (words: [String], offered: [String])) throws {
    let line = (["kettle"] + row.words).joined(separator: " ")
    let text = try withScript(.fish) {
      try output(
        of: "fish", "--no-config", "-c",
        "touch 'only one'; mkdir folder; source '\($0)'; complete -C '\(line)'")
    }
    let offered = text.split(separator: "\n").map { word(offeredBy: $0) }
    #expect(offered.filter { !$0.isEmpty }.sorted() == row.offered)
  }

  @Test("zsh finds no fault in its script and its completion system knows the tool", .needs("zsh"))
  func zsh() throws {
    #expect(try withScript(.zsh) { try output(of: "zsh", "-n", $0) } == "")
    let known = try withScript(.zsh) {
      let load = "autoload -Uz compinit && compinit -u -D && source '\($0)'"
      let show = "print $_comps[kettle] $+functions[_kettle_recipes_list]"
      return try output(of: "zsh", "-f", "-c", "\(load); \(show)")
    }
    #expect(known == "_kettle 1\n")
  }

  @Test("zsh offers what fits", .needs("zsh"), arguments: lines)
  func zshOffers(_ row: (words: [String], offered: [String])) throws {
    let line = (["kettle"] + row.words).joined(separator: " ")
    let text = try withScript(.zsh) { script in
      try withFile("drive.zsh", Self.drive) {
        try output(of: "zsh", "-f", $0, script, line)
      }
    }
    #expect(text.split(separator: "\n").map { word(offeredBy: $0) }.sorted() == row.offered)
  }

  /// Types a line into an interactive zsh and prints the matches that reach `compadd`;
  /// a shell that never answers is given up after a minute.
  private static let drive = """
    touch 'only one'; mkdir folder
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

  private func bash(_ line: String) throws -> [String] {
    let text = try withScript(.bash) {
      let load = "touch 'only one'; mkdir folder; source '\($0)'"
      return try output(
        of: "bash", "--norc", "-c", "\(load); \(line); _kettle; printf '%s\\n' \"${COMPREPLY[@]}\"")
    }
    return text.split(separator: "\n").map(String.init).sorted()
  }

  private func withScript<Result>(
    _ shell: Shell, _ body: (String) throws -> Result
  ) throws -> Result {
    try withFile("_kettle", shell.completions(for: kettle.description), body)
  }

  /// fish writes a tab before the help and a slash behind a folder; fish and zsh a backslash before
  /// a space.
  private func word(offeredBy line: Substring) -> String {
    let word = line.prefix { $0 != "\t" }.filter { $0 != "\\" }
    return String(word.hasSuffix("/") ? word.dropLast() : word[...])
  }
}
