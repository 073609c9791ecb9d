import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("Results that only a file has, because the history could not be written")
struct TakenResultsTests {
  /// The history forgets all that became of a run, as if its disk had been full from then on.
  private func forget(_ run: ResumableRun) throws {
    for statement in [
      "DELETE FROM accepted", "DELETE FROM results", "DELETE FROM commits",
      "UPDATE progress SET accepted = 0, rejected = 0, last = NULL",
      "UPDATE runs SET state = 'running', finished = NULL",
    ] { try run.history.execute(statement) }
  }

  @Test(
    "are taken from there when the run is resumed, named or not", arguments: ["r.jsonl", "r.csv"],
    [true, false])
  func taken(_ file: String, isNamed: Bool) throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 300, in: fanfare) { push in
        push.token.number == 7 ? .reject(.unregistered) : nil
      }
      let sent = try run.send(["--results", file])
      #expect(sent.exitCode == 1)
      let results = try fanfare.folder.text(file)
      try forget(run)
      let requests = run.server.emulator.requestCount
      let words = ["resume", "1", "--json"] + (isNamed ? ["--results", file] : [])
      let rest = try fanfare.run(words)
      #expect(run.server.emulator.requestCount == requests, "\(rest.errors)")
      #expect(rest.errors.contains("300 results of run 1 were only in \(file)"), "\(rest.errors)")
      let figures = try JSON(text: rest.output)
      #expect(figures["accepted"]?.int == 299 && figures["rejected"]?.int == 1, "\(rest.output)")
      #expect(try fanfare.folder.text(file) == results)
    }
  }

  @Test("are taken from there before a resend chooses")
  func resent() throws {
    try withFanfare { fanfare in
      let isBad = Atomic(true)
      let run = try ResumableRun(of: 30, in: fanfare) { _ in
        isBad.load(ordering: .relaxed) ? .reject(.serviceUnavailable) : nil
      }
      #expect(try run.send(["--results", "r.jsonl"]).exitCode == 4)
      let history = fanfare.folder.file(".local/state/fanfare/history.sqlite")
      let kept = try #require(FileManager.default.contents(atPath: history))
      isBad.store(false, ordering: .relaxed)
      #expect(try fanfare.run(["resume", "1", "--now", "--results", "r.jsonl"]).exitCode == 0)
      // As if the disk had been full while the second pass was written down.
      try kept.write(to: URL(filePath: history))
      let requests = run.server.emulator.requestCount
      let resend = try fanfare.run(["history", "resend", "1"])
      #expect(resend.exitCode == 0, "\(resend.errors)")
      #expect(
        resend.errors.contains("30 results of run 1 were only in r.jsonl"), "\(resend.errors)")
      #expect(run.server.emulator.requestCount == requests)
    }
  }

  @Test("are none of another run, and none that the history has")
  func others() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 50, in: fanfare)
      #expect(try run.send(["--results", "r.jsonl"]).exitCode == 0)
      #expect(try run.send(["--results", "other.jsonl"]).exitCode == 0)
      try forget(run)
      let requests = run.server.emulator.requestCount
      let rest = try fanfare.run(["resume", "1", "--results", "other.jsonl"])
      #expect(rest.exitCode == 0 && !rest.errors.contains("only in"), "\(rest.errors)")
      #expect(run.server.emulator.requestCount == requests + 50)
    }
  }
}
