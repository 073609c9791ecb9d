import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("The time that a command has (--max-time)")
struct MaxTimeTests {
  @Test("ends a run as Ctrl-C does, with exit code 4, and resume goes on at another rate")
  func send() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 2000, in: fanfare)
      let cut = try fanfare.run(run.words + ["--rate", "1/s", "--max-time", "200ms", "--json"])
      #expect(cut.exitCode == 4, "\(cut.errors)")
      #expect(cut.errors.contains("The time of --max-time 200ms is over"), "\(cut.errors)")
      let done = try #require(try JSON(text: cut.output)["accepted"]?.int)
      #expect(done < 2000)
      // Also with a rate that would take half an hour.
      let again = try fanfare.run(["resume", "--max-time", "200ms", "--quiet"])
      #expect(again.exitCode == 4 && !again.errors.contains("is over"), "\(again.errors)")
      let rest = try fanfare.run(["resume", "--rate", "100000/s", "--max-time", "1h", "--json"])
      #expect(rest.exitCode == 0, "\(rest.errors)")
      #expect(try JSON(text: rest.output)["accepted"]?.int == 2000)
      run.expectNobodyLost()
      run.expectNobodyTwice()
    }
  }

  @Test("ends the waits of a scenario, whose other steps are not run")
  func scenario() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "s.json5",
        """
        {bundleID: "com.example.app", recipients: ["\(tokenText(1))"], steps: [
          {notification: {payload: {aps: {alert: "One"}}}}, {wait: "1h"},
          {notification: {payload: {aps: {alert: "Two"}}}}]}
        """)
      let words = ["run", "s.json5", "--env", "emulator", "--max-time", "300ms"]
      let result = try fanfare.run(words)
      #expect(result.exitCode == 4, "\(result.output)\(result.errors)")
      #expect(result.output.contains("1 of 1 accepted"))
      #expect(result.output.contains("not run: interrupted"), "\(result.output)")
    }
  }

  static let conflicts: [(words: [String], says: String)] = [
    (
      ["--watch", "--payload", "p.json", "--to", tokenText(1)],
      "'--max-time' and '--watch' cannot be used together."
    ),
    (
      ["--title", "Hi", "--to", tokenText(1), "--enqueue"],
      "'--max-time' cannot be used with '--enqueue': give it to 'fanfare work', which sends."
    ),
    (["--title", "Hi", "--to", tokenText(1), "--max-time", "2s"], "given more than once"),
  ]

  @Test("is refused where it has no meaning", arguments: conflicts)
  func conflict(_ row: (words: [String], says: String)) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("p.json", #"{"aps": {"alert": "Hi"}}"#)
      let send = ["send", "--env", "sandbox", "--bundle-id", "com.example.app"] + credentials
      let result = try fanfare.run(send + ["--max-time", "1s"] + row.words)
      #expect(result.exitCode == 2 && result.errors.contains(row.says), "\(result.errors)")
    }
  }

  @Test("ends a worker, whose run stays in the queue", .needsPostgreSQL)
  func work() throws {
    try withFanfare { fanfare in
      let queue = try Queue(fanfare, of: 200, lists: 1, words: ["--rate", "1/s"]) { _ in nil }
      let place = queue.server.place + credentials + ["--history", queue.database.address]
      let cut = try fanfare.run(["work", "--max-time", "500ms"] + place)
      #expect(cut.exitCode == 4, "\(cut.errors)")
      #expect(cut.errors.contains("The time of --max-time 500ms is over"), "\(cut.errors)")
      let same = try fanfare.run(["resume", "1", "--max-time", "500ms"] + place)
      #expect(same.exitCode == 4, "\(same.errors)")
      let rate = try fanfare.run(["resume", "1", "--rate", "5/s"] + place)
      #expect(rate.exitCode == 2)
      #expect(rate.errors.contains("'--rate' cannot be used with run 1: it is in the queue."))
    }
  }
}
