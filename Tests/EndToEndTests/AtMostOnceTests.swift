import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("At most once")
struct AtMostOnceTests {
  @Test("a kill writes off few of those who wait for their turn", arguments: [1, 4])
  func slow(_ connections: Int) throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 500, in: fanfare, connections: connections)
      let pace = ["--at-most-once", "--rate", "200/s"]
      // The push at which it is killed has no result, and so is in doubt for sure.
      #expect(try run.send(pace, atRequest: 60).exitCode == nil)
      let summary = try JSON(text: run.resume("--json").output)
      expectSum(of: summary)
      let unknown = try #require(summary["unknown"]?.int)
      // Each connection holds up to 16 who come before one that another has sent to.
      #expect(unknown > 0 && unknown < 120 + 16 * (connections - 1))
      #expect(try #require(summary["accepted"]?.int) > 300)
      #expect(run.server.emulator.requestCount <= 500)
    }
  }

  @Test("nothing is left in doubt: a resend says that resume sends only what was put off")
  func unknownIsFinal() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 5, in: fanfare) { _ in .reject(.serviceUnavailable) }
      #expect(try run.send(["--at-most-once", "--retries", "0"]).exitCode == 4)
      try run.history.changeResults("UPDATE results SET outcome = 4 WHERE line < 3")
      try run.history.execute("UPDATE progress SET deferred = 3, unknown = 2")
      let only = ["--only", "deferred", "--only", "unknown"]
      let resend = try fanfare.run(["history", "resend", "1", "--dry-run"] + only)
      #expect(resend.exitCode == 0, "\(resend.errors)")
      #expect(resend.errors.contains("3 of these are left in run 1, too"), "\(resend.errors)")
    }
  }
}
