import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("The database of a fleet", .needsPostgreSQL, .timeLimit(.minutes(15)))
struct FleetSafetyTests {
  private static let databasePassword = "wordOfTheDatabase"

  @Test("holds no key, certificate's key, password or provider token, nor where a password is")
  func secrets() throws {
    try withFanfare { fanfare in
      let workshop = try CredentialWorkshop(in: fanfare.folder)
      try fanfare.folder.writeSecret("hush.txt", CredentialWorkshop.password + "\n")
      let (server, database) = (try Server(fanfare), try PostgresDatabase())
      let place = ["--server", server.emulator.url, "--history", database.address]
      let texts = try workshop.secrets() + ["eyJ", Self.databasePassword, "hush.txt"]
      let parts = try Self.binaryParts(in: fanfare.folder)
      #expect(texts.count > 20 && parts.count > 5)
      for (index, credentials) in Self.shopCredentials.enumerated() {
        let app = ["--bundle-id", "com.example.shop", "--title", "Hello", "--to", device("0a1b")]
        for words in [["send", "--enqueue"] + app, ["work", "\(index + 1)", "--ca", "ca.pem"]] {
          let result = try fanfare.run(
            words + credentials + place, environment: ["PGPASSWORD": Self.databasePassword])
          #expect(result.exitCode == 0, "\(result.errors)")
          let values = try values(in: database)
          #expect(values.contains { $0.contains("com.example.shop") })
          #expect(!values.contains { value in texts.contains { value.contains($0) } })
          #expect(!values.contains { value in parts.contains { value.contains($0) } })
        }
      }
      #expect(server.emulator.requestCount == 2)
    }
  }

  private static let shopCredentials = [
    [
      "--key", "locked.p8", "--key-id", "ABC123DEFG", "--team-id", "DEF123GHIJ",
      "--key-password-file", "hush.txt",
    ],
    ["--cert", "aes.p12", "--cert-password-file", "hush.txt"],
  ]

  /// Parts of keys and certificates with keys as they are in binary, in hexadecimal digits.
  private static func binaryParts(in folder: TemporaryFolder) throws -> [String] {
    let lines = try ["good.p8", "locked.p8", "shop.key"].flatMap {
      try folder.lines($0).filter { !$0.contains("-----") }
    }
    let decoded = lines.compactMap { Data(base64Encoded: String($0)) }.filter { $0.count > 16 }
    let packed = try Data(contentsOf: URL(filePath: folder.file("aes.p12")))
    return (decoded + [packed.prefix(48), packed.suffix(48)]).map { part in
      part.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
  }

  /// All that is in the tables, as text, and in hexadecimal digits where it is binary.
  private func values(in database: PostgresDatabase) throws -> [String] {
    let columns = try database.rows(
      """
      SELECT quote_ident(table_name), quote_ident(column_name), data_type
        FROM information_schema.columns WHERE table_schema = 'fanfare'
      """)
    #expect(columns.count > 50)
    return try columns.flatMap { column -> [String] in
      let (table, name) = (try #require(column[0]), try #require(column[1]))
      let forms =
        column[2] == "bytea"
        ? "encode(\(name), 'escape'), encode(\(name), 'hex')" : "\(name)::text"
      return try database.rows("SELECT \(forms) FROM fanfare.\(table)").flatMap { row in
        row.compactMap(\.self)
      }
    }
  }

  /// Commands that change what is in the queue.
  private static let commands = [["work"], ["work", "1"], ["stop", "1"], ["resume", "1"]]

  /// Runs such commands, none of which does anything.
  private func expectRefusals(
    _ queue: Queue, _ sentence: String, at address: String? = nil
  ) throws {
    let own = address ?? queue.database.address
    for words in Self.commands {
      let more = words[0] == "stop" ? [] : queue.server.place + credentials
      let result = try queue.fanfare.run(words + more + ["--history", own])
      #expect(result.exitCode == 2, "\(words): \(result.errors)")
      #expect(result.errors.contains(sentence), "\(words): \(result.errors)")
    }
    #expect(queue.witness.requests == 0)
  }

  @Test("is left alone when its tables are of another version")
  func versions() throws {
    try withQueue(of: 3) { queue in
      let kept = try #require(
        try queue.database.rows("SELECT version FROM fanfare.format")[0][0])
      try queue.database.execute("UPDATE fanfare.format SET version = 99")
      try expectRefusals(
        queue, "the history has format 99; this version supports up to \(kept).")
      try queue.database.execute("UPDATE fanfare.format SET version = \(kept)")
      #expect(try queue.work().finish().exitCode == 0)
      queue.expectEverybodyOnce()
    }
  }

  @Test("is nothing to those who may not look into it, or not change it")
  func roles() throws {
    try withQueue(of: 3) { queue in
      let role = "guest\(UInt32.random(in: 0 ... .max))"
      try queue.database.execute("CREATE ROLE \(role) LOGIN")
      defer { try? queue.database.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
      let address = queue.database.address(as: role)
      try expectRefusals(queue, "no access to the history", at: address)
      try queue.database.execute(
        """
        GRANT USAGE ON SCHEMA fanfare TO \(role);
        GRANT SELECT ON ALL TABLES IN SCHEMA fanfare TO \(role)
        """)
      try expectRefusals(queue, "no access to the history", at: address)
      let rows = try queue.database.rows("SELECT count(*) FROM fanfare.workers")
      #expect(rows == [["0"]])
      #expect(try queue.work().finish().exitCode == 0)
      queue.expectEverybodyOnce()
    }
  }

  @Test("has runs that can be sent although another one cannot be read")
  func damagedRun() throws {
    try withQueue(of: 3) { queue in
      try queue.database.execute("UPDATE fanfare.runs SET settings = 'x'")
      let more = try queue.fanfare.run(
        ["send", "--enqueue", "--bundle-id", "com.example.app", "--title", "Hello"] + credentials
          + ["--server", queue.server.emulator.url, "--history", queue.database.address]
          + ["--tokens", "list-0.txt"])
      #expect(more.exitCode == 0, "\(more.errors)")
      let result = try queue.work().finish()
      #expect(result.exitCode == 2)
      #expect(result.errors.contains("run 1: The history does not say how this run was sent."))
      queue.expectEverybodyOnce()
      #expect(try queue.work("1").finish().exitCode == 2)
    }
  }

  @Test("has to be one: in a file there is no queue")
  func file() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      #expect(try server.send("--to", tokenText(1), "--history", "h.sqlite").exitCode == 0)
      let history = ["--history", "h.sqlite"]
      for words in [["work"], ["work", "1"], ["stop", "1"]] {
        let more = words[0] == "stop" ? history : server.place + credentials + history
        let result = try fanfare.run(words + more)
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("h.sqlite is a file: it has no queue of runs."))
        #expect(result.errors.contains("--history postgresql://USER@HOST/DATABASE"))
      }
      #expect(server.emulator.requestCount == 1)
    }
  }

  @Test("gives its runs to 'resume' only when they are named")
  func resumption() throws {
    try withQueue(of: 3) { queue in
      let unnamed = try queue.fanfare.run(["resume"] + queue.place)
      #expect(unnamed.exitCode == 0 && unnamed.errors.contains("No run"), "\(unnamed.errors)")
      let early = try queue.fanfare.run(["resume", "1", "--now"] + queue.place)
      #expect(early.exitCode == 2 && early.errors.contains("'--now' cannot be used with run 1"))
      #expect(queue.witness.requests == 0)
      #expect(try queue.shown()["state"] == "enqueued")
      #expect(try queue.fanfare.run(["resume", "1"] + queue.place).exitCode == 0)
      queue.expectEverybodyOnce()
    }
  }
}
