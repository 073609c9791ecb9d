import Foundation
import SendingSupport
import TestSupport
import Testing

@Suite("A question to a history that gives no answer")
struct HistoryQuestionFaultTests {
  static let questions = [
    ["history", "stats"], ["history", "tail"], ["history", "prune", "--keep", "0"],
    ["history", "resend", "1"], ["resume"],
  ]

  static let faults: [(name: String, bytes: String?, sentence: String)] = [
    ("none.sqlite", nil, "none.sqlite: there is no history yet."),
    ("letter.txt", String(repeating: "Dear reader, ", count: 500), "not a fanfare history"),
    ("broken.sqlite", "damage", "broken.sqlite: the history is damaged"),
    ("music.sqlite", "other", "this database belongs to another program"),
  ]

  @Test("is told why, and the file stays as it is", arguments: questions, faults)
  func fault(_ words: [String], _ fault: (name: String, bytes: String?, sentence: String)) throws {
    try withFanfare { fanfare in
      try make(fault, fanfare)
      let path = fanfare.folder.file(fault.name)
      let before = FileManager.default.contents(atPath: path)
      let result = try fanfare.run(words + ["--history", fault.name])
      #expect(result.exitCode == 2 && result.errors.contains(fault.sentence))
      // These have no use for it.
      #expect(!result.errors.contains("--no-history"), "\(result.errors)")
      #expect(FileManager.default.contents(atPath: path) == before)
    }
  }

  @Test("names the lock file when it is only that which cannot be made")
  func lockFile() throws {
    try withFanfare { fanfare in
      #expect(try fanfare.send("--to", device("0a1b"), "--history", "h.sqlite").exitCode == 0)
      try fanfare.folder.makeFolder("h.sqlite.run-1.lock")
      let result = try fanfare.run(["history", "resend", "1", "--history", "h.sqlite"])
      let sentence = "h.sqlite.run-1.lock: cannot create this lock file beside the history"
      #expect(result.exitCode == 2 && result.errors.contains(sentence), "\(result.errors)")
    }
  }

  private func make(
    _ fault: (name: String, bytes: String?, sentence: String), _ fanfare: Fanfare
  ) throws {
    switch fault.bytes {
    case nil: return
    case "other":
      try SQLiteFile(fanfare.folder.file(fault.name)).execute("CREATE TABLE songs (name)")
    case "damage":
      _ = try fanfare.send("--to", device("0a1b"), "--history", fault.name)
      // Its log goes into the file, of which the first page loses its tables.
      try SQLiteFile(fanfare.folder.file(fault.name)).execute("PRAGMA wal_checkpoint(TRUNCATE)")
      let file = try FileHandle(forUpdating: URL(filePath: fanfare.folder.file(fault.name)))
      try file.seek(toOffset: 100)
      try file.write(contentsOf: Data(repeating: 0xA5, count: 3000))
      try file.close()
    case let text?: try fanfare.folder.write(fault.name, text)
    }
  }

  @Test(
    "is answered from a folder that cannot be written to, but nothing is removed there",
    .disabled(if: geteuid() == 0, "nothing is forbidden to root"))
  func readOnly() throws {
    try withFanfare { fanfare in
      try fanfare.folder.makeFolder("still")
      _ = try fanfare.send("--to", device("0a1b"), "--history", "still/h.sqlite")
      try SQLiteFile(fanfare.folder.file("still/h.sqlite")).execute("PRAGMA journal_mode = DELETE")
      let paths = ["still/h.sqlite", "still"].map(fanfare.folder.file)
      for path in paths { try #require(chmod(path, path.hasSuffix("still") ? 0o500 : 0o400) == 0) }
      defer { chmod(paths[1], 0o700) }
      let history = ["--history", "still/h.sqlite"]
      #expect(try fanfare.run(["history", "stats"] + history).output.contains("total"))
      #expect(try fanfare.run(["history", "tail", "1"] + history).output.contains("run 1 ended"))
      let tail = try fanfare.run(["history", "tail"] + history)
      #expect(tail.exitCode == 0 && tail.errors.contains("there is nothing to follow"))
      let dry = try fanfare.run(["history", "prune", "--keep", "0", "--dry-run"] + history)
      #expect(dry.output == "Would delete 1 run with 1 push.\n")
      let refused = try fanfare.run(["history", "prune", "--keep", "0"] + history)
      #expect(refused.exitCode == 2 && refused.output.isEmpty)
    }
  }

  @Test("is answered where there is no room left for anything")
  func noRoom() throws {
    try withFanfare { fanfare in
      _ = try fanfare.send("--to", device("0a1b"), "--history", "h.sqlite")
      let questions = [["list"], ["show", "1"], ["stats"], ["export"]]
      for words in questions {
        let command = ["history"] + words + ["--history", "h.sqlite"]
        let usual = try fanfare.run(command)
        let limit = "ulimit -f 8; exec \"$0\" \"$@\""
        let tight = try Program(
          path: try requirePath(of: "bash"), ["-c", limit, Fanfare.path] + command,
          in: fanfare.folder
        ).finish()
        #expect(tight.exitCode == 0 && tight.output == usual.output, "\(tight.errors)")
      }
    }
  }
}
