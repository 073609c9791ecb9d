import APNS
import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

/// Whoever can write to the database has written the settings of a run anew, which is taken up.
@Suite("A run in a database that others write", .needsPostgreSQL, .timeLimit(.minutes(15)))
struct SharedHistoryTests {
  static let commands = [
    ["resume", "1", "--now"], ["history", "resend", "1"], ["send", "--again=1"],
  ]

  /// The first attempt of each push is deferred, and only resuming keeps the apns-id.
  private static func exitCode(_ words: [String]) -> Int32 { words[0] == "resume" ? 0 : 4 }

  /// A run of one push that was deferred.
  private struct Bench {
    let fanfare: Fanfare
    let database: PostgresDatabase
    let server: Server

    init(_ fanfare: Fanfare, _ words: [String] = ["--to", tokenText(1)]) throws {
      self.fanfare = fanfare
      database = try PostgresDatabase()
      var configuration = EmulatorConfiguration()
      configuration.answer = firstAttempts { _ in .reject(.serviceUnavailable) }
      server = try Server(fanfare, configuration)
      let result = try server.send(words: words + ["--history", database.address])
      #expect(result.exitCode == 4, "\(result.errors)")
    }

    func run(_ words: [String]) throws -> Program.Result {
      try fanfare.run(words + ["--history", database.address])
    }

    /// Changes the settings of the run.
    func tamper(_ change: (String) -> String) throws {
      let rows = try database.rows("SELECT settings FROM fanfare.runs WHERE id = 1")
      let settings = try #require(rows.first?.first ?? nil)
      let changed = change(settings)
      try #require(changed != settings)
      try database.execute(
        "UPDATE fanfare.runs SET settings = $json$\(changed)$json$ WHERE id = 1")
    }
  }

  @Test("goes nowhere that nobody has agreed to, and writes no file", arguments: commands)
  func hostile(_ words: [String]) throws {
    try withFanfare { fanfare in
      let proxy = try TestProxy()
      let bench = try Bench(fanfare)
      for name in ["results.csv", "dead.txt"] { try fanfare.folder.write(name, "precious") }
      let more = """
        "results":"results.csv","deadTokens":"dead.txt","yes":true,"force":true,\
        "trustProject":true,"proxy":"\(proxy.url)",
        """
      try bench.tamper { settings in
        settings.replacing(bench.server.emulator.url, with: "https://apns.invalid")
          .replacing("\"settings\":{", with: "\"settings\":{" + more)
      }
      let refused = try bench.run(words)
      #expect(refused.exitCode == 2, "\(refused.errors)")
      for text in [
        "run 1 of the history at \(bench.database.address)",
        "sends your credentials to https://apns.invalid",
        "connects through the proxy \(proxy.url)", "trusts the certificates in ca.pem",
        "--trust-project",
      ] {
        #expect(refused.errors.contains(text), "\(refused.errors)")
      }
      #expect(proxy.connectionCount == 0 && bench.server.emulator.requestCount == 1)
      let elsewhere = try bench.run(words + bench.server.place)
      #expect(elsewhere.exitCode == Self.exitCode(words), "\(elsewhere.errors)")
      #expect(proxy.connectionCount == 0 && bench.server.emulator.requestCount == 2)
      for name in ["results.csv", "dead.txt"] {
        #expect(try fanfare.folder.text(name) == "precious")
      }
    }
  }

  @Test("is taken up as it was begun once its server is trusted", arguments: commands)
  func trusted(_ words: [String]) throws {
    try withFanfare { fanfare in
      let proxy = try TestProxy()
      let bench = try Bench(fanfare)
      try bench.tamper {
        $0.replacing("\"settings\":{", with: "\"settings\":{\"proxy\":\"\(proxy.url)\",")
      }
      #expect(try bench.run(words).exitCode == 2)
      let trusted = try bench.run(words + ["--trust-project"])
      #expect(trusted.exitCode == Self.exitCode(words), "\(trusted.errors)")
      #expect(trusted.errors.contains("connects through the proxy \(proxy.url)"))
      #expect(proxy.connectionCount > 0 && bench.server.emulator.requestCount == 2)
    }
  }

  @Test("is asked about its payload when that is outside of the project, and sent again")
  func payload() throws {
    try withTemporaryFolder { other in
      let path = try other.write("secret.json", #"{"aps": {"alert": "Secret"}}"#)
      try withFanfare { fanfare in
        let bench = try Bench(fanfare, ["--to", tokenText(1), "--payload", path])
        let again = ["send", "--again=1"]
        for folder in [nil, ".git"] {
          if let folder { try fanfare.folder.makeFolder(folder) }
          let refused = try bench.run(again)
          #expect(refused.exitCode == 2 && refused.errors.contains("reads \(path)"))
          #expect(refused.errors.contains("which is outside") == (folder != nil))
        }
        #expect(bench.server.emulator.requestCount == 1)
        #expect(try bench.run(again + ["--dry-run"]).exitCode == 0)
        for words in [["--payload", path], ["--trust-project"]] {
          let result = try bench.run(again + words)
          #expect(result.exitCode == 4, "\(result.errors)")
        }
        #expect(bench.server.emulator.requestCount == 3)
      }
    }
  }

  @Test("is asked about a list outside of the project that need not be what it was")
  func list() throws {
    try withTemporaryFolder { other in
      let path = try other.write("list.txt", tokenText(1) + "\n")
      try withFanfare { fanfare in
        try fanfare.folder.makeFolder(".git")
        let bench = try Bench(fanfare, ["--tokens", path])
        try other.write("list.txt", tokenText(1))
        let resume = ["resume", "1", "--now"]
        #expect(try bench.run(resume).errors.contains("--force"))
        let refused = try bench.run(resume + ["--force"])
        #expect(refused.exitCode == 2, "\(refused.errors)")
        #expect(refused.errors.contains("reads \(path), which is outside"), "\(refused.errors)")
        let trusted = try bench.run(resume + ["--force", "--trust-project"])
        #expect(trusted.exitCode == 0, "\(trusted.errors)")
      }
    }
  }
}
