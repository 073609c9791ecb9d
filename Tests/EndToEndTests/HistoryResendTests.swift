import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("fanfare history resend", .timeLimit(.minutes(15)))
struct HistoryResendTests {
  /// What becomes of a push by its device token's number, as long as the server has a bad day.
  private static func badDay(_ number: Int) -> EmulatorAnswer? {
    switch number % 5 {
    case 0: .reject(.unregistered)
    case 1: .reject(.badDeviceToken)
    case 2: .reject(.missingTopic)
    case 3: .reject(.serviceUnavailable)
    default: nil
    }
  }

  /// A run of pushes 1 to 20 on a bad day, of which a good one follows.
  private func badRun(
    in fanfare: Fanfare, _ words: [String] = [], count: Int = 20,
    answer: @escaping @Sendable (Int) -> EmulatorAnswer? = badDay
  ) throws -> ResumableRun {
    let isBad = Atomic(true)
    let run = try ResumableRun(of: count, in: fanfare) { push in
      isBad.load(ordering: .relaxed) ? answer(push.token.number) : nil
    }
    #expect(try run.send(words).exitCode == 4)
    isBad.store(false, ordering: .relaxed)
    return run
  }

  private func resend(
    _ fanfare: Fanfare, _ words: String...
  ) throws -> (summary: JSON, Program.Result) {
    try resend(fanfare, words)
  }

  private func resend(
    _ fanfare: Fanfare, _ words: [String]
  ) throws -> (summary: JSON, Program.Result) {
    let result = try fanfare.run(["history", "resend"] + words + ["--json"])
    let isSummary = result.output.hasPrefix(#"{"run""#)
    let summary = try JSON(text: isSummary ? result.output : "{}")
    if isSummary { expectSum(of: summary) }
    return (summary, result)
  }

  private func shown(_ fanfare: Fanfare, _ what: String) throws -> JSON {
    try JSON(text: try fanfare.run(["history", "show", what, "--json"]).output)
  }

  private func copies(_ fanfare: Fanfare) throws -> [String] {
    let folder = fanfare.folder.file(".local/state/fanfare")
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.contains("list") || $0.contains(".lock") }
  }

  @Test("sends what was not accepted in a run of its own, but nothing to dead device tokens")
  func notAccepted() throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare)
      let (summary, result) = try resend(fanfare, "1", "--results", "r.csv")
      #expect(result.exitCode == 0 && summary["run"] == 2)
      #expect(summary["lines"] == 8 && summary["accepted"] == 8)
      #expect(result.errors.contains("8 pushes of run 1 are sent again."))
      #expect(result.errors.contains("does not know the device token: 8."))
      let rows = try fanfare.folder.results("r.csv")
      #expect(Set(rows.map(\.line)) == Set((1...20).filter { [2, 3].contains($0 % 5) }))
      #expect(rows.allSatisfy { $0.token == tokenText($0.line) })
      #expect(try fanfare.folder.text("r.csv").contains("run 1,"))
      for (token, sight) in run.witness.sights {
        let isAgain = [2, 3].contains((Int(token, radix: 16) ?? 0) % 5)
        #expect(sight.ids.count == (isAgain ? 2 : 1) && Set(sight.ids).count == sight.ids.count)
      }
      #expect(try copies(fanfare) == [])
      let stored = try shown(fanfare, "2")
      #expect(stored["kind"] == "resend" && stored["resends"] == 1)
      let first = try shown(fanfare, "1")
      #expect(stored["payload"] == first["payload"] && stored["payload"] != nil)
      #expect(stored["headers"] == first["headers"])
      #expect(try fanfare.run(["history", "show", "2"]).output.contains("resends      run 1"))
    }
  }

  static let choices: [(words: [String], remainders: Set<Int>)] = [
    (["rejected"], [0, 1, 2]), (["deferred"], [3]), (["deferred", "rejected"], [0, 1, 2, 3]),
  ]

  @Test("sends what ended so", arguments: choices)
  func only(_ row: (words: [String], remainders: Set<Int>)) throws {
    try withFanfare { fanfare in
      _ = try badRun(in: fanfare)
      let words = row.words.flatMap { ["--only", $0] }
      let result = try fanfare.run(
        ["history", "resend", "1", "--dry-run", "--json", "--show-tokens"] + words)
      let tokens = try result.output.split(separator: "\n").map {
        try JSON(text: $0)["url"]?.string?.split(separator: "/").last.map(String.init)
      }
      let wanted = (1...20).filter { row.remainders.contains($0 % 5) }.map(tokenText)
      #expect(result.exitCode == 0 && tokens == wanted)
      #expect(try fanfare.run(["history", "show", "2"]).exitCode == 2)
    }
  }

  static let reasons: [(words: [String], numbers: [Int])] = [
    (["--reason", "missingtopic"], [2, 7, 12, 17]),
    (["--reason", "Unregistered", "--limit", "3"], [5, 10, 15]),
    (["--reason", "MissingTopic", "--reason", "ServiceUnavailable", "--limit", "3"], [2, 3, 7]),
    (["--reason", "ServiceUnavailable", "--only", "rejected"], []),
    (["--limit", "1"], [2]), (["--limit", "100"], [2, 3, 7, 8, 12, 13, 17, 18]),
  ]

  @Test("sends what had a reason, and no more than wanted", arguments: reasons)
  func chosen(_ row: (words: [String], numbers: [Int])) throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare)
      let (_, result) = try resend(fanfare, ["1"] + row.words)
      #expect(result.exitCode == 0, "\(result.errors)")
      let again = run.witness.sights.filter { $0.value.ids.count > 1 }.map(\.key).sorted()
      #expect(again == row.numbers.map(tokenText))
      let isCut = row.words.contains("--limit") && row.numbers.count < 8
      #expect(result.errors.contains("--limit leaves out the others.") == isCut)
      #expect(!result.errors.contains("is not in the history"))
    }
  }

  @Test("takes no reason and no limit for one push, and a limit of at least one")
  func badReasons() throws {
    try withFanfare { fanfare in
      _ = try badRun(in: fanfare)
      let id = "6b1f0c52-93a7-4e1d-8d2c-000000000001"
      for words in [[id, "--limit", "2"], [id, "--reason", "BadTopic"], ["1", "--limit", "0"]] {
        #expect(try resend(fanfare, words).1.exitCode == 2)
      }
      let (_, unknown) = try resend(fanfare, ["1", "--reason", "Mispelt", "--dry-run"])
      #expect(unknown.exitCode == 0 && unknown.errors.contains("--reason Mispelt is not in"))
    }
  }

  @Test("says so and ends well where nothing fits", arguments: ["unknown", "skipped"])
  func nothing(outcome: String) throws {
    try withFanfare { fanfare in
      _ = try badRun(in: fanfare)
      let (_, result) = try resend(fanfare, "1", "--only", outcome)
      #expect(result.exitCode == 0 && result.output.isEmpty)
      #expect(result.errors.contains("No push of run 1 matches"))
      #expect(try copies(fanfare) == [])
    }
  }

  @Test("sends one push again, whatever became of it, and every row of a device")
  func onePush() throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare)
      let id = try #require(run.witness.sights[tokenText(4)]?.ids.first)
      let (summary, result) = try resend(fanfare, id)
      #expect(result.exitCode == 0 && summary["accepted"] == 1)
      #expect(summary["push"]?["line"] == 4 && summary["push"]?["list"] == "run 1")
      #expect(run.witness.sights[tokenText(4)]?.ids.count == 2)
      try fanfare.folder.write("list.txt", tokenList(3) + tokenList(3))
      let first = try fanfare.run(
        ["send", "--bundle-id", "a.b", "--title", "Hi", "--tokens", "list.txt", "--duplicates"]
          + ["send", "--at-most-once"] + run.server.place + credentials)
      #expect(first.exitCode == 0)
      try run.history.changeResults("UPDATE results SET outcome = 5 WHERE id >> 40 = 3")
      try run.history.execute("UPDATE progress SET not_attempted = 6 WHERE run = 3")
      #expect(try resend(fanfare, "3").summary["accepted"] == 6)
      try run.history.changeResults("UPDATE results SET outcome = 4 WHERE id >> 40 = 3")
      try run.history.execute("UPDATE progress SET unknown = 6 WHERE run = 3")
      #expect(try resend(fanfare, "3").summary["lines"] == nil)
      let both = try resend(fanfare, "3", "--only", "unknown", "--at-most-once").1
      #expect(both.exitCode == 2 && both.errors.contains("--only unknown"))
      let unknown = try resend(fanfare, "3", "--only", "unknown", "--include-resent")
      #expect(unknown.summary["accepted"] == 6)
    }
  }

  @Test("leaves out what an earlier resend got accepted, or a resend of that one, and says so")
  func again() throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare)
      #expect(try resend(fanfare, "1", "--only", "deferred").summary["accepted"] == 4)
      // As if half of it had been refused, and had then been sent again.
      try run.history.changeResults(
        "UPDATE results SET outcome = 3 WHERE id >> 40 = 2 AND line <= 8")
      try run.history.execute("UPDATE progress SET accepted = 2, deferred = 2 WHERE run = 2")
      let (second, notice) = try resend(fanfare, "1", "--dry-run")
      #expect(second["lines"] == nil && notice.errors.contains("6 pushes of run 1 would be"))
      #expect(notice.errors.contains("Of these, resent before: 2 by run 2."))
      #expect(notice.errors.contains("an earlier resend got it accepted: 2."))
      #expect(notice.errors.contains("pushes of run 1, has 2 left: 'fanfare resume 2'"))
      #expect(notice.errors.contains("2 of these are left in run 1, too: 'fanfare resume 1'"))
      #expect(try resend(fanfare, "2").summary["accepted"] == 2)
      // Nothing is left of run 2 that no other run has sent.
      let third = try resend(fanfare, "1", "--dry-run").1
      #expect(!third.errors.contains("'fanfare resume 2'"), "\(third.errors)")
      #expect(try resend(fanfare, "1").summary["accepted"] == 4)
      let nothing = try resend(fanfare, "1").1
      #expect(nothing.exitCode == 0 && nothing.errors.contains("No push of run 1 matches"))
      #expect(try resend(fanfare, "1", "--include-resent").summary["accepted"] == 8)
      #expect(try shown(fanfare, "1")["resentBy"]?.array?.map(\.int) == [2, 4, 5])
      #expect(try shown(fanfare, "5")["resentBy"]?.array?.isEmpty == true)
      let text = try fanfare.run(["history", "show", "1"]).output
      let words = "run 2 (2 accepted, 2 deferred), run 4 (4 accepted), run 5 (8 accepted)"
      #expect(text.contains(words + "\n"), "\(text)")
      #expect(try shown(fanfare, "1")["acceptedLater"] == 14)
      let lines = try fanfare.run(["history", "list", "--json"]).output.split(separator: "\n")
      let first = try JSON(text: String(try #require(lines.last)))
      #expect(first["resentBy"]?.array?.map(\.int) == [2, 4, 5] && first["acceptedLater"] == 14)
      let list = try fanfare.run(["history", "list"]).output
      #expect(list.contains(", resent by " + words), "\(list)")
      let page = try fanfare.run(["history", "export", "1", "--html", "-"]).output
      #expect(page.contains("Pushes of run 1 were sent again by \(words)."))
    }
  }

  @Test("offers no option that leads nowhere for what a later resend got accepted")
  func nowhere() throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare)
      #expect(try resend(fanfare, "1", "--only", "rejected").summary["accepted"] == 12)
      #expect(run.server.emulator.requestCount == 32)
      let usual = try resend(fanfare, "1", "--dry-run").1
      #expect(usual.errors.contains("4 pushes of run 1 would be"), "\(usual.errors)")
      #expect(usual.errors.contains("an earlier resend got it accepted: 12. Use --include-resent"))
      #expect(!usual.errors.contains("--only rejected"), "\(usual.errors)")
    }
  }

  @Test("goes to another place without what belonged to the first one")
  func elsewhere() throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare)
      let (summary, result) = try resend(fanfare, "1", "--env", "emulator")
      #expect(
        run.server.emulator.requestCount == 20 && result.exitCode == 0
          && summary["environment"] == "emulator")
      // What the emulator took reached nobody.
      #expect(try resend(fanfare, "1").summary["accepted"] == 8)
      #expect(run.server.emulator.requestCount == 28)
    }
  }

  @Test("counts what was accepted by a resend of a resend, but not what the emulator took of it")
  func emulatorBetween() throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare)
      #expect(try resend(fanfare, "1", "--only", "deferred").summary["accepted"] == 4)
      try putOff(2, in: run)
      #expect(try resend(fanfare, "2", "--env", "emulator").summary["accepted"] == 4)
      let sandbox = try resend(fanfare, "1", "--dry-run").1
      #expect(sandbox.errors.contains("8 pushes of run 1 would be"), "\(sandbox.errors)")
      try putOff(3, in: run)
      let words = ["history", "resend", "3"] + run.server.place + credentials
      #expect(try fanfare.run(words).exitCode == 0)
      let last = try resend(fanfare, "1", "--dry-run").1
      #expect(last.errors.contains("4 pushes of run 1 would be"), "\(last.errors)")
      #expect(last.errors.contains("an earlier resend got it accepted: 4."))
    }
  }

  @Test("whose pushes were accepted keeps resume from sending them once more without --force")
  func resumeAfterwards() throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare)
      #expect(try resend(fanfare, "1", "--only", "deferred").summary["accepted"] == 4)
      // As if two more were left that no resend has sent.
      try run.history.changeResults(
        "UPDATE results SET outcome = 5 WHERE id >> 40 = 1 AND line IN (4, 9);"
          + "UPDATE progress SET accepted = 2, not_attempted = 2 WHERE run = 1")
      // Its file knows better, and would be believed.
      try FileManager.default.removeItem(atPath: fanfare.folder.file("pass-0.csv"))
      for words in [["1"], ["1", "--now"], ["--now"]] {
        let refused = try fanfare.run(["resume"] + words)
        #expect(refused.exitCode == 2, "\(refused.errors)")
        #expect(refused.errors.contains("left of run 1, 4 were accepted by run 2: nothing was"))
        #expect(refused.errors.contains("'fanfare history resend 1' leaves these out"))
        #expect(refused.errors.contains("'fanfare resume 1 --force' sends them"))
      }
      #expect(run.server.emulator.requestCount == 24)
      let way = try fanfare.run(["history", "show", "1"]).output
      #expect(way.hasSuffix("\n\ngo on with  fanfare history resend 1\n"))
      #expect(try resend(fanfare, "1", "--only", "notAttempted").summary["accepted"] == 2)
      let named = try fanfare.run(["resume", "1"])
      #expect(named.exitCode == 2 && named.errors.contains("by run 2, 2 were accepted by run 3"))
      #expect(named.errors.contains("Nothing else is left of it."))
      #expect(try !fanfare.run(["history", "show", "1"]).output.contains("go on with"))
      let passed = try fanfare.run(["resume", "--now"])
      #expect(passed.exitCode == 0 && passed.errors.contains("Run 1 is passed over"))
      #expect(passed.errors.contains("No run in the history has anything left"))
      #expect(run.server.emulator.requestCount == 26)
      let forced = try fanfare.run(["resume", "1", "--now", "--force"])
      #expect(forced.errors.contains("--force sends them once more."), "\(forced.errors)")
      #expect(run.server.emulator.requestCount == 32)
    }
  }

  @Test("and resume look at the other resends of the same run, but not at those in the emulator")
  func siblings() throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare)
      #expect(try resend(fanfare, "1", "--only", "deferred").summary["accepted"] == 4)
      try putOff(2, in: run)
      #expect(try resend(fanfare, "1", "--env", "emulator").summary["accepted"] == 8)
      #expect(try resend(fanfare, "1").summary["accepted"] == 8)
      let sibling = try resend(fanfare, "2").1
      #expect(sibling.errors.contains("No push of run 2 matches"), "\(sibling.errors)")
      #expect(sibling.errors.contains("an earlier resend got it accepted: 4."))
      let refused = try fanfare.run(["resume", "2"])
      #expect(refused.exitCode == 2 && refused.errors.contains("4 were accepted by run 4: nothing"))
      // A resend of run 4 takes what that has left.
      try run.history.changeResults(
        "UPDATE results SET outcome = 5 WHERE id >> 40 = 4;"
          + "UPDATE progress SET accepted = 0, not_attempted = 8 WHERE run = 4")
      #expect(try resend(fanfare, "4").summary["accepted"] == 8)
      let nephew = try fanfare.run(["resume", "2"])
      #expect(nephew.exitCode == 2 && nephew.errors.contains("4 were accepted by run 5: nothing"))
      #expect(run.server.emulator.requestCount == 40)
    }
  }

  @Test("that may have brought pushes which go at most once keeps resume from sending them")
  func resumeInDoubt() throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare)
      #expect(try resend(fanfare, "1", "--only", "deferred").summary["accepted"] == 4)
      try run.history.changeResults(
        "UPDATE results SET outcome = 4 WHERE id >> 40 = 2 AND line < 5")
      try run.history.execute("UPDATE progress SET accepted = 3, unknown = 1 WHERE run = 2")
      try run.history.execute("UPDATE runs SET at_most_once = 1 WHERE id = 2")
      let refused = try fanfare.run(["resume", "1", "--now"])
      let counts = "3 were accepted by run 2, 1 may have arrived with run 2: nothing was sent."
      #expect(refused.exitCode == 2 && refused.errors.contains(counts), "\(refused.errors)")
      #expect(run.server.emulator.requestCount == 24)
    }
  }

  @Test("tells of an earlier one only what resuming that would send before it expires")
  func earlierExpired() throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare)
      #expect(try resend(fanfare, "1", "--only", "deferred").summary["accepted"] == 4)
      try putOff(2, in: run)
      let left = try resend(fanfare, "1", "--dry-run").1
      #expect(left.errors.contains("of run 1, has 4 left: 'fanfare resume 2'"), "\(left.errors)")
      try run.history.execute("UPDATE runs SET expiration = 1700000000 WHERE id = 2")
      let expired = try resend(fanfare, "1", "--dry-run").1
      #expect(!expired.errors.contains("fanfare resume 2"), "\(expired.errors)")
      #expect(expired.errors.contains("'fanfare resume 1'"))
    }
  }

  /// As if all pushes of a resend had been refused for now.
  private func putOff(_ number: Int, in run: ResumableRun) throws {
    try run.history.changeResults("UPDATE results SET outcome = 3 WHERE id >> 40 = \(number)")
    try run.history.execute("UPDATE progress SET accepted = 0, deferred = 4 WHERE run = \(number)")
  }

  @Test("says what is sent again only when nothing stands against it")
  func refusedSilently() throws {
    try withFanfare { fanfare in
      _ = try badRun(in: fanfare)
      let refused = [
        ["--env", "emulator", "--ca", "ca.pem"], ["--key", "none.p8"], ["--results", "r.txt"],
        ["--results", "none/r.csv"], ["--dead-tokens", "dead.html"],
      ]
      for words in refused {
        let result = try fanfare.run(["history", "resend", "1"] + words)
        #expect(result.exitCode != 0 && !result.errors.contains("sent again"), "\(result.errors)")
      }
    }
  }

  @Test(
    "that is killed is finished by resume, with its list beside the history", arguments: [1, 900])
  func killed(atRequest number: Int) throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare, count: 4000) {
        $0 % 2 == 0 ? .reject(.serviceUnavailable) : nil
      }
      let killed = try run.executioner.start(SIGKILL, atRequest: number) {
        try fanfare.start(["history", "resend", "1"])
      }.finish()
      #expect(killed.exitCode == nil && run.executioner.hasStruck)
      #expect(try copies(fanfare).contains("history.sqlite.run-2.list-1"))
      let path = fanfare.folder.file(".local/state/fanfare/history.sqlite.run-2.list-1")
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let last = try run.resume("--json")
      let summary = try JSON(text: last.output)
      expectSum(of: summary)
      #expect(last.exitCode == 0 && summary["run"] == 2 && summary["accepted"] == 2000)
      run.expectNobodyLost()
      #expect(run.passes.last?.allSatisfy { $0.token == tokenText($0.line) } == true)
      let odd = run.witness.sights.filter { (Int($0.key, radix: 16) ?? 0) % 2 == 1 }
      #expect(odd.allSatisfy { $1.ids.count == 1 })
      let left = try copies(fanfare)
      #expect(left == [])
    }
  }

  @Test("refuses what has expired, unless it is given more time")
  func expired() throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare, ["--expiration", "1h"])
      try run.history.execute("UPDATE runs SET expiration = 1700000000")
      let (_, refused) = try resend(fanfare, "1")
      #expect(refused.exitCode == 2 && refused.errors.contains("2023-11-14T22:13:20Z"))
      #expect(refused.errors.contains("--expiration"))
      for (text, code) in [("never", Int32(2)), ("1700000000", 2), ("2000000000", 0), ("0", 0)] {
        let (_, result) = try resend(fanfare, "1", "--expiration", text, "--dry-run")
        #expect(result.exitCode == code, "\(text)")
        if code == 0 { #expect(result.output.contains(#""apns-expiration":"\#(text)""#)) }
      }
      #expect(run.server.emulator.requestCount == 20)
      let (_, last) = try resend(fanfare, "1", "--expiration", "1h")
      // Resuming the run would skip them.
      #expect(last.exitCode == 0 && !last.errors.contains("once more"))
    }
  }

  static let refusals: [(words: [String], fragment: String)] = [
    (["9"], "The history has no run 9."), (["word"], "the apns-id of a push"), ([], "RUN-OR-ID"),
    (["6b1f0c52-93a7-4e1d-8d2c-000000000001"], "has no push 6b1f0c52"),
    (["6b1f0c52-93a7-4e1d-8d2c-000000000001", "--only", "rejected"], "cannot be used together"),
    (["1", "--only", "accepted"], "--only"), (["1", "--no-history"], "'--no-history'"),
    (["1", "--history", "none.sqlite"], "none.sqlite"), (["1", "--force"], "--force"),
  ]

  @Test("refuses what it cannot find or is not meant", arguments: refusals)
  func refused(_ row: (words: [String], fragment: String)) throws {
    try withFanfare { fanfare in
      let run = try badRun(in: fanfare)
      let result = try fanfare.run(["history", "resend"] + row.words)
      #expect(result.exitCode == 2 && result.errors.contains(row.fragment), "\(result.errors)")
      #expect(run.server.emulator.requestCount == 20)
    }
  }
}
