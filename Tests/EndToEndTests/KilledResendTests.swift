import APNS
import Foundation
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("A resend that was killed", .timeLimit(.minutes(15)))
struct KilledResendTests {
  /// A run all of whose pushes are refused for now, and a resend of it that was killed at a request.
  private func killedResend(
    of count: Int, atRequest number: Int, in fanfare: Fanfare, sending words: [String] = [],
    by command: [String] = ["history", "resend", "1"]
  ) throws -> ResumableRun {
    let isBad = Atomic(true)
    let run = try ResumableRun(of: count, in: fanfare) { _ in
      isBad.load(ordering: .relaxed) ? .reject(.serviceUnavailable) : nil
    }
    #expect(try run.send(["--no-breaker"] + words).exitCode == 4)
    isBad.store(false, ordering: .relaxed)
    try kill(command, atRequest: number, run, fanfare)
    return run
  }

  private func kill(
    _ words: [String], atRequest number: Int, _ run: ResumableRun, _ fanfare: Fanfare
  ) throws {
    let result = try run.executioner.start(SIGKILL, atRequest: number) {
      try fanfare.start(words)
    }.finish()
    #expect(result.exitCode == nil && run.executioner.hasStruck)
  }

  @Test("is passed over by resume once another got its pushes accepted", arguments: [1, 900])
  func overtaken(atRequest number: Int) throws {
    try withFanfare { fanfare in
      let run = try killedResend(of: 3000, atRequest: number, in: fanfare)
      try kill(["history", "resend", "1"], atRequest: number, run, fanfare)
      #expect(try fanfare.run(["history", "resend", "1"]).exitCode == 0)
      run.expectNobodyLost()
      let requests = run.server.emulator.requestCount
      let resumed = try fanfare.run(["resume", "--now"])
      #expect(resumed.exitCode == 0, "\(resumed.errors)")
      for run in 1...3 { #expect(resumed.errors.contains("Run \(run) is passed over")) }
      #expect(run.server.emulator.requestCount == requests)
      let shown = try fanfare.run(["history", "show", "2"]).output
      #expect(!shown.contains("go on with"), "\(shown)")
    }
  }

  /// Commands that send what was deferred of the first run, in a run of their own or in that one.
  private static let commands = [["history", "resend", "1"], ["resume", "1", "--now"]]

  @Test(
    "or a resumption, had sent pushes without an answer: whatever sends them next says which",
    arguments: commands, commands)
  func twice(killed: [String], next: [String]) throws {
    try withFanfare { fanfare in
      // What was accepted by the time of a later kill would keep the run from being resumed.
      let number = killed == next || next[0] == "history" ? 900 : 1
      let run = try killedResend(of: 3000, atRequest: number, in: fanfare, by: killed)
      let result = try fanfare.run(next + ["--verbose"])
      #expect(result.exitCode == 0, "\(result.errors)")
      run.expectNobodyLost()
      let listed = Set(ResumableRun.ranges(in: result.errors).map(tokenText))
      let twice = run.witness.sights.filter { $1.processed > 1 }.keys
      #expect(!listed.isEmpty && listed.isSuperset(of: twice))
      #expect(result.errors.contains(", and may arrive twice:\n  "))
    }
  }

  @Test(
    "or a resumption, had sent pushes at most once: whatever sends next leaves them out",
    arguments: commands, commands)
  func atMostOnce(killed: [String], next: [String]) throws {
    try withFanfare { fanfare in
      let run = try killedResend(
        of: 3000, atRequest: 900, in: fanfare, sending: ["--at-most-once"], by: killed)
      for words in [next, ["history", "resend", "1"], ["resume", "--now"]] {
        let result = try fanfare.run(words)
        #expect([0, 2, 4].contains(result.exitCode), "\(result.errors)")
        #expect(!result.errors.contains("may arrive twice"))
      }
      expectSame(Set(run.witness.sights.filter { $1.processed > 1 }.keys), [])
      #expect(try run.acceptedInHistory.count > 1000)
    }
  }

  @Test("had perhaps sent pushes that another, which must not send twice, leaves out")
  func askedForAtMostOnce() throws {
    try withFanfare { fanfare in
      let run = try killedResend(of: 300, atRequest: 150, in: fanfare)
      let result = try fanfare.run(["history", "resend", "1", "--at-most-once"])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors.contains("Left out because it may have arrived when it was sent again"))
      expectSame(Set(run.witness.sights.filter { $1.processed > 1 }.keys), [])
    }
  }

  @Test("is not resumed while some of its pushes were accepted by another one, without --force")
  func partlyOvertaken() throws {
    try withFanfare { fanfare in
      let run = try killedResend(of: 20, atRequest: 1, in: fanfare)
      // As if half of the run had been refused for good.
      try run.history.execute(
        "UPDATE results SET outcome = 1, status = 400 WHERE id >> 40 = 1 AND line > 10;"
          + "UPDATE progress SET rejected = 10, deferred = 10 WHERE run = 1")
      #expect(try fanfare.run(["history", "resend", "1", "--only", "deferred"]).exitCode == 0)
      let requests = run.server.emulator.requestCount
      let refused = try fanfare.run(["resume", "2"])
      #expect(refused.exitCode == 2, "\(refused.errors)")
      #expect(refused.errors.contains("left of run 2, 10 were accepted by run 3: nothing was sent"))
      #expect(refused.errors.contains("'fanfare history resend 1' leaves these out"))
      #expect(run.server.emulator.requestCount == requests)
      let shown = try fanfare.run(["history", "show", "2"]).output
      #expect(shown.hasSuffix("\n\ngo on with  fanfare history resend 1\n"), "\(shown)")
      #expect(try fanfare.run(["history", "resend", "1"]).exitCode == 0)
      let passed = try fanfare.run(["resume", "--now"])
      #expect(passed.exitCode == 0 && passed.errors.contains("Run 2 is passed over"))
      #expect(run.server.emulator.requestCount == requests + 10)
    }
  }
}
