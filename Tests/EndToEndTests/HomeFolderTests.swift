import Foundation
import SendingSupport
import TestSupport
import Testing

/// A cron job, or a small container.
@Suite("Where HOME names no folder", .needs("clang"))
struct HomeFolderTests {
  private static let send = [
    "send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi", "--to", tokenText(1),
  ]

  @Test("that of the account is used, for the history and the rest", arguments: ["", "elsewhere"])
  func account(_ variable: String) throws {
    try withFanfare { fanfare in
      let system = try OtherSystem(in: fanfare.folder)
      let home = fanfare.folder.file("home")
      let environment = system.environment(home: home).merging(["HOME": variable]) { $1 }
      let sent = try fanfare.run(Self.send, environment: environment)
      #expect(sent.exitCode == 0, "\(sent.errors)")
      let history = home + "/.local/state/fanfare/history.sqlite"
      #expect(FileManager.default.fileExists(atPath: history))
      let listed = try fanfare.run(["history", "list", "--json"], environment: environment)
      #expect(listed.output.contains("\"total\":1"), "\(listed)")
      let files = try fanfare.run(["config", "show"], environment: environment).output
      #expect(files.contains("\(home)/.config/fanfare/config.json"), "\(files)")
    }
  }

  @Test("and the account has none, no run is begun without a history that nobody gave up")
  func none() throws {
    try withFanfare { fanfare in
      let system = try OtherSystem(in: fanfare.folder)
      let environment = system.environment(home: "").merging(["HOME": ""]) { $1 }
      let refused = try fanfare.run(Self.send, environment: environment)
      #expect(refused.exitCode == 2 && refused.output == "", "\(refused.output)")
      #expect(refused.errors.contains("There is no place for the history"), "\(refused.errors)")
      #expect(refused.errors.contains("--no-history sends without one."))
      for words in [["--no-history"], ["--dry-run"], ["--history", "h.sqlite"]] {
        let sent = try fanfare.run(Self.send + words, environment: environment)
        #expect(sent.exitCode == 0, "\(words): \(sent.errors)")
      }
      let list = try fanfare.run(["history", "list"], environment: environment)
      #expect(list.exitCode == 2 && !list.errors.contains("--no-history"), "\(list.errors)")
      let state = environment.merging(["XDG_STATE_HOME": fanfare.folder.file("state")]) { $1 }
      #expect(try fanfare.run(Self.send, environment: state).exitCode == 0)
    }
  }
}
