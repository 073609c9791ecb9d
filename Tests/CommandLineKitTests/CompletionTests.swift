import CommandLineKit
import TestSupport
import Testing

/// A command whose values the tool lists itself.
private struct Open: Command {
  static let info = CommandInfo("open", "Open a tin.")

  var tins: [String] = []

  static let groups: [OptionGroup<Self>] = [
    OptionGroup(
      "Open", [.arguments("tin", \.tins, help: "The tins.", completion: .lines(of: ["tins"]))])
  ]
}

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
    #expect(try completing(.bash).offers(row.words) == row.offered)
  }

  @Test("bash completes behind an equals sign", .needs("bash"))
  func bashEquals() throws {
    let bash = completing(.bash)
    let offered = ["black", "green", "oolong"]
    #expect(try bash.bash("COMP_WORDS=(kettle brew --leaf =) COMP_CWORD=3") == offered)
    #expect(try bash.bash("COMP_WORDS=(kettle brew --leaf = g) COMP_CWORD=4") == ["green"])
  }

  @Test("bash offers nothing within a URL", .needs("bash"))
  func bashURL() throws {
    let bash = completing(.bash)
    for words in ["http :", "http : //", "http : ''", "= http : //"] {
      let count = words.split(separator: " ").count + 3
      let line = "COMP_WORDS=(kettle brew --seed \(words)) COMP_CWORD=\(count - 1)"
      #expect(try bash.bash(line) == [], "\(words)")
    }
  }

  @Test("bash offers the lines that the tool prints, unless they would need quotes", .needs("bash"))
  func bashLines() throws {
    let shelf = Tool("shelf", "Keep tins.", version: "1", commands: [Open.self])
    let script = Shell.bash.completions(for: shelf.description)
    let bash = CompletingShell("bash", tool: "shelf", script: script)
    let prints = "shelf() { printf '%s\\n' a.b@c-d_e 'f+/g==' 'two words' 'h;i' 'j$k'; }"
    let offered = try bash.bash("\(prints); COMP_WORDS=(shelf open '') COMP_CWORD=2")
    #expect(offered == ["a.b@c-d_e", "f+/g=="])
  }

  @Test("fish finds no fault in its script", .needs("fish"))
  func fishSyntax() throws {
    #expect(try withScript(.fish) { try output(of: "fish", "--no-execute", $0) } == "")
  }

  @Test("fish offers what fits", .needs("fish"), arguments: lines)
  func fish(_ row: (words: [String], offered: [String])) throws {
    #expect(try completing(.fish).offers(row.words) == row.offered)
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
    #expect(try completing(.zsh).offers(row.words) == row.offered)
  }

  private func completing(_ shell: Shell) -> CompletingShell {
    CompletingShell(
      shell.rawValue, tool: "kettle", script: shell.completions(for: kettle.description))
  }

  private func withScript<Result>(
    _ shell: Shell, _ body: (String) throws -> Result
  ) throws -> Result {
    try withFile("_kettle", shell.completions(for: kettle.description), body)
  }
}
