import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("fanfare resume")
struct ResumeTests {
  private static let count = 5000

  static let signals: [(signal: Int32, code: Int32, words: [String])] = [
    (SIGINT, 130, []), (SIGTERM, 143, []), (SIGINT, 130, ["--at-most-once"]),
  ]

  @Test("sends the rest of a run that was stopped, to nobody twice", arguments: signals)
  func stopped(_ row: (signal: Int32, code: Int32, words: [String])) throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: Self.count, in: fanfare)
      let first = try run.send(row.words + ["--json"], signal: row.signal, atRequest: 300)
      #expect(first.exitCode == row.code)
      expectSum(of: try JSON(text: first.output))
      #expect(run.witness.processed.count < Self.count)
      let last = try run.resume("--json")
      #expect(last.exitCode == 0 && !last.errors.contains("without an answer"))
      let summary = try JSON(text: last.output)
      expectSum(of: summary)
      #expect(summary["accepted"]?.int == Self.count && summary["resentInDoubt"] == 0)
      run.expectNobodyLost()
      run.expectNobodyTwice()
    }
  }

  @Test("after a stop, a kill: who may have been sent to twice is told")
  func stoppedAndKilled() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: Self.count, in: fanfare)
      _ = try run.send(signal: SIGINT, atRequest: 300)
      #expect(try run.resume(atRequest: 1500).exitCode == nil)
      #expect(try run.resume().exitCode == 0)
      run.expectNobodyLost()
      run.expectTwiceOnlyInDoubt()
    }
  }

  @Test("writes behind no half line of --results, and says that it was cut off")
  func tornResults() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: Self.count, in: fanfare)
      _ = try run.send(["--results", "r.jsonl"], signal: SIGINT, atRequest: 300)
      let whole = try fanfare.folder.lines("r.jsonl")
      try fanfare.folder.write("r.jsonl", String(whole.joined(separator: "\n").dropLast(20)))
      let last = try run.resume("--results", "r.jsonl")
      #expect(last.exitCode == 0 && last.errors.contains("r.jsonl ended in the middle of a line"))
      let tokens = try fanfare.folder.lines("r.jsonl").map { try JSON(text: $0) }
        .filter { $0["outcome"] == "accepted" }.map { $0["token"]?.string }
      #expect(tokens.count == Set(tokens).count && tokens.count == Self.count)
    }
  }

  /// How the history says that the run stands.
  private static let standing =
    "SELECT state, finished, pass, claimed, is_indexed FROM runs JOIN progress"

  @Test("refuses a list that has changed, unless forced")
  func changedList() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: Self.count, in: fanfare)
      _ = try run.send(signal: SIGINT, atRequest: 100)
      try fanfare.folder.write("list.txt", tokenList(Self.count + 1))
      let requests = run.server.emulator.requestCount
      let before = try run.history.rows(Self.standing)
      let refused = try run.resume()
      #expect(refused.exitCode == 2 && refused.errors.contains("list.txt"))
      #expect(refused.errors.contains("--force"))
      #expect(run.server.emulator.requestCount == requests)
      #expect(try run.history.rows(Self.standing) == before)
      #expect(try run.resume("--force").exitCode == 0)
      #expect(run.witness.processed.count == Self.count + 1)
      run.expectNobodyTwice()
    }
  }

  @Test("over a list that has become shorter, tells who is no longer in it, once, and ends")
  func shorterList() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 20, in: fanfare) { push in
        push.number % 2 == 0 ? .reject(.serviceUnavailable) : nil
      }
      #expect(try run.send().exitCode == 4)
      try fanfare.folder.write("list.txt", tokenList(1))
      let last = try run.resume("--now", "--force", "--json")
      #expect(last.errors.contains("10 recipients are no longer in the list."))
      let summary = try JSON(text: last.output)
      expectSum(of: summary)
      #expect(last.exitCode == 1 && summary["skipped"] == 10 && summary["accepted"] == 10)
      let show = try fanfare.run(["history", "show"]).output
      #expect(!show.contains("go on with"))
      let again = try fanfare.run(["resume"])
      #expect(again.exitCode == 0 && again.errors.contains("No run in the history has anything"))
      #expect(run.server.emulator.requestCount == 20)
    }
  }

  @Test("claims that were made ahead are not told as pushes that there are")
  func claimedAhead() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 100, in: fanfare)
      #expect(try run.send(atRequest: 20).exitCode == nil)
      // As if it had been killed before the end of its list was known, and its
      // mark of what was sent lost with the power.
      try FileManager.default.removeItem(
        atPath: fanfare.folder.file(".local/state/fanfare/history.sqlite.run-1.sent"))
      try run.history.execute("DELETE FROM results; DELETE FROM accepted")
      try run.history.execute("UPDATE progress SET claimed = 8192, last = NULL, accepted = 0")
      let show = try fanfare.run(["history", "show", "1"]).output
      #expect(show.contains("claimed, no result  up to 8,192\n"))
      #expect(show.hasSuffix("\n\ngo on with  fanfare resume 1 --results pass-0.csv\n"))
      let stats = try fanfare.run(["history", "stats"]).output
      #expect(stats.contains("Run 1 was killed") && stats.contains("'fanfare resume 1' continues"))
      try run.history.execute("UPDATE progress SET last = 100")
      let bounded = try fanfare.run(["history", "show", "1"]).output
      #expect(bounded.contains("claimed, no result  100\n"))
      try run.history.execute("UPDATE progress SET last = NULL")
      let last = try run.resume("--json")
      let doubt = "At most 8,192 pushes may have been sent without an answer, and may arrive twice:"
      #expect(last.errors.contains("\(doubt)\n  1-8192, or to the end of the lists\n"))
      #expect(try JSON(text: last.output)["resentInDoubt"]?.int == 100)
      #expect(try !fanfare.run(["history", "stats"]).output.contains("killed"))
    }
  }

  @Test("takes a list that was only touched as it is, unless it is too long to be known whole")
  func touchedList() throws {
    try withFanfare { fanfare in
      for (count, isKnownWhole) in [(1900, true), (2100, false)] {
        let run = try ResumableRun(of: count, in: fanfare)
        _ = try run.send(signal: SIGINT, atRequest: 100)
        try fanfare.folder.write("list.txt", tokenList(count))
        let result = try run.resume()
        #expect((result.exitCode == 0) == isKnownWhole, "\(result.errors)")
        if isKnownWhole { continue }
        #expect(result.errors.contains("was written again") && result.errors.contains("--force"))
        let start = try #require(result.errors.range(of: "touch -d "))
        let touch = result.errors[start.lowerBound...].prefix { $0 != "\n" }
        _ = try Program(
          path: try requirePath(of: "bash"), ["-c", String(touch)], in: fanfare.folder
        )
        .finish()
        #expect(try run.resume().exitCode == 0)
        run.expectNobodyTwice()
      }
    }
  }

  @Test("even forced, refuses a list that has changed when another list follows it")
  func shifted() throws {
    try withFanfare { fanfare in
      let isBusy = Atomic(true)
      let run = try ResumableRun(of: 10, in: fanfare) { push in
        isBusy.load(ordering: .relaxed) && push.number % 2 == 0 ? .reject(.serviceUnavailable) : nil
      }
      let second = (11...20).map { tokenText($0) + "\n" }
      try fanfare.folder.write("second.txt", second.joined())
      #expect(try run.send(["--tokens", "second.txt"]).exitCode == 4)
      isBusy.store(false, ordering: .relaxed)
      // The last one has as many bytes, and a duplicate in place of its second row.
      let duplicate = [1, 1] + Array(3...10)
      for list in [tokenList(9), duplicate.map { tokenText($0) + "\n" }.joined()] {
        try fanfare.folder.write("list.txt", list)
        for refused in [try run.resume("--now", "--force"), try run.resume("--now")] {
          #expect(refused.exitCode == 2 && refused.errors.contains("--force cannot continue"))
          #expect(
            refused.errors.contains("list.txt: the list has changed since the run began, and"))
        }
        #expect(run.server.emulator.requestCount == 20)
      }
      try fanfare.folder.write("list.txt", tokenList(10))
      try fanfare.folder.write("second.txt", second.dropLast().joined())
      let last = try run.resume("--now", "--force")
      #expect(last.exitCode == 1 && last.errors.contains("1 recipient is no longer in the list"))
      #expect(run.witness.sights.values.allSatisfy { $0.processed <= 1 })
      expectSame(run.witness.processed, Set((1...19).map(tokenText)))
    }
  }

  @Test("makes no history where there is none", arguments: ["none.sqlite", "empty.sqlite"])
  func noHistory(_ name: String) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("empty.sqlite", "")
      let result = try fanfare.run(["resume", "--history", name])
      #expect(result.exitCode == 2 && result.errors.contains(name))
      #expect(!FileManager.default.fileExists(atPath: fanfare.folder.file("none.sqlite")))
      #expect(try fanfare.folder.text("empty.sqlite").isEmpty)
      let unnamed = try fanfare.run(["resume", "--history", ""])
      #expect(unnamed.exitCode == 2 && unnamed.errors.contains("'--history' needs a file path"))
    }
  }

  @Test("has nothing to do for a run that was stopped when all had been refused")
  func refusedRun() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 3, in: fanfare) { _ in .reject(.topicDisallowed) }
      let stopped = try run.send()
      #expect(stopped.errors.contains("The run was stopped"))
      let before = try fanfare.run(["history", "show", "1"]).output
      #expect(before.contains("TopicDisallowed"))
      #expect(try run.resume().errors.contains("No run in the history has anything left"))
      let again = try fanfare.run(["resume", "1"])
      #expect(again.exitCode == 0 && again.errors.contains("Run 1 has nothing left to do"))
      #expect(try fanfare.run(["history", "show", "1"]).output == before)
    }
  }

  @Test("of the same run by two: the second is refused")
  func twoAtOnce() throws {
    try withFanfare { fanfare in
      let (arrived, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let isSecondPass = Atomic(false)
      let run = try ResumableRun(of: Self.count, in: fanfare) { _ in
        guard isSecondPass.exchange(false, ordering: .relaxed) else { return nil }
        arrived.signal()
        goOn.wait()
        return nil
      }
      _ = try run.send(signal: SIGINT, atRequest: 100)
      isSecondPass.store(true, ordering: .relaxed)
      let first = try fanfare.start(["resume"])
      arrived.wait()
      let second = try fanfare.run(["resume"])
      #expect(second.exitCode == 2)
      #expect(second.errors.contains("Run 1 is being sent by process \(first.id)"))
      // Nor is it named in another project as one to resume.
      let path = fanfare.folder.file(".local/state/fanfare/history.sqlite")
      try fanfare.folder.makeFolder("other")
      let other = Fanfare(folder: fanfare.folder.folder("other"))
      let third = try other.run(["resume", "--history", path])
      #expect(third.exitCode == 0 && !third.errors.contains("fanfare resume"), "\(third.errors)")
      goOn.signal()
      #expect(try first.finish().exitCode == 0)
      run.expectNobodyLost()
      run.expectNobodyTwice()
    }
  }

  @Test("says when deferred pushes are due, and sends them before when told so")
  func deferred() throws {
    try withFanfare { fanfare in
      let isBusy = Atomic(true)
      let run = try ResumableRun(of: 20, in: fanfare) { push in
        isBusy.load(ordering: .relaxed) && push.number % 2 == 0 ? .reject(.serviceUnavailable) : nil
      }
      #expect(try run.send().exitCode == 4)
      isBusy.store(false, ordering: .relaxed)
      let early = try run.resume()
      #expect(early.exitCode == 4 && early.errors.contains("Run 1 waits") == false)
      #expect(early.errors.contains("run 1 waits until 2") && early.errors.contains("--now"))
      #expect(run.witness.processed.count == 10)
      let path = fanfare.folder.file(".local/state/fanfare/history.sqlite")
      let left = try fanfare.run(["history", "show", "--history", path]).output
      let way = "fanfare resume 1 --history \(path) --results pass-0.csv"
      #expect(left.hasSuffix("\n\ngo on with  \(way)\n"))
      #expect(try run.resume("--now").exitCode == 0)
      #expect(try !fanfare.run(["history", "show"]).output.contains("go on with"))
      run.expectNobodyLost()
      run.expectSameIDs()
    }
  }

  @Test("with --dry-run prints what it would send, and leaves the run as it is")
  func dryRun() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 20, in: fanfare) { push in
        push.number % 2 == 0 ? .reject(.serviceUnavailable) : nil
      }
      #expect(try run.send(["--results", "r.csv"]).exitCode == 4)
      let left = try fanfare.folder.results("r.csv").filter { $0.outcome == "deferred" }
      let before = try run.history.rows(Self.standing)
      let result = try fanfare.run(["resume", "--now", "--dry-run", "--json", "--show-tokens"])
      let requests = try result.output.split(separator: "\n").map { try JSON(text: $0) }
      #expect(result.exitCode == 0 && requests.count == 10, "\(result.errors)")
      let ids = requests.compactMap { $0["headers"]?["apns-id"]?.string }
      expectSame(Set(ids), Set(left.map(\.apnsID)))
      let urls = requests.compactMap { $0["url"]?.string }
      #expect(urls.allSatisfy { url in left.contains { url.hasSuffix($0.token) } })
      #expect(try run.history.rows(Self.standing) == before)
      #expect(run.server.emulator.requestCount == 20)
    }
  }

  @Test("skips what has expired meanwhile")
  func expired() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 20, in: fanfare) { push in
        push.number % 2 == 0 ? .reject(.serviceUnavailable) : nil
      }
      #expect(try run.send(["--expiration", "1h"]).exitCode == 4)
      try run.history.execute("UPDATE runs SET expiration = 1700000000")
      let last = try run.resume("--now", "--json")
      let summary = try JSON(text: last.output)
      expectSum(of: summary)
      #expect(summary["skipped"] == 10 && summary["accepted"] == 10)
      #expect(last.exitCode == 1 && run.server.emulator.requestCount == 20)
      #expect(try run.resume("--now").exitCode == 0)
    }
  }

  @Test("has nothing to do where nothing was sent, or nothing written down")
  func nothing() throws {
    try withFanfare { fanfare in
      let empty = try fanfare.run(["resume"])
      #expect(empty.exitCode == 2 && empty.errors.contains("there is no history yet"))
      let run = try ResumableRun(of: Self.count, in: fanfare)
      let unwritten = try run.send(["--no-history"], signal: SIGINT, atRequest: 100)
      #expect(unwritten.exitCode == 130 && !unwritten.output.contains("fanfare resume"))
      #expect(try run.resume().errors.contains("there is no history yet"))
      let contradiction = try fanfare.run(["resume", "--no-history"])
      #expect(contradiction.exitCode == 2 && contradiction.errors.contains("'--no-history'"))
      #expect(try !fanfare.run(["resume", "--help"]).output.contains("--no-history"))
      let missing = try fanfare.run(["resume", "7"])
      #expect(missing.exitCode == 2 && missing.errors.contains("there is no history yet"))
      let path = fanfare.folder.file(".local/state/fanfare/history.sqlite")
      #expect(!FileManager.default.fileExists(atPath: path))
      let other = try fanfare.run(["resume", "--history", "none.sqlite"])
      #expect(other.exitCode == 2 && other.errors.contains("none.sqlite"))
    }
  }

  @Test("that is stopped leaves the last word on pushes that it did not come to")
  func stoppedResults() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: Self.count, in: fanfare) { _ in .reject(.serviceUnavailable) }
      #expect(try run.send(["--results", "all.jsonl", "--no-breaker"]).exitCode == 4)
      let stopped = try run.resume(
        "--now", "--results", "all.jsonl", signal: SIGINT, atRequest: 300)
      #expect(stopped.exitCode == 130)
      let lines = try fanfare.folder.lines("all.jsonl").map { try JSON(text: $0) }
      #expect(lines.count >= Self.count && lines.allSatisfy { $0["outcome"] == "deferred" })
    }
  }

  @Test("writes its results behind those that are there", arguments: ["csv", "jsonl"])
  func results(ending: String) throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: Self.count, in: fanfare)
      _ = try run.send(["--results", "all.\(ending)"], signal: SIGINT, atRequest: 300)
      let first = try fanfare.folder.text("all.\(ending)")
      #expect(try fanfare.run(["resume", "--results", "all.\(ending)"]).exitCode == 0)
      let all = try fanfare.folder.text("all.\(ending)")
      #expect(all.hasPrefix(first))
      let lines = all.split(whereSeparator: \.isNewline)
      #expect(lines.count { $0.contains("accepted") } == Self.count)
      #expect(lines.count { $0.hasPrefix("sequence") } == (ending == "csv" ? 1 : 0))
    }
  }
}
