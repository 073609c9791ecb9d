import APNS
import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("The runs that history list finds")
struct HistoryFilterTests {
  static let filters: [(words: [String], runs: [Int])] = [
    (["--bundle-id", "com.example.app"], [3, 2, 1]),
    (["--bundle-id", "com.example.other"], [4]), (["--type", "voip"], [2]),
    (["--type", "alert", "--bundle-id", "com.example.app"], [3, 1]),
    (["--text", "HELLO"], [4, 1]), (["--text", #"say "hi" 100%"#], [3]),
    (["--text", "Élan"], [3]), (["--text", "100_"], []), (["--text", #"\"#], []),
    (["--unfinished"], [4]), (["--unfinished", "--text", "hello"], [4]),
    (["--unfinished", "--type", "voip"], []),
  ]

  /// Four runs: two alerts, a call, and one of another app that is deferred.
  private func send(_ history: String, _ server: Server) throws {
    let send = ["send", "--history", history] + server.place + credentials
    let app = ["--bundle-id", "com.example.app"]
    for (code, words) in [
      (Int32(0), app + ["--title", "Hello there"]),
      (0, app + ["--type", "voip", "--data", "a=1"]),
      (0, app + ["--title", "Élan", "--body", #"say "hi" 100% off"#]),
      (4, ["--bundle-id", "com.example.other", "--title", "hello"]),
    ] {
      let to = ["--to", tokenText(code == 0 ? 1 : 9)]
      let result = try server.fanfare.run(send + to + words)
      #expect(result.exitCode == code, "\(result.errors)")
    }
  }

  @Test("are those of an app, a push type, a text, and those that could go on", .needsPostgreSQL)
  func found() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { push in
        push.token?.number == 9 ? .reject(.serviceUnavailable) : nil
      }
      let server = try Server(fanfare, configuration)
      let database = try PostgresDatabase()
      for history in [fanfare.folder.file("h.sqlite"), database.address] {
        try send(history, server)
        for (words, runs) in Self.filters {
          let list = ["history", "list", "--numbers", "--history", history]
          let result = try fanfare.run(list + words)
          let found = result.output.split(separator: "\n").compactMap { Int($0) }
          #expect(found == runs, "\(history) \(words): \(result.errors)")
        }
        let stats = ["history", "stats", "--by", "run", "--type", "voip", "--history", history]
        #expect(try fanfare.run(stats).output.contains("total       1"))
      }
    }
  }

  @Test("may be none, because a word was mistyped")
  func mistyped() throws {
    try withFanfare { fanfare in
      #expect(try fanfare.send("--to", tokenText(1)).exitCode == 0)
      for (words, near) in [
        (["--bundle-id", "com.example.ap"], "'com.example.app'"), (["--type", "alrt"], "'alert'"),
      ] {
        let result = try fanfare.run(["history", "list"] + words)
        #expect(result.errors.contains("Did you mean \(near)?"), "\(result.errors)")
      }
    }
  }

  @Test("show the fields of one that are asked for")
  func fields() throws {
    try withFanfare { fanfare in
      #expect(try fanfare.send("--to", tokenText(1)).exitCode == 0)
      let run = try fanfare.run(["history", "show", "1", "--json=run,total,payload"])
      #expect(
        run.output == #"{"run":1,"total":1,"payload":{"aps":{"alert":{"title":"Hello"}}}}"# + "\n")
      let wrong = try fanfare.run(["history", "show", "--json=totl"])
      #expect(wrong.exitCode == 2 && wrong.errors.contains("'total'"), "\(wrong.errors)")
    }
  }
}
