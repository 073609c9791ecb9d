import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("'last', in place of a run's number")
struct LastRunTests {
  private func withRuns(_ body: (Fanfare) throws -> Void) throws {
    try withFanfare { fanfare in
      #expect(try fanfare.send("--to", device("0a1b")).exitCode == 0)
      #expect(try fanfare.send("--to", device("0a1c")).exitCode == 0)
      try body(fanfare)
    }
  }

  static let commands: [(words: [String], code: Int32, fragment: String)] = [
    (["history", "list", "last", "--json"], 0, #""run":2,"#),
    (["history", "show", "last", "--json"], 0, #"{"run":2,"#),
    (["history", "stats", "last", "--json"], 0, #""run":2,"#),
    (["history", "export", "last"], 0, #""run":2,"#),
    (["history", "diff", "1", "last", "--json"], 0, #""run":2"#),
    (["history", "tail", "last", "--json", "--lines", "1"], 0, #""run":2,"#),
    (["history", "resend", "last", "--only", "rejected"], 0, "No push of run 2 matches"),
    (["resume", "last"], 0, "Run 2 has nothing left to do."),
    (["send", "--again=last", "--dry-run"], 0, "Repeats run 2 of "),
    (["stop", "last"], 2, ""),
  ]

  @Test("is the newest run, wherever a number is taken", arguments: commands)
  func newest(_ row: (words: [String], code: Int32, fragment: String)) throws {
    try withRuns { fanfare in
      let result = try fanfare.run(row.words)
      let said = result.output + result.errors
      #expect(result.exitCode == row.code && said.contains(row.fragment), "\(said)")
      #expect(row.words[1] == "diff" || !said.contains(#""run":1,"#), "\(said)")
    }
  }

  @Test("is named beside numbers and IDs by what refuses other words")
  func others() throws {
    try withRuns { fanfare in
      for words in [["history", "list", "lst"], ["history", "export", "lst"], ["resume", "lst"]] {
        let result = try fanfare.run(words)
        #expect(result.exitCode == 2 && result.errors.contains("'last' for the newest"))
      }
    }
    try withFanfare { fanfare in
      let result = try fanfare.run(["history", "list", "last"])
      #expect(result.exitCode == 2 && result.errors.contains("history"), "\(result.errors)")
    }
  }
}
