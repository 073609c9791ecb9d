import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare emulator --script")
struct EmulatorScriptTests {
  /// The first example of docs/emulator.md.
  private static func example() throws -> String {
    let page = projectFolder.appending(path: "docs/emulator.md")
    let text = try String(contentsOf: page.standardizedFileURL, encoding: .utf8)
    let parts = text.components(separatedBy: "```json5\n")
    return try #require(parts[1].components(separatedBy: "\n```").first)
  }

  @Test("gives clients the bad day of the documentation, and no push is lost")
  func plays() throws {
    try withFanfare { fanfare in
      let count = 20_000
      let dead = "dead" + String(repeating: "0", count: 60)
      try fanfare.folder.write("list.txt", tokenList(count) + dead + "\n")
      try fanfare.folder.write("day.json5", try Self.example())
      let emulator = try RunningCommand(
        fanfare, "--script", "day.json5", "--journal", "journal.jsonl")
      let result = try fanfare.run(
        emulator.send + ["--tokens", "list.txt", "--dead-tokens", "dead.txt", "--json"])
      #expect(try emulator.end() == 143)
      let summary = try JSON(text: result.output)
      expectSum(of: summary)
      #expect(summary["accepted"]?.int == count && summary["rejected"] == 1, "\(result.output)")
      #expect(try fanfare.folder.lines("dead.txt").count == 1)
      let lines = try fanfare.folder.lines("journal.jsonl")
      let processed = lines.filter { $0.contains(#""processed":true"#) }
      #expect(Set(processed.map(token)).count == count)
      #expect(processed.count - count <= summary["resentInDoubt"]?.int ?? 0)
      #expect(lines.count { $0.contains("RST_STREAM with code 7") } >= count / 100 - 5)
      #expect(lines.count { $0.contains("the connection was dropped (rst)") } == 1)
      #expect(lines.count { $0.contains("after 200 ms") } == 50)
    }
  }

  @Test("says all that is wrong with a script, and does not listen")
  func refuses() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "day.json5", "{rules: [\n  {when: {nht: 1}, swallow: true},\n  {reset: 'OOPS'}]}")
      let result = try fanfare.run(["emulator", "--script", "day.json5"])
      #expect(result.exitCode == 2 && result.output.isEmpty)
      #expect(result.errors.contains("day.json5:2:11"), "\(result.errors)")
      #expect(result.errors.contains("Did you mean 'nth'?"))
      #expect(result.errors.contains("day.json5:3:11"))
      let missing = try fanfare.run(["emulator", "--script", "none.json5"])
      #expect(missing.exitCode == 2 && missing.errors.contains("none.json5"), "\(missing.errors)")
    }
  }

  private func token(_ line: Substring) -> Substring {
    line.split(separator: "\"token\":\"").last?.prefix(64) ?? ""
  }
}
