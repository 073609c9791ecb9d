import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

/// A key that APNs refuses after some pushes, until there is another one.
@Suite("A key that is revoked during a run")
struct RevokedKeyTests {
  private static let count = 500

  /// - Parameter body: takes the run, what makes the key good again, and the history's options.
  private func revoke(
    in history: [String], _ body: (ResumableRun, () -> Void) throws -> Void
  ) throws {
    try withFanfare { fanfare in
      let isRevoked = Atomic(true)
      let run = try ResumableRun(of: Self.count, in: fanfare) { push in
        push.number > 100 && isRevoked.load(ordering: .relaxed)
          ? .reject(.invalidProviderToken) : nil
      }
      let first = try run.send(["--rate", "300/s", "--json"] + history)
      #expect(first.exitCode == 4)
      #expect(first.errors.contains("the last with InvalidProviderToken."))
      let summary = try JSON(text: first.output)
      expectSum(of: summary)
      // Pushes in flight when the third answer comes are answered too.
      #expect(summary["accepted"]?.int == 100 && summary["deferred"]?.int == 0)
      #expect(3...20 ~= summary["rejected"]?.int ?? 0)
      #expect(summary["seconds"]?.number?.double ?? .infinity < 10)
      try body(run) { isRevoked.store(false, ordering: .relaxed) }
    }
  }

  @Test("is tried again also if all others were accepted, over other connections")
  func onOneConnection() throws {
    try withFanfare { fanfare in
      let refused = Atomic(0)
      let run = try ResumableRun(of: Self.count, in: fanfare, connections: 4) { push in
        let isBad = push.connection == 2 && refused.load(ordering: .relaxed) < 3
        if isBad { refused.add(1, ordering: .relaxed) }
        return isBad ? .reject(.invalidProviderToken) : nil
      }
      let first = try run.send(["--json"])
      let summary = try JSON(text: first.output)
      let rejected = try #require(summary["rejected"]?.int)
      #expect(first.exitCode == 1 && rejected > 0 && summary["notAttempted"] == 0)
      #expect(summary["accepted"]?.int == Self.count - rejected)
      try expectResumed(run, [])
      let nothing = try run.fanfare.run(["resume"])
      #expect(nothing.errors.contains("No run in the history"), "\(nothing.errors)")
    }
  }

  private func expectResumed(_ run: ResumableRun, _ words: [String]) throws {
    let last = try run.fanfare.run(["resume", "1", "--json"] + words)
    #expect(last.exitCode == 0, "\(last.errors)")
    let summary = try JSON(text: last.output)
    expectSum(of: summary)
    #expect(summary["accepted"]?.int == Self.count && summary["rejected"]?.int == 0)
    run.expectNobodyLost()
    run.expectSameIDs()
    let once = run.witness.sights.values.allSatisfy { $0.processed == 1 }
    #expect(once)
    let show = try JSON(text: run.fanfare.run(["history", "show", "1", "--json"] + words).output)
    #expect(show["accepted"]?.int == Self.count && show["rejected"]?.int == 0)
  }

  @Test("stops it after three pushes, which are rejected, and resume sends them again")
  func resumed() throws {
    try revoke(in: []) { run, renew in
      renew()
      try expectResumed(run, [])
      #expect(try run.fanfare.run(["resume", "1"]).errors.contains("nothing left to do"))
    }
  }

  @Test("does so with a history in PostgreSQL", .needsPostgreSQL)
  func resumedInDatabase() throws {
    let database = try PostgresDatabase()
    let history = ["--history", database.address]
    try withExtendedLifetime(database) {
      try revoke(in: history) { run, renew in
        renew()
        try expectResumed(run, history)
      }
    }
  }

  @Test("may still be revoked when the run is resumed, and nobody is lost")
  func refusedTwice() throws {
    try revoke(in: []) { run, renew in
      #expect(try run.fanfare.run(["resume", "1"]).exitCode == 4)
      renew()
      try expectResumed(run, [])
    }
  }

  @Test("leaves nobody to resume who was sent to again since")
  func resent() throws {
    try revoke(in: []) { run, renew in
      renew()
      let words = ["history", "resend", "1", "--only", "rejected"] + run.server.place
      #expect(try run.fanfare.run(words + credentials).exitCode == 0)
      let refused = try run.fanfare.run(["resume", "1"])
      #expect(refused.exitCode == 2 && refused.errors.contains("accepted by run 2"))
    }
  }
}
