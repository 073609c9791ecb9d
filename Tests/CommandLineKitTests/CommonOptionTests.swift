import CommandLineKit
import Testing

@Suite("An option that every command takes")
struct CommonOptionTests {
  private static let option = CommonOption<Leaf>(
    "scent", value: "LEAF", defaultText: "black", help: "What the kitchen smells of.")

  private static let tool: Tool = {
    var tool = kettle
    tool.common = [option.description]
    return tool
  }()

  static let rows: [(words: [String], value: Leaf?, rest: [String])] = [
    ([], nil, []),
    (["brew", "-q"], nil, ["brew", "-q"]),
    (["brew", "--scent", "green", "-q"], .green, ["brew", "-q"]),
    (["--scent=oolong", "brew"], .oolong, ["brew"]),
    (["--scent", "black"], .black, []),
    (["brew", "--", "--scent", "green"], nil, ["brew", "--", "--scent", "green"]),
    (["brew", "--scented"], nil, ["brew", "--scented"]),
  ]

  @Test("is taken out of the words wherever it is", arguments: rows)
  func take(_ row: (words: [String], value: Leaf?, rest: [String])) throws {
    var words = row.words
    #expect(try Self.option.take(from: &words) == row.value)
    #expect(words == row.rest)
  }

  static let bad: [(words: [String], problem: UsageProblem)] = [
    (["brew", "--scent"], .missingValue("--scent", value: "LEAF", isDashed: false)),
    (["--scent", "--", "x"], .missingValue("--scent", value: "LEAF", isDashed: false)),
    (["--scent", "-q"], .missingValue("--scent", value: "LEAF", isDashed: true)),
    (["--scent", "green", "--scent=green"], .repeated("--scent")),
    (
      ["--scent=blak"],
      .badValue(
        "--scent", text: "blak", why: .notAChoice, choices: ["green", "black", "oolong"],
        near: ["black"])
    ),
  ]

  @Test("is refused as any other option is", arguments: bad)
  func refused(_ row: (words: [String], problem: UsageProblem)) {
    var words = row.words
    #expect(throws: row.problem) { try Self.option.take(from: &words) }
  }

  @Test("is in the help of each command, and once in the manual")
  func help() throws {
    for words in [["help"], ["help", "brew"], ["help", "recipes"], ["help", "recipes", "list"]] {
      guard case .help(let text, _) = try Self.tool.parse(words) else {
        Issue.record("\(words) gave no help")
        continue
      }
      #expect(text.contains("--scent LEAF"), "\(words)")
    }
    let manual = ManualPage.text(of: Self.tool.description, date: "May 3, 2026")
    #expect(manual.split(separator: "What the kitchen smells of.").count == 2)
  }

  @Test("is completed, and breaks no rule of the tables")
  func completed() {
    #expect(ToolAudit.flaws(in: Self.tool.description) == [])
    for shell in Shell.allCases {
      #expect(shell.completions(for: Self.tool.description).contains("scent"))
    }
  }

  @Test("is suggested when it is misspelt")
  func near() {
    #expect(
      throws: UsageError(.unknownOption("--scen", near: ["--scent"]), path: ["kettle", "brew"])
    ) { try Self.tool.parse(["brew", "--scen=green"]) }
  }
}
