import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("A history in PostgreSQL", .needsPostgreSQL, .timeLimit(.minutes(15)))
struct PostgreSQLHistoryTests {
  /// What is asked of three runs; `ID` is the `apns-id` of a push that was refused.
  static let questions: [(words: [String], exitCode: Int32)] = [
    (["history", "list"], 0), (["history", "list", "--json"], 0),
    (["history", "list", "--numbers"], 0), (["history", "list", "--since", "1h"], 0),
    (["history", "list", "--until", "2020-01-01"], 0), (["history", "list", "1"], 0),
    (["history", "list", "1", "--json"], 0), (["history", "list", "1", "--show-tokens"], 0),
    (["history", "list", "--pushes", "--limit", "3", "--skip", "1"], 0),
    (["history", "list", "--outcome", "rejected", "--outcome", "deferred"], 0),
    (["history", "list", "--reason", "unregistered"], 0),
    (["history", "list", "--token", "000000000003"], 0),
    (["history", "list", "--token", "0003"], 0), (["history", "list", "--token", tokenText(3)], 0),
    (["history", "list", "--token", "4e5f6071"], 0), (["history", "list", "--apns-id", "ID"], 0),
    (["history", "list", "--env", "sandbx"], 0),
    (["history", "list", "--reason", "Unregisterd"], 0),
    (["history", "list", "7"], 2),
    (["history", "show"], 0), (["history", "show", "1"], 0),
    (["history", "show", "1", "--json"], 0), (["history", "show", "ID"], 0),
    (["history", "show", "ID", "--json", "--show-tokens"], 0), (["history", "show", "7"], 2),
    (["history", "show", "123e4567-e89b-42d3-a456-426614174000"], 2),
    (["history", "stats"], 0), (["history", "stats", "--json"], 0),
    (["history", "stats", "--by", "day"], 0), (["history", "stats", "--by", "reason"], 0),
    (["history", "stats", "--by", "topic", "--json"], 0),
    (["history", "stats", "--by", "environment"], 0),
    (["history", "stats", "1", "--outcome", "rejected", "--by", "reason"], 0),
    (["history", "tail", "1"], 0), (["history", "tail", "1", "--lines", "3", "--json"], 0),
    (["history", "diff", "1", "2"], 1), (["history", "diff", "1", "1"], 0),
    (["history", "diff", "ID", "2", "--json"], 1),
    (["history", "export"], 0), (["history", "export", "--format", "csv"], 0),
    (["history", "export", "1", "--format", "csv", "--outcome", "accepted"], 0),
    (["history", "export", "--format", "har"], 0), (["history", "export", "--format", "curl"], 0),
    (["history", "resend", "1", "--dry-run"], 0),
    (["history", "resend", "1", "--only", "rejected", "--dry-run"], 0),
    (["history", "resend", "1", "--only", "skipped", "--dry-run"], 1),
    (["history", "prune", "--keep", "1", "--dry-run"], 0),
    (["history", "prune", "--keep", "1", "--dry-run", "--json"], 0),
    (["channel", "list", "--known"], 0), (["channel", "list", "--known", "--json"], 0),
    (["resume", "1"], 0), (["resume", "7"], 2), (["resume", "3"], 4),
  ]

  @Test("answers each question as one in a file does")
  func questions() throws {
    try withHistories { histories in
      try histories.sendThree()
      for (words, exitCode) in Self.questions {
        try histories.expectSame(words, exitCode: exitCode)
      }
    }
  }

  @Test("is written to as one in a file is: once more, again, resumed, and less of it")
  func changes() throws {
    try withHistories { histories in
      try histories.sendThree()
      for (words, exitCode) in [
        (["resume", "3", "--now"], 0), (["history", "show", "3"], 0), (["resume"], 0),
        (["history", "resend", "1", "--only", "rejected"], 1), (["history", "show", "1"], 0),
        (["history", "show", "4", "--json"], 0), (["history", "list", "4"], 0),
        (["history", "resend", "1"], 0), (["send", "--again=2"], 0), (["send", "--again"], 0),
        (["history", "list"], 0), (["history", "stats", "--by", "topic"], 0),
        (["history", "prune", "--older-than", "1h"], 0), (["history", "prune", "--keep", "2"], 0),
        (["history", "list"], 0), (["history", "show", "1"], 2),
        (["history", "list", "--pushes"], 0),
        (["history", "prune", "--keep", "0", "--json"], 0), (["history", "list"], 0),
        (["history", "show"], 2), (["send", "--again"], 2), (["resume"], 0),
      ] as [([String], Int32)] {
        let signsIn = words[0] == "resume" || words[0] == "send" || words[1] == "resend"
        try histories.expectSame(words, signsIn: signsIn, exitCode: exitCode)
      }
    }
  }

  @Test("knows channels as one in a file does")
  func channels() throws {
    try withHistories { histories in
      for words in [
        ["create", "--store"], ["create"], ["list", "--known"], ["list", "--known", "--json"],
        ["show", "CHANNEL"], ["show", "CHANNEL", "--json"], ["delete", "CHANNEL", "--yes"],
        ["list", "--known", "--ids"], ["list", "--known"],
      ] {
        let app = ["--bundle-id", "com.example.app"]
        try histories.expectSame(
          ["channel"] + words + app, signsIn: words[0] != "list", exitCode: 0)
      }
    }
  }

  @Test("loses nobody when the program is killed, and is resumed")
  func killed() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let place = ["--history", database.address]
      let run = try ResumableRun(of: 3000, in: fanfare)
      #expect(try run.send(place, atRequest: 700).exitCode == nil)
      #expect(try run.resume("--history", database.address, atRequest: 900).exitCode == nil)
      #expect(try run.resume("--history", database.address).exitCode == 0)
      run.expectNobodyLost()
      run.expectTwiceOnlyInDoubt()
      run.expectSameIDs()
      let shown = try JSON(text: try fanfare.run(["history", "show", "--json"] + place).output)
      #expect(shown["accepted"]?.int == 3000 && shown["passes"]?.int == 3)
      let own = fanfare.folder.file(".local/state/fanfare/history.sqlite")
      #expect(!FileManager.default.fileExists(atPath: own))
    }
  }

  @Test("prints nothing that the server notes, also while it is being connected to")
  func notices() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let place = ["--history", database.address]
      #expect(try fanfare.send("--to", tokenText(1), "--history", database.address).exitCode == 0)
      // The server warns of it whenever somebody connects.
      try database.execute("ALTER DATABASE \(database.name) SET default_tablespace = nosuch")
      let listed = try fanfare.run(["history", "list"] + place)
      #expect(listed.exitCode == 0 && listed.errors.isEmpty, "\(listed.errors)")
    }
  }

  @Test("is followed by another process while a run is sent")
  func followed() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let place = ["--history", database.address]
      let run = try ResumableRun(of: 3000, in: fanfare)
      #expect(try fanfare.run(run.words + place).exitCode == 0)
      let tail = try fanfare.start(["history", "tail", "--json", "--lines", "1"] + place)
      _ = tail.readLine()
      #expect(try fanfare.run(run.words + place).exitCode == 0)
      var told: Set<Int> = []
      while let line = tail.readLine() {
        let event = try JSON(text: line)
        if event["event"] == "ended" { break }
        if let sequence = event["sequence"]?.int { #expect(told.insert(sequence).inserted) }
      }
      expectSame(told, Set(1...3000))
      tail.send(SIGINT)
      #expect(try tail.finish().exitCode == 130)
    }
  }
}
