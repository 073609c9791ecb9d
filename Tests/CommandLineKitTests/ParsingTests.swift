import CommandLineKit
import Testing

@Suite("Parsing a command's words")
struct ParsingTests {
  typealias Good = (words: [String], expected: Brew)
  typealias Bad = (words: [String], problem: UsageProblem)

  static let goodRows: [Good] = [
    ([], Brew()),
    (["--leaf", "green"], Brew(leaf: .green)),
    (["--leaf=green"], Brew(leaf: .green)),
    (["-l", "green"], Brew(leaf: .green)),
    (["--second-leaf", "oolong"], Brew(second: .oolong)),
    (["-m", "2.5"], Brew(minutes: 2.5)),
    (["--minutes=-1"], Brew(minutes: -1)),
    (["--guest", "Ann", "--guest=Bob"], Brew(guests: ["Ann", "Bob"])),
    (["--guest="], Brew(guests: [""])),
    (["--guest=a=b"], Brew(guests: ["a=b"])),
    (["--seed", "-"], Brew(seed: "-")),
    (["-t", "80"], Brew(water: WaterOptions(celsius: Celsius(degrees: 80)))),
    (["--filter"], Brew(water: WaterOptions(isFiltered: true))),
    (["--no-filter"], Brew(water: WaterOptions(isFiltered: false))),
    (["--no-log"], Brew(log: false)),
    (["-q"], Brew(isQuiet: true)),
    (["one", "-q", "two"], Brew(isQuiet: true, recipes: ["one", "two"])),
    (["-"], Brew(recipes: ["-"])),
    (["-q", "--", "-q", "--leaf", "--"], Brew(isQuiet: true, recipes: ["-q", "--leaf", "--"])),
  ]

  @Test("good words give the whole struct", arguments: goodRows)
  func good(_ row: Good) throws {
    #expect(try Brew.parse(row.words) == row.expected)
  }

  static let badRows: [Bad] = [
    (["--laef", "green"], .unknownOption("--laef", near: ["--leaf"])),
    (["--tempratur=90"], .unknownOption("--tempratur", near: ["--temperature"])),
    (["-guest"], .unknownOption("-guest", near: ["--guest"])),
    (["--zzzzzz"], .unknownOption("--zzzzzz", near: [])),
    (["-ql", "green"], .unknownOption("-ql", near: [])),
    (["-l=green"], .unknownOption("-l=green", near: [])),
    (["--log"], .unknownOption("--log", near: [])),
    (["--mins", "3"], .unknownOption("--mins", near: [])),
    (["--leaf"], .missingValue("--leaf", value: "LEAF", isDashed: false)),
    (["--leaf", "--"], .missingValue("--leaf", value: "LEAF", isDashed: false)),
    (["-m", "-1"], .missingValue("--minutes", value: "N", isDashed: true)),
    (
      ["--leaf", "gren"],
      .badValue(
        "--leaf", text: "gren", why: .notAChoice, choices: ["green", "black", "oolong"],
        near: ["green"])
    ),
    (
      ["--second-leaf", "mint"],
      .badValue(
        "--second-leaf", text: "mint", why: .notAChoice, choices: ["green", "black", "oolong"],
        near: [])
    ),
    (
      ["--minutes", "nan"],
      .badValue("--minutes", text: "nan", why: .expected("a number"), choices: [], near: [])
    ),
    (
      ["-t", "hot"],
      .badValue(
        "--temperature", text: "hot", why: .expected("a whole number"), choices: [], near: [])
    ),
    (
      ["-t", "101"],
      .badValue(
        "--temperature", text: "101", why: .because("water boils at 100"), choices: [], near: [])
    ),
    (["--quiet=yes"], .flagWithValue("--quiet")),
    (["--no-filter=1"], .flagWithValue("--no-filter")),
    (["-l", "green", "--leaf=black"], .repeated("--leaf")),
    (["-q", "-q"], .repeated("--quiet")), (["-qq"], .repeated("--quiet")),
    (["-qz"], .unknownOption("-qz", near: [])),
    (["--filter", "--no-filter"], .repeated("--filter")),
  ]

  @Test("bad words give the evidence", arguments: badRows)
  func bad(_ row: Bad) {
    #expect(throws: row.problem) { try Brew.parse(row.words) }
  }

  @Test("a tilde that the shell left in a path is the home folder, and other words keep theirs")
  func home() throws {
    let words = ["--seed=~/s.txt", "--guest=~/Ann", "~", "@~/p.json", "~ann/r.txt", "./~/r.txt"]
    let paths = ["/home/ada", "@/home/ada/p.json", "~ann/r.txt", "./~/r.txt"]
    #expect(
      try Brew.parse(words, home: "/home/ada")
        == Brew(guests: ["~/Ann"], seed: "/home/ada/s.txt", recipes: paths))
    #expect(try Brew.parse(["--seed=~/s.txt"]) == Brew(seed: "~/s.txt"))
  }

  @Test("required things are missed")
  func required() throws {
    let both = Check(strictness: 3, folder: "book")
    #expect(try Check.parse(["--strictness", "3", "book"]) == both)
    #expect(throws: UsageProblem.missingOption("--strictness", value: "N")) {
      try Check.parse(["book"])
    }
    #expect(throws: UsageProblem.missingArgument("FOLDER")) { try Check.parse(["--strictness=3"]) }
  }

  @Test("arguments are filled in order, and one too many is an error")
  func positions() throws {
    #expect(try RecipesShow.parse(["sencha"]) == RecipesShow(name: "sencha"))
    #expect(
      try RecipesShow.parse(["sencha", "Uji"]) == RecipesShow(name: "sencha", style: "Uji"))
    #expect(throws: UsageProblem.unexpectedArgument("c")) {
      try RecipesShow.parse(["a", "b", "c"])
    }
    #expect(throws: UsageProblem.unexpectedArgument("x")) { try RecipesList.parse(["--", "x"]) }
  }

  @Test("an array's default is replaced by the first word, then added to")
  func arrayDefault() throws {
    struct Cups: Command, Equatable {
      static let info = CommandInfo("cups", "Set the table.")
      var sizes = [1, 2]
      static let groups: [OptionGroup<Self>] = [
        OptionGroup("What", [.option("size", \.sizes, help: "A size.")])
      ]
    }
    #expect(try Cups.parse([]) == Cups(sizes: [1, 2]))
    #expect(try Cups.parse(["--size", "3", "--size", "4"]) == Cups(sizes: [3, 4]))
    #expect(Cups.describe(at: ["cups"]).options[0].defaultText == "1, 2")
  }
}
