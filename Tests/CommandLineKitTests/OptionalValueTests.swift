import CommandLineKit
import TestSupport
import Testing

/// A command with an option that may stand alone.
private struct Boil: Command, Equatable {
  static let info = CommandInfo("boil", "Boil water.")

  var whistles = false
  var volume: Int?
  var pots: [String] = []

  static let groups: [OptionGroup<Self>] = [
    OptionGroup(
      "Boil",
      [
        .option(
          "whistle", ofOptional: Int.self, value: "VOLUME", help: "Whistle when it boils.",
          completion: .words(["5", "9"])
        ) { boil, volume in (boil.whistles, boil.volume) = (true, volume) },
        .arguments("pot", \.pots, help: "The pots.", completion: .words(["pan", "pot"])),
      ])
  ]
}

@Suite("An option with an optional value")
struct OptionalValueTests {
  private static let tool = Tool("stove", "Boil and fry.", version: "1", commands: [Boil.self])

  static let good: [(words: [String], whistles: Bool, volume: Int?, pots: [String])] = [
    ([], false, nil, []), (["--whistle"], true, nil, []), (["--whistle=5"], true, 5, []),
    (["--whistle", "5"], true, nil, ["5"]), (["--whistle", "--", "-1"], true, nil, ["-1"]),
    (["a", "--whistle=-3", "b"], true, -3, ["a", "b"]),
  ]

  @Test("takes what follows an equals sign, and no other word", arguments: good)
  func parsing(_ row: (words: [String], whistles: Bool, volume: Int?, pots: [String])) throws {
    let boil = try Boil.parse(row.words)
    #expect(boil.whistles == row.whistles && boil.volume == row.volume && boil.pots == row.pots)
  }

  @Test("refuses a bad value, and to be given twice")
  func refusals() {
    let bad = UsageProblem.badValue(
      "--whistle", text: "", why: .expected("a whole number"), choices: [], near: [])
    #expect(throws: bad) { try Boil.parse(["--whistle="]) }
    #expect(throws: UsageProblem.repeated("--whistle")) {
      try Boil.parse(["--whistle", "--whistle=2"])
    }
  }

  @Test("is shown with its value in brackets, and has no fault")
  func shown() {
    let description = Self.tool.description
    #expect(HelpText.text(of: description.commands[0]).contains("--whistle[=VOLUME]  "))
    let manual = ManualPage.text(of: description, date: "May 3, 2026")
    #expect(manual.contains(".It Fl \\-whistle Ns Op = Ns Ar VOLUME"))
    #expect(ToolAudit.flaws(in: description) == [])
  }

  static let lines: [(words: [String], offered: [String])] = [
    (["boil", "--whistle", "po"], ["pot"]), (["boil", "--whi"], ["--whistle"]),
  ]

  @Test("leaves the next word to others in bash", .needs("bash"), arguments: lines)
  func bash(_ row: (words: [String], offered: [String])) throws {
    #expect(try completing(.bash).offers(row.words) == row.offered)
  }

  @Test("is completed behind an equals sign in bash", .needs("bash"))
  func bashEquals() throws {
    let bash = completing(.bash)
    #expect(try bash.bash("COMP_WORDS=(stove boil --whistle =) COMP_CWORD=3") == ["5", "9"])
    #expect(try bash.bash("COMP_WORDS=(stove boil --whistle = 9) COMP_CWORD=4") == ["9"])
  }

  @Test("leaves the next word to others in fish", .needs("fish"), arguments: lines)
  func fish(_ row: (words: [String], offered: [String])) throws {
    #expect(try completing(.fish).offers(row.words).contains(row.offered[0]))
  }

  @Test("leaves the next word to others in zsh", .needs("zsh"), arguments: lines)
  func zsh(_ row: (words: [String], offered: [String])) throws {
    #expect(try completing(.zsh).offers(row.words).contains { $0.hasPrefix(row.offered[0]) })
  }

  private func completing(_ shell: Shell) -> CompletingShell {
    CompletingShell(
      shell.rawValue, tool: "stove", script: shell.completions(for: Self.tool.description))
  }
}
