import PlainText
import Testing

@Suite("Suggestions")
struct SuggestionTests {
  @Test(
    "edits are counted",
    arguments: [
      ("send", "send", 0), ("send", "sent", 1), ("send", "sned", 2), ("", "abc", 3),
      ("abc", "", 3), ("kitten", "sitting", 3),
    ])
  func distance(_ row: (String, String, Int)) {
    #expect(Suggestion.editDistance(Array(row.0), Array(row.1)) == row.2)
  }

  @Test("the nearest wins, ties stand together, far ones are silent")
  func near() {
    let names = ["--to", "--tokens", "--topic", "--ca", "--interruption-level"]
    #expect(Suggestion.near("--token", among: names) == ["--tokens"])
    #expect(Suggestion.near("--tokic", among: names) == ["--topic"])
    #expect(Suggestion.near("--interupton-levle", among: names) == ["--interruption-level"])
    #expect(Suggestion.near("--xy", among: names) == [])
    #expect(Suggestion.near("--history", among: names) == [])
    #expect(Suggestion.near("ab", among: ["abc", "abd", "abe", "abf"]) == ["abc", "abd", "abe"])
  }

  @Test("are asked about in one sentence, safe for a terminal, or not at all")
  func question() {
    #expect(Suggestion.question([]) == nil)
    #expect(Suggestion.question(["a\u{1b}"]) == "Did you mean 'a\\u{1b}'?")
    #expect(Suggestion.question(["--to", "--ca"]) == "Did you mean '--to' or '--ca'?")
  }

  @Test("a word far longer than all names is near none of them", .timeLimit(.minutes(15)))
  func farTooLong() {
    #expect(Suggestion.near(String(repeating: "k", count: 1_000_000), among: ["badge"]) == [])
  }
}
