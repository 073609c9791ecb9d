import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

/// The database was made by the version of fanfare that wrote a run's summary as JSON, with pushes to an
/// emulator that refused some device tokens:
///
/// 1. one push, accepted
/// 2. a template whose payloads were kept, of which pushes were rejected and deferred
/// 3. a resend of the rejected ones
/// 4. stopped by SIGINT when all of its list was read
/// 5. one push, rejected
/// 6. at most once, stopped, resumed and stopped again, with recipients left that no pass has read
/// 7. killed
/// 8. one push, deferred
@Suite("A history of schema 6")
struct StoredHistoryTests {
  private static let prefix = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7"

  private func withHistory<Result>(_ body: (Fanfare, Server) throws -> Result) throws -> Result {
    try withFanfare { fanfare in
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Histories/schema-6.sql")
      let dump = try String(contentsOf: file, encoding: .utf8)
      try SQLiteFile(fanfare.folder.file("h.sqlite"))
        .execute(dump.replacing("FOLDER", with: fanfare.folder.path))
      let rows = (1...8).map { "\(Self.prefix)e80\($0),Kim0\($0)" }
      let table = ["token,name"] + rows + ["nothex,Bad", "\(Self.prefix)e801,Again"]
      try fanfare.folder.write("list.csv", table.map { $0 + "\n" }.joined())
      try fanfare.folder.write(
        "long.txt", (100...199).map { "\(Self.prefix)f\($0)\n" }.joined())
      return try body(fanfare, try Server(fanfare))
    }
  }

  private func json(_ fanfare: Fanfare, _ words: String...) throws -> [JSON] {
    let result = try fanfare.run(words + ["--history", "h.sqlite", "--json"])
    #expect(result.exitCode == 0, "\(result.errors)")
    return try result.output.split(separator: "\n").map { try JSON(text: String($0)) }
  }

  @Test("is listed with what became of its pushes")
  func listed() throws {
    try withHistory { fanfare, _ in
      let runs = try json(fanfare, "history", "list")
      #expect(runs.map { $0["run"]?.int } == [8, 7, 6, 5, 4, 3, 2, 1])
      #expect(runs.map { $0["accepted"]?.int } == [0, 25, 48, 0, 24, 0, 3, 1])
      #expect(
        runs.map { $0["state"] } == [
          "finished", "running", "interrupted", "finished", "finished", "finished", "finished",
          "finished",
        ])
    }
  }

  @Test("is shown with the figures that were printed when each run ended", arguments: 1...8)
  func figures(run: Int) throws {
    try withHistory { fanfare, _ in
      let kept = try SQLiteFile(fanfare.folder.file("h.sqlite"))
        .texts("SELECT summary FROM runs WHERE summary <> '' AND id = \(run)").first
      let shown = try #require(try json(fanfare, "history", "show", "\(run)").first)
      let printed: JSON = try kept.map { try JSON(text: $0) } ?? nil
      #expect(shown["summary"] == printed)
      #expect(shown["run"]?.int == run)
    }
  }

  @Test(
    "is told to people, with reasons and speed",
    arguments: [
      (run: "2", says: ["Unregistered", "status 500", "pushes/s", "p99"]),
      (run: "6", says: ["about 20 recipients after line 80 of long.txt", "in pass 2"]),
      (run: "7", says: ["claimed, no result  75"]),
    ])
  func told(_ row: (run: String, says: [String])) throws {
    try withHistory { fanfare, _ in
      let show = try fanfare.run(["history", "show", row.run, "--history", "h.sqlite"])
      #expect(show.exitCode == 0, "\(show.errors)")
      for words in row.says { #expect(show.output.contains(words), "\(show.output)") }
    }
  }

  @Test(
    "is resumed where it was left",
    arguments: [
      (run: "2", requests: 2, accepted: 5), (run: "4", requests: 76, accepted: 100),
      (run: "6", requests: 52, accepted: 100), (run: "7", requests: 75, accepted: 100),
      (run: "8", requests: 1, accepted: 1),
    ])
  func resumed(_ row: (run: String, requests: Int, accepted: Int)) throws {
    try withHistory { fanfare, server in
      let words = ["resume", row.run, "--now", "--history", "h.sqlite", "--json"]
      let result = try fanfare.run(words + server.place)
      let summary = try JSON(text: result.output)
      #expect(summary["accepted"]?.int == row.accepted, "\(result.errors)")
      #expect(server.emulator.requestCount == row.requests)
      let shown = try json(fanfare, "history", "show", row.run)
      #expect(shown.first?["summary"]?["pass"] == summary["pass"])
      #expect(shown.first?["summary"]?["seconds"] == summary["seconds"])
    }
  }

  @Test("is resent, and knows what was resent before")
  func resent() throws {
    try withHistory { fanfare, server in
      let words = ["history", "resend", "2", "--history", "h.sqlite", "--json"]
      let result = try fanfare.run(words + ["--only", "deferred"] + server.place)
      let printed = try JSON(text: result.output)
      #expect(printed["accepted"]?.int == 2, "\(result.errors)")
      #expect(try json(fanfare, "history", "show", "2").first?["resentBy"] == [3, 9])
      #expect(try json(fanfare, "history", "show", "9").first?["summary"] == printed)
    }
  }

  @Test("is repeated from the options of a run")
  func repeated() throws {
    try withHistory { fanfare, server in
      let words = ["send", "--again=1", "--history", "h.sqlite", "--json"]
      let result = try fanfare.run(words + server.place)
      let printed = try JSON(text: result.output)
      #expect(printed["accepted"]?.int == 1, "\(result.errors)")
      #expect(printed["push"]?["token"] != nil)
      #expect(try json(fanfare, "history", "show", "9").first?["summary"] == printed)
    }
  }
}
