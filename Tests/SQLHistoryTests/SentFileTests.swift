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
    let notes = try #require(ledger.keepNotes()).newConnection()
    try ledger.claim(upTo: 100)
    notes.raise(to: 30)
    notes.raise(to: 20)
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
      let notes = try #require(ledger.keepNotes()).newConnection()
      try ledger.claim(upTo: 100)
      notes.raise(to: 20)
    }
    #expect(try SQLLedger.resume(.first, at: path, now: dawn).plan?.claimed == 30)
    do {
      let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
      try ledger.beginPass()
      try #require(ledger.keepNotes()).newConnection().raise(to: 40)
      try ledger.claim(upTo: 100)
    }
    #expect(try SQLLedger.resume(.first, at: path, now: dawn).plan?.claimed == 40)
  }

  @Test("tells of a resumed run too what was claimed again and certainly not sent")
  func claimedAgain() throws {
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path)
      let notes = try #require(ledger.keepNotes()).newConnection()
      try ledger.claim(upTo: 100)
      notes.raise(to: 30)
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
      let notes = try #require(ledger.keepNotes()).newConnection()
      try ledger.claim(upTo: 100)
      notes.raise(to: 50)
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

  @Test("is kept by the next pass from its first commit on")
  func begun() throws {
    try kill()
    do {
      let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
      try ledger.beginPass()
      try ledger.claim(upTo: 100)
    }
    let plan = try #require(try SQLLedger.resume(.first, at: path, now: dawn).plan)
    #expect(plan.claimed == 30)
  }

  @Test("is forgotten when the run has ended")
  func ended() throws {
    try kill()
    #expect(try folder.names().contains("history.sqlite.run-1.sent"))
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    try ledger.beginPass()
    _ = ledger.keepNotes()
    try ledger.record(try Push.samples(30).dropFirst(10).map(\.accepted), now: dawn)
    try ledger.finishAll(30)
    #expect(try !folder.names().contains { $0.hasSuffix(".sent") })
  }

  // MARK: Answers

  /// The same as `kill`, and 15 of the others were answered without a commit.
  private func killAnswered(atMostOnce: Bool = false) throws {
    let ledger = try SQLLedger.begin(.sample(atMostOnce: atMostOnce), at: path)
    let notes = try #require(ledger.keepNotes()).newConnection()
    try ledger.claim(upTo: 100)
    let pushes = try Push.samples(100)
    notes.note(pushes[..<10].map(\.accepted), sentUpTo: 30)
    try ledger.record(pushes[..<10].map(\.accepted), now: dawn)
    try ledger.commit()
    notes.note(pushes[10..<25].map { $0.result($0.sequence == 25 ? .rejected : .accepted, .yes) })
  }

  @Test(
    "tells what was answered, which resume records and does not send again",
    arguments: [false, true])
  func answered(atMostOnce: Bool) throws {
    try killAnswered(atMostOnce: atMostOnce)
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    let plan = try #require(ledger.plan)
    #expect(plan.hasNotes && plan.answered == 15 && plan.inDoubt == 5)
    let resuming = try #require(ledger.resuming)
    var doubtful: [ClosedRange<UInt64>] = []
    try resuming.forEachInDoubt { doubtful.append($0) }
    #expect(doubtful == [26...30])
    let standings = try resuming.standings()
    let states = try (1...31).map { try standings.standing(of: $0) }
    #expect(states[9] == .done(.accepted) && states[25] == .claimed && states[30] == .unclaimed)
    #expect(states[10...24].allSatisfy { plan.step(for: $0) == .recordAnswer })
    let pushes = try Push.samples(30)
    let chunk = pushes[0].chunk.taking(states.prefix(30).map { plan.step(for: $0) }, from: states)
    let last = try #require(chunk.resultUnsent(at: 24))
    #expect(last.outcome == .rejected && last.push.token == pushes[24].token && last.attempts == 1)
    #expect(chunk.resultUnsent(at: 9) == nil && chunk.earlierOutcome(at: 24) == .unknown)
  }

  @Test("keeps the answers of a pass through the next, until they are recorded")
  func answersOfPasses() throws {
    try killAnswered()
    for _ in 1...2 {
      let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
      try ledger.beginPass()
      #expect(ledger.plan?.answered == 15)
    }
    do {
      let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
      try ledger.beginPass()
      try ledger.record(try Push.samples(25).dropFirst(10).map(\.accepted), now: dawn)
      try ledger.commit()
    }
    #expect(try SQLLedger.resume(.first, at: path, now: dawn).plan?.answered == 0)
  }

  @Test("says so where nothing was noted")
  func withoutNotes() throws {
    try killAnswered()
    try FileManager.default.removeItem(atPath: path + ".run-1.sent")
    let plan = try #require(try SQLLedger.resume(.first, at: path, now: dawn).plan)
    #expect(!plan.hasNotes && plan.answered == 0 && plan.inDoubt > 8000)
  }

  @Test("uses the room of committed answers again")
  func room() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    let notes = try #require(ledger.keepNotes())
    let connections = [notes.newConnection(), notes.newConnection()]
    let answers = try Push.samples(200).map(\.accepted)
    for _ in 1...50 {
      for connection in connections {
        connection.note(answers)
        connection.forget(answers.count)
      }
    }
    let file = try Data(contentsOf: URL(filePath: path + ".run-1.sent"))
    #expect(file.count < 6 * SentFile.blockSize * 64)
    let name = try #require(SentFileName(.first, ledger.record.identity, pass: 0, beside: path))
    #expect(try #require(SentNotes(in: name)).answers.count == 200)
  }

  @Test("that cannot be written stands in nobody's way, and does not count")
  func unwritable() throws {
    try FileManager.default.createDirectory(
      atPath: path + ".run-1.sent", withIntermediateDirectories: false)
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path)
      let notes = try #require(ledger.keepNotes())
      try ledger.claim(upTo: 100)
      notes.newConnection().note(try Push.samples(20).map(\.accepted), sentUpTo: 30)
      #expect(notes.failure == EEXIST)
      try ledger.commit()
    }
    let plan = try #require(try SQLLedger.resume(.first, at: path, now: dawn).plan)
    #expect(!plan.hasNotes && plan.claimed > 8000)
  }

  @Test("is written in whole notes, so that a write cut short ends with one")
  func size() { #expect(MemoryLayout<AnswerNote>.stride == 64 && SentFileName.headSize % 64 == 0) }
}

extension ConnectionNotes {
  fileprivate func raise(to sequence: UInt64) { note([], sentUpTo: sequence) }

  fileprivate func note(_ results: [PushResult], sentUpTo sequence: UInt64 = 0) {
    var answers = results.compactMap { AnswerNote($0) }
    write(&answers, sentUpTo: sequence)
  }
}
