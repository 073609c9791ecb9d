import Foundation
import History
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("How far a run was sent")
struct SentFileTests {
  private let folder: KeptFolder
  private let path: String

  init() throws {
    folder = try KeptFolder()
    path = folder.path(of: "history.sqlite")
  }

  /// A run whose process is killed after it has sent 30 pushes of 100, and 10 were answered.
  private func kill(atMostOnce: Bool = false) throws {
    let ledger = try SQLLedger.begin(.sample(atMostOnce: atMostOnce), at: path)
    let mark = try #require(ledger.keepSentMark())
    try ledger.claim(upTo: 100)
    mark.raise(to: 30)
    mark.raise(to: 20)
    try ledger.record(try Push.samples(10).map(\.accepted), now: dawn)
    try ledger.commit()
    #expect(ledger.claimed > 8000)
  }

  @Test("outlives a kill: what was claimed ahead was certainly not sent", arguments: [false, true])
  func killed(atMostOnce: Bool) throws {
    try kill(atMostOnce: atMostOnce)
    #expect(try HistoryReader(path).newestRun()?.claimedWithoutResult == 20)
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    let plan = try #require(ledger.plan)
    #expect(plan.claimed == 30 && plan.inDoubt == 20)
    let standings = try #require(ledger.resuming).standings()
    #expect(plan.step(for: try standings.standing(of: 10)) == .leave)
    let doubtful: ResumeStep = atMostOnce ? .recordUnknown : .sendInDoubt
    #expect(plan.step(for: try standings.standing(of: 30)) == doubtful)
    #expect(plan.step(for: try standings.standing(of: 31)) == .send)
  }

  @Test("counts for all passes")
  func passes() throws {
    try kill()
    do {
      let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
      try ledger.beginPass()
      let mark = try #require(ledger.keepSentMark())
      try ledger.claim(upTo: 100)
      mark.raise(to: 20)
    }
    #expect(try SQLLedger.resume(.first, at: path, now: dawn).plan?.claimed == 30)
    do {
      let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
      try ledger.beginPass()
      try #require(ledger.keepSentMark()).raise(to: 40)
      try ledger.claim(upTo: 100)
    }
    #expect(try SQLLedger.resume(.first, at: path, now: dawn).plan?.claimed == 40)
  }

  @Test("tells of a resumed run too what was claimed again and certainly not sent")
  func claimedAgain() throws {
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path)
      let mark = try #require(ledger.keepSentMark())
      try ledger.claim(upTo: 100)
      mark.raise(to: 30)
      // It was stopped after it had sent 30, and killed before it was done.
      try ledger.record(
        try Push.samples(100).map {
          $0.sequence <= 30 ? $0.accepted : $0.result(.notAttempted, attempts: 0)
        }, now: dawn)
      try ledger.commit()
    }
    do {
      let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
      try ledger.beginPass()
      let mark = try #require(ledger.keepSentMark())
      try ledger.claim(upTo: 100)
      mark.raise(to: 50)
    }
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    let standings = try #require(ledger.resuming).standings()
    let rows: [(sequence: UInt64, state: PushState)] = [
      (30, .done(.accepted)), (31, .unknown), (50, .unknown), (51, .notAttempted),
      (100, .notAttempted),
    ]
    for row in rows { #expect(try standings.standing(of: row.sequence) == row.state, "\(row)") }
    #expect(ledger.plan?.inDoubt == 20)
  }

  @Test("is not known after the machine went down: then all that was claimed is in doubt")
  func otherBoot() throws {
    try kill()
    let name = try #require(try folder.names().first { $0.hasSuffix(".sent") })
    var bytes = try Data(contentsOf: URL(filePath: folder.path(of: name)))
    bytes[0] ^= 1
    try bytes.write(to: URL(filePath: folder.path(of: name)))
    let plan = try #require(try SQLLedger.resume(.first, at: path, now: dawn).plan)
    #expect(plan.claimed > 8000)
  }

  @Test("is not kept by a pass that does not say it")
  func unsaid() throws {
    try kill()
    do {
      let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
      try ledger.beginPass()
      try ledger.claim(upTo: 100)
    }
    let plan = try #require(try SQLLedger.resume(.first, at: path, now: dawn).plan)
    #expect(plan.claimed > 8000)
  }

  @Test("is forgotten when the run has ended")
  func ended() throws {
    try kill()
    #expect(try folder.names().contains("history.sqlite.run-1.sent"))
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    try ledger.beginPass()
    _ = ledger.keepSentMark()
    try ledger.record(try Push.samples(30).dropFirst(10).map(\.accepted), now: dawn)
    try ledger.finishAll(30)
    #expect(try !folder.names().contains { $0.hasSuffix(".sent") })
  }
}
