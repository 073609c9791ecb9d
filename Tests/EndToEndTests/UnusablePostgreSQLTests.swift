import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("A database that cannot be a history")
struct UnusablePostgreSQLTests {
  /// Where it is to be, and what is said.
  static let places: [(text: String, says: [String])] = [
    (
      "postgresql://ada:sesame@db.invalid/push", ["contains a password", "~/.pgpass", "PGPASSFILE"]
    ),
    ("postgres://db.invalid/push?password=sesame", ["contains a password", "PGPASSWORD"]),
    ("postgresql://db.invalid/push?pass%77ord=sesame", ["contains a password"]),
    ("postgresql://db.invalid:sesame/push", ["nor the URL of a PostgreSQL database"]),
    ("postgresql://ada:1/sesame@db.invalid/push", ["nor the URL of a PostgreSQL database"]),
    ("postgresql://db.invalid/push?sesame=1", ["nor the URL of a PostgreSQL database"]),
    ("host=db.invalid password=sesame", ["neither the path of a file", "postgresql:///?service="]),
    ("password = sesame", ["neither the path of a file"]),
    ("mysql://ada:sesame@db.invalid/push", ["neither the path of a file"]),
  ]

  @Test("is refused by its URL, which is not repeated, whoever says it", arguments: places)
  func refused(_ row: (text: String, says: [String])) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "fanfare.json", "{profiles: {p: {bundleID: 'a.b', history: '\(row.text)'}}}")
      let before = try names(fanfare)
      let origins: [(words: [String], variables: [String: String], name: String)] = [
        (["--history", row.text], [:], "--history"),
        ([], ["FANFARE_HISTORY": row.text], "FANFARE_HISTORY"),
        (["--profile", "p"], [:], "fanfare.json:1:"),
      ]
      for (words, variables, name) in origins {
        for command in Self.commands {
          let result = try fanfare.run(command + words, environment: variables)
          #expect(result.exitCode == 2 && result.errors.contains("error: \(name)"), "\(command)")
          for text in row.says { #expect(result.errors.contains(text), "\(result.errors)") }
          #expect(!(result.errors + result.output).contains("sesame"), "\(command)")
        }
        for command in [["config", "show"], ["config", "show", "--json"]] {
          let shown = try fanfare.run(command + words, environment: variables)
          #expect(shown.exitCode == 0 && shown.output.contains("may contain a password"))
          #expect(!(shown.output + shown.errors).contains("sesame"))
        }
      }
      let checked = try fanfare.run(["check", "fanfare.json"])
      #expect(checked.exitCode == 2 && checked.output.contains(row.says[0]))
      #expect(!checked.output.contains("sesame") && !checked.errors.contains("sesame"))
      #expect(try names(fanfare) == before, "nothing was made")
    }
  }

  private func names(_ fanfare: Fanfare) throws -> [String] {
    // Besides what the program has written to standard error.
    try FileManager.default.contentsOfDirectory(atPath: fanfare.folder.path)
      .filter { !$0.hasPrefix(".errors") }.sorted()
  }

  private static let commands = [
    ["send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi", "--to", device("0a1b")],
    ["history", "list"], ["history", "show", "1"], ["history", "prune", "--keep", "1"], ["resume"],
    ["channel", "list", "--known"],
  ]

  @Test("says that no server is there, and sends nothing")
  func nobodyThere() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let place = ["--history", "postgresql://127.0.0.1:1/push"]
      let sent = try server.send(words: ["--to", device("0a1b")] + place)
      #expect(sent.exitCode == 2 && server.emulator.requestCount == 0)
      #expect(sent.errors.contains("cannot connect to the history"), "\(sent.errors)")
      #expect(sent.errors.contains("--no-history sends without one."))
      let listed = try fanfare.run(["history", "list"] + place)
      #expect(listed.exitCode == 2 && !listed.errors.contains("--no-history"))
    }
  }

  @Test("says that it is not there, or that nothing is in it yet", .needsPostgreSQL)
  func missing() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let none = database.address.replacing(/\/test\d+\?/, with: "/nobodys?")
      for words in [Self.commands[0], ["history", "list"], ["resume", "1"]] {
        let result = try fanfare.run(words + ["--history", none])
        #expect(result.exitCode == 2 && result.errors.contains("\"nobodys\" does not exist"))
      }
      for words in [["history", "list"], ["history", "prune", "--keep", "1"], ["resume", "1"]] {
        let result = try fanfare.run(words + ["--history", database.address])
        #expect(result.exitCode == 2 && result.errors.contains("there is no history yet"))
      }
      #expect(
        try fanfare.run(["resume"], environment: ["FANFARE_HISTORY": database.address]).exitCode
          == 2)
      #expect(try database.rows("SELECT 1 FROM pg_namespace WHERE nspname = 'fanfare'").isEmpty)
    }
  }

  @Test("says what a role may not do", .needsPostgreSQL)
  func denied() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let role = "guest\(UInt32.random(in: 0 ... .max))"
      try database.execute("CREATE ROLE \(role) LOGIN")
      defer { try? database.execute("DROP ROLE \(role)") }
      let place = ["--history", database.address.replacing("user=fanfare", with: "user=\(role)")]
      let early = try fanfare.run(Self.commands[0] + place)
      #expect(early.exitCode == 2 && early.errors.contains("no access to the history"))
      #expect(early.errors.contains("Ask the owner of the database"), "\(early.errors)")
      let owner = ["--history", database.address]
      #expect(try fanfare.run(Self.commands[0] + owner).exitCode == 0)
      for words in [Self.commands[0], ["history", "list"], ["resume", "1"]] {
        let result = try fanfare.run(words + place)
        #expect(result.exitCode == 2 && result.errors.contains("no access to the history"))
      }
    }
  }

  @Test("leaves the schema of a newer version as it is", .needsPostgreSQL)
  func newer() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let place = ["--history", database.address]
      #expect(try fanfare.run(Self.commands[0] + place).exitCode == 0)
      try database.execute("UPDATE fanfare.format SET version = 1000")
      for words in Self.commands where words[0] != "channel" {
        let result = try fanfare.run(words + place)
        #expect(result.exitCode == 2 && result.errors.contains("the history has format 1000"))
        #expect(result.errors.contains("Use the newer version"), "\(result.errors)")
      }
    }
  }
}
