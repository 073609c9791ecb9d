import APNS
import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("A run that is enqueued", .needsPostgreSQL, .timeLimit(.minutes(15)))
struct EnqueueTests {
  /// What tells which key workers need.
  private static let identifiers = ["--key-id", "ABC123DEFG", "--team-id", "DEF123GHIJ"]
  private static let app = [
    "send", "--enqueue", "--env", "production", "--bundle-id", "com.example.app",
  ]

  /// Numbered device tokens with a name each; the first two once more, and two lines that are none.
  private static func table(_ count: Int) -> String {
    let rows = (1...count).map { "\(tokenText($0)),\"Name, \($0)\"\n" }
    return "token,name\n" + (rows + rows.prefix(2) + ["zz,bad\n", "yy,\n"]).joined()
  }

  private func queued(_ database: PostgresDatabase) throws -> [[String?]] {
    try database.rows(
      """
      SELECT state, credentials, written, (SELECT coalesce(sum(count), 0) FROM fanfare.chunks),
        (SELECT count(*) FROM fanfare.chunks)
        FROM fanfare.runs JOIN fanfare.queued_runs ON run = runs.id ORDER BY runs.id
      """)
  }

  @Test("has its values in the queue, and counts bad lines and duplicates as a send does")
  func template() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      try fanfare.folder.write("list.csv", Self.table(5000))
      try fanfare.folder.write("payload.json", #"{"aps":{"alert":"Hi {{name}}"}}"#)
      let words = Self.app + ["--payload", "payload.json", "--tokens", "list.csv", "--json"]
      let place = ["--history", database.address]
      let result = try fanfare.run(words + Self.identifiers + place)
      #expect(result.exitCode == 1, "\(result.errors)")
      #expect(result.errors.contains("list.csv:5004: skipped: "))
      #expect(
        result.output == """
          {"run":1,"environment":"production","state":"enqueued","enqueued":5000,"lines":5004,\
          "badLines":2,"duplicates":2,"suppressed":0,"otherShards":0}

          """)
      #expect(
        try queued(database) == [["enqueued", "key DEF123GHIJ/ABC123DEFG", "5000", "5000", "68"]])
      #expect(try database.rows("SELECT count(*) FROM fanfare.results") == [["0"]])
      let settings = try #require(try database.rows("SELECT settings FROM fanfare.runs")[0][0])
      #expect(!settings.contains(keyFile) && !settings.contains("postgresql"))
      let shown = try JSON(
        text: try fanfare.run(["history", "show", "1", "--json"] + place).output)
      #expect(shown["state"] == "enqueued" && shown["lines"]?.int == 5004)
    }
  }

  @Test("needs no key where its IDs are known, whatever names them")
  func identifiers() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let words = Self.app + ["--title", "Hi", "--to", tokenText(1)]
      let variables = ["FANFARE_KEY_ID": "ABC123DEFG", "FANFARE_TEAM_ID": "DEF123GHIJ"]
      let absent = ["--key", "none/AuthKey_ABC123DEFG.p8", "--team-id", "DEF123GHIJ"]
      for (credentials, environment) in [
        (Self.identifiers, [:]), (absent, [:]), ([], variables),
        (["--history", database.address], variables.merging(["FANFARE_KEY": absent[1]]) { $1 }),
      ] as [([String], [String: String])] {
        let result = try fanfare.run(
          words + credentials,
          environment: environment.merging(["FANFARE_HISTORY": database.address]) { $1 })
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.output.contains(": 1 push is enqueued; 'fanfare work"))
      }
      let rows = try queued(database)
      #expect(rows.count == 4 && rows.allSatisfy { $0[1] == "key DEF123GHIJ/ABC123DEFG" })
      let place = ["--history", database.address]
      let unknown = try fanfare.run(words + place)
      #expect(unknown.exitCode == 2 && unknown.errors.contains("--key-id and --team-id"))
      let half = try fanfare.run(words + place + ["--key-id", "ABC123DEFG"])
      #expect(half.exitCode == 2 && half.errors.contains("The team ID is missing."))
      #expect(try queued(database).count == 4)
    }
  }

  @Test("is checked as one that is sent, and a dry run only says that it would be enqueued")
  func checked() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let place = Self.identifiers + ["--history", database.address]
      let broken = try fanfare.run(
        Self.app + place + ["--payload", #"{"aps":{"badge":"x"}}"#, "--to", tokenText(1)])
      #expect(broken.exitCode == 2 && broken.errors.contains("aps.badge"))
      let dry = try fanfare.run(
        Self.app + place + ["--title", "Hi", "--to", tokenText(1), "--dry-run"])
      #expect(dry.exitCode == 0 && dry.output.contains("POST /3/device/"))
      #expect(dry.errors.contains("Without --dry-run they would be enqueued"))
      #expect(try database.rows("SELECT to_regclass('fanfare.runs')") == [[nil]])
      let channel = try fanfare.run(
        Self.app + place + ["--event", "end", "--channel", "dHN0LXNyY2gtY2hubA=="])
      #expect(channel.exitCode == 0, "\(channel.errors)")
      let id = "123e4567-e89b-42d3-a456-426614174000"
      let one = try fanfare.run(
        Self.app + place + ["--title", "Hi", "--to", tokenText(1), "--apns-id", id])
      #expect(one.exitCode == 0, "\(one.errors)")
      #expect(try queued(database).map { $0[2] } == ["1", "1"])
    }
  }

  @Test("goes on after its process was killed: the list again, and of a pipe what was read")
  func killed() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let result = try endReading(SIGKILL, fanfare, database)
      #expect(result.exitCode == nil)
      try database.waitUntilUnused()
      let place = ["--history", database.address]
      let rest = try fanfare.run(["resume", "1", "--json"] + place)
      #expect(rest.exitCode == 4, "\(rest.errors)")
      #expect(rest.errors.contains("was not read to its end: 100 lines are known."))
      let summary = try JSON(text: rest.output)
      #expect(summary["state"] == "enqueued" && summary["enqueued"]?.int == 3050)
      #expect(summary["duplicates"]?.int == 52 && summary["badLines"]?.int == 2)
      #expect(try queued(database)[0].prefix(4) == ["enqueued", queuedKey, "3050", "3050"])
      let copies = fanfare.folder.file(".local/state/fanfare/lists")
      #expect(try FileManager.default.contentsOfDirectory(atPath: copies) == [])
      #expect(try fanfare.run(["resume"] + place).errors.contains("No run in the history"))
    }
  }

  @Test("is told how to go on when it is interrupted, and refuses a list that has changed")
  func interrupted() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let result = try endReading(SIGINT, fanfare, database)
      #expect(result.exitCode == 130)
      #expect(result.output.contains("Run 1: 3,050 pushes are enqueued, and the lists were not"))
      #expect(result.output.contains("'fanfare resume 1 --history"))
      #expect(try queued(database)[0].prefix(3) == ["enqueuing", queuedKey, "3050"])
      let (path, kept) = (fanfare.folder.file("list.csv"), fanfare.folder.file("kept.csv"))
      try FileManager.default.moveItem(atPath: path, toPath: kept)
      try fanfare.folder.write("list.csv", Self.table(2999))
      let changed = try fanfare.run(["resume", "1", "--history", database.address])
      #expect(changed.exitCode == 2 && changed.errors.contains("list has changed"))
      #expect(try queued(database)[0][0] == "enqueuing")
      // What came through the pipe is still there.
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: kept, toPath: path)
      let rest = try fanfare.run(["resume", "1", "--history", database.address])
      #expect(rest.exitCode == 4, "\(rest.errors)")
      #expect(try queued(database)[0].prefix(3) == ["enqueued", queuedKey, "3050"])
    }
  }

  @Test("is not told to go on where what came through a pipe could not be copied")
  func uncopied() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      try fanfare.folder.makeFolder(".local/state/fanfare")
      try fanfare.folder.write(".local/state/fanfare/lists", "in the way")
      let result = try endReading(SIGINT, fanfare, database)
      #expect(result.exitCode == 130)
      #expect(result.output.contains("and the lists were not read to their end."))
      #expect(!result.output.contains("fanfare resume"), "\(result.output)")
    }
  }

  @Test("is unfinished if a list after the first cannot be read, and none if the first cannot")
  func unreadableList() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      try fanfare.folder.write("list.txt", tokenList(100))
      let words = Self.app + Self.identifiers + ["--history", database.address, "--title", "Hi"]
      // What comes through a pipe is not looked at before the run begins.
      func key() throws -> SilentPipe {
        try SilentPipe(Array("-----BEGIN PRIVATE KEY-----\n".utf8))
      }
      let (good, last) = (["--tokens", "list.txt"], try key())
      let result = try fanfare.run(words + good + ["--tokens", last.path, "--json"])
      #expect(result.exitCode == 4 && result.errors.contains("not a list."), "\(result.errors)")
      let report = try JSON(text: result.output)
      #expect(report["state"] == "enqueuing" && report["enqueued"]?.int == 100)
      #expect(try queued(database).map { $0[0] } == ["enqueuing"])
      let first = try key()
      #expect(try fanfare.run(words + ["--tokens", first.path] + good).exitCode == 2)
      withExtendedLifetime((first, last)) {}
      #expect(try queued(database).count == 1)
    }
  }

  @Test("is not tried in a dry run: its workers send it")
  func dryRun() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let place = ["--history", database.address]
      let words = Self.app + ["--title", "Hi", "--to", tokenText(1)] + Self.identifiers
      #expect(try fanfare.run(words + place).exitCode == 0)
      for run in ["1", "last"] {
        let dry = try fanfare.run(["resume", run, "--dry-run"] + place)
        #expect(dry.exitCode == 2, "\(dry.errors)")
        #expect(dry.errors.contains("'--dry-run' cannot be used with run 1: it is in the queue."))
      }
      #expect(try queued(database)[0].prefix(3) == ["enqueued", queuedKey, "1"])
    }
  }

  /// Ends a process that has put 3,050 recipients into the queue and waits for more.
  private func endReading(
    _ signal: Int32, _ fanfare: Fanfare, _ database: PostgresDatabase
  ) throws -> Program.Result {
    try fanfare.folder.write("list.csv", Self.table(3000))
    let pipe = try SilentPipe(deviceTokens(2951..<3051))
    let program = try fanfare.start(
      Self.app + Self.identifiers
        + ["--history", database.address, "--title", "Hi", "--tokens", "list.csv"]
        + ["--tokens", pipe.path])
    try database.waitForQueued(3050)
    program.send(signal)
    return try program.finish()
  }

  private let queuedKey: String? = "key DEF123GHIJ/ABC123DEFG"
}

@Suite("--enqueue")
struct EnqueueOptionTests {
  static let refused: [(words: [String], text: String)] = [
    ([], "--history postgresql://"), (["--no-history"], "'--enqueue' and '--no-history'"),
    (["--results", "r.jsonl"], "'--results' cannot be used with '--enqueue'"),
    (
      ["--results", "r.jsonl", "--dead-tokens", "d.txt", "--proxy", "http://p:1"],
      "'--results', '--dead-tokens' and '--proxy' cannot be used with '--enqueue'"
    ), (["--template", "{{token}}"], "'--template' cannot"), (["--watch"], "'--watch' cannot"),
    (["--tls-key-log"], "'--tls-key-log' cannot"), (["--port", "2197"], "'--port' cannot"),
    (["--no-token-cache"], "'--no-token-cache' cannot"), (["--ca", "ca.pem"], "'--ca' cannot"),
    (
      ["--env", "emulator", "--history", "postgresql://localhost/none"],
      "'--enqueue' leaves the sending to workers, and none can send to the emulator from here."
    ),
    (
      ["--env", "inbox", "--history", "postgresql://localhost/none"],
      "none can send to the inbox from here"
    ),
    (
      ["--env", "auto", "--history", "postgresql://localhost/none"],
      "'--enqueue' and '--env auto' cannot"
    ), (["--json=accepted"], "unknown field 'accepted'"),
  ]

  @Test("is refused with what only a sender has, and where there is no queue", arguments: refused)
  func combinations(_ row: (words: [String], text: String)) throws {
    try withFanfare { fanfare in
      let place = row.words.contains("--env") ? [] : ["--env", "sandbox"]
      let options = row.words.filter {
        $0.hasPrefix("--") && !["--json=accepted", "--history"].contains($0)
      }
      let page = try MarkdownPage("docs/fleet.md").lines.joined(separator: "\n")
      for option in options { #expect(page.contains("`\(option)"), "docs/fleet.md: \(option)") }
      let result = try fanfare.run(
        ["send", "--enqueue", "--bundle-id", "a.b", "--title", "Hi", "--to", tokenText(1)] + place
          + credentials + row.words)
      #expect(result.exitCode == 2)
      #expect(result.errors.contains(row.text), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: fanfare.folder.file(".local/state/fanfare")))
    }
  }

  @Test("is no option of scenarios")
  func scenarios() throws {
    try withFanfare { fanfare in
      let result = try fanfare.run(["run", "--enqueue", "a.json5"])
      #expect(result.exitCode == 2)
    }
  }
}
