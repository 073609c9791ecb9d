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
    of count: Int, atRequest number: Int, in fanfare: Fanfare
  ) throws -> ResumableRun {
    let isBad = Atomic(true)
    let run = try ResumableRun(of: count, in: fanfare) { _ in
      isBad.load(ordering: .relaxed) ? .reject(.serviceUnavailable) : nil
    }
    #expect(try run.send(["--no-breaker"]).exitCode == 4)
    isBad.store(false, ordering: .relaxed)
    try kill("1", atRequest: number, run, fanfare)
    return run
  }

  private func kill(
    _ resent: String, atRequest number: Int, _ run: ResumableRun, _ fanfare: Fanfare
  ) throws {
    let result = try run.executioner.start(SIGKILL, atRequest: number) {
      try fanfare.start(["history", "resend", resent])
    }.finish()
    #expect(result.exitCode == nil && run.executioner.hasStruck)
  }

  @Test("is passed over by resume once another got its pushes accepted", arguments: [1, 900])
  func overtaken(atRequest number: Int) throws {
    try withFanfare { fanfare in
      let run = try killedResend(of: 3000, atRequest: number, in: fanfare)
      try kill("1", atRequest: number, run, fanfare)
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
