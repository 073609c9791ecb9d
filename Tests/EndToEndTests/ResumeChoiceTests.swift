import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("The run that is resumed without its number")
struct ResumeChoiceTests {
  @Test("was begun in this project; those of others are named")
  func project() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 5000, in: fanfare)
      _ = try run.send(["--results", "r.jsonl"], signal: SIGINT, atRequest: 100)
      let path = fanfare.folder.file(".local/state/fanfare/history.sqlite")
      let resume = ["resume", "--history", path]
      try fanfare.folder.makeFolder("other")
      let other = Fanfare(folder: fanfare.folder.folder("other"))
      let requests = run.server.emulator.requestCount
      let elsewhere = try other.run(resume)
      #expect(elsewhere.exitCode == 0 && elsewhere.output.isEmpty)
      #expect(elsewhere.errors.contains("No run that was begun in this project has anything left"))
      #expect(elsewhere.errors.contains(": fanfare resume 1 --history \(path) --results "))
      #expect(run.server.emulator.requestCount == requests)
      // A repository around both makes them one project.
      try fanfare.folder.makeFolder(".git")
      #expect(try other.run(resume).exitCode == 0)
      run.expectNobodyLost()
      run.expectNobodyTwice()
    }
  }

  @Test("is told with the command of the only other one, or with where several are listed")
  func others() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in .reject(.serviceUnavailable) }
      let server = try Server(fanfare, configuration)
      for line in [
        nil, "Also unfinished, begun in ",
        "2 other runs are unfinished: 'fanfare history list --unfinished' lists them.",
      ] {
        #expect(try server.send("--to", device("0a1b")).exitCode == 4)
        let told = try fanfare.run(["resume"]).errors.components(separatedBy: "\n")
        let others = told.filter { $0.contains("unfinished") }
        #expect(others.map { $0.hasPrefix(line ?? "none") } == (line == nil ? [] : [true]))
      }
      let listed = try fanfare.run(["history", "list", "--unfinished", "--numbers"])
      #expect(listed.output == "3\n2\n1\n")
    }
  }

  @Test("is an older one where the newest only waits, and else the newest is told")
  func waiting() throws {
    try withFanfare { fanfare in
      let isBusy = Atomic(true)
      let run = try ResumableRun(of: 20, in: fanfare) { push in
        isBusy.load(ordering: .relaxed) ? .reject(.serviceUnavailable) : nil
      }
      #expect(try run.send().exitCode == 4)
      try run.history.execute("UPDATE runs SET started = started - 3600000")
      #expect(try run.send().exitCode == 4)
      isBusy.store(false, ordering: .relaxed)
      let older = try fanfare.run(["resume"])
      #expect(older.exitCode == 0 && older.errors.contains("The rest of run 2 waits until "))
      #expect(older.errors.contains("Run 1 of "), "\(older.errors)")
      let newest = try fanfare.run(["resume", "--json"])
      #expect(newest.exitCode == 4 && newest.errors.contains("The rest of run 2 waits until "))
      #expect(try fanfare.run(["resume", "--now"]).exitCode == 0)
      let none = try fanfare.run(["resume", "--json"])
      #expect(none.exitCode == 0 && none.output == "{}\n", "\(none.output)")
      let named = try fanfare.run(["resume", "2", "--json"])
      #expect(try JSON(text: named.output)["accepted"]?.int == 20, "\(named.output)")
    }
  }

  @Test("is not one whose server is gone, if another is behind it", arguments: [false, true])
  func gone(losesRoots: Bool) throws {
    try withFanfare { fanfare in
      let isBusy = Atomic(true)
      let run = try ResumableRun(of: 20, in: fanfare) { push in
        isBusy.load(ordering: .relaxed) && push.number % 2 == 0 ? .reject(.serviceUnavailable) : nil
      }
      #expect(try run.send().exitCode == 4)
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in .reject(.serviceUnavailable) }
      let other = try Emulator(configuration)
      try fanfare.folder.write("other.pem", other.certificateAuthorityPEM)
      let send = ["send", "--bundle-id", "a.b", "--title", "Hi", "--to", tokenText(30)]
      let place = ["--server", other.url, "--ca", "other.pem"]
      #expect(try fanfare.run(send + place + credentials).exitCode == 4)
      other.stop()
      if losesRoots {
        try FileManager.default.removeItem(atPath: fanfare.folder.file("other.pem"))
      }
      isBusy.store(false, ordering: .relaxed)
      let result = try fanfare.run(["resume", "--now"])
      #expect(result.exitCode == 0 && result.errors.contains("Run 2 is passed over: "))
      #expect(result.errors.contains("Also unfinished, begun in "), "\(result.errors)")
      run.expectNobodyLost()
      let last = try fanfare.run(["resume", "--now"])
      #expect(last.exitCode == 3, "\(last.errors)")
      let sentence =
        "Run 2 is passed over: Its emulator at \(other.url) has ended. 'fanfare emulator"
      #expect(last.errors.contains(sentence), "\(last.errors)")
      #expect(last.errors.contains("'fanfare resume 2 --ca FILE' sends the rest."))
    }
  }
}
