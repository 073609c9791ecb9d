import APNS
import Foundation
import HTTP2
import PushEmulator
import PushModel
import Recipients
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import Delivery
@testable import SQLHistory

@Suite("A run that is written down", .timeLimit(.minutes(15)))
struct LedgerRunTests {
  private let folder: KeptFolder
  private let path: String

  init() throws {
    folder = try KeptFolder()
    path = folder.path(of: "history.sqlite")
  }

  private func begin(
    pace: SQLLedger.Pace = SQLLedger.Pace(), atMostOnce: Bool = false
  ) -> @Sendable (RunIdentity) throws -> SQLLedger {
    { [path] identity in
      var record = RunRecord(
        started: RunClock.system.epochMilliseconds(), environment: "emulator", version: "1",
        identity: identity)
      record.atMostOnce = atMostOnce
      return try SQLLedger.begin(record, at: path, pace: pace)
    }
  }

  private func resume(early: Bool = false) -> @Sendable (RunIdentity) throws -> SQLLedger {
    { [path] _ in
      try SQLLedger.resume(
        .first, at: path, now: RunClock.system.epochMilliseconds(), sendsEarly: early)
    }
  }

  private func stored(_ outcome: Outcome) throws -> Int {
    let column = outcome == .notAttempted ? "not_attempted" : outcome.rawValue
    return try #require(Int(try rows("SELECT \(column) FROM progress", in: path)[0]))
  }

  @Test("has every result in its history")
  func whole() throws {
    let server = try TestServer {
      $0.token % 100 == 0 ? .reject(.unregistered, timestamp: 1_700_000_000_000) : .accept
    }
    let pace = SQLLedger.Pace(claimStep: 300)
    let delivery = try TestRun(connections: 2, history: begin(pace: pace)).send(3000, to: server)
    #expect(delivery[.accepted] == 2970 && delivery[.rejected] == 30 && delivery.lost == nil)
    #expect(try stored(.accepted) == 2970 && stored(.rejected) == 30)
    let counts = try rows("SELECT count(*), count(DISTINCT token) FROM pushes", in: path)
    #expect(counts == ["3000|3000"])
  }

  @Test("that is interrupted sends the rest when it is resumed, nobody twice, with the same ids")
  func interrupted() throws {
    let control = RunControl()
    let server = try TestServer { attempt in
      if attempt.push.number == 700 { control.stop(.interrupted) }
      return .accept
    }
    let first = try TestRun(control: control, history: begin()).send(3000, to: server)
    #expect(first[.accepted] < 3000 && first.report.stopCause == .interrupted)
    let second = try TestRun(history: resume()).send(3000, to: server)
    #expect(second[.accepted] == 3000 && second.summary.total == 3000)
    #expect(second.results.count == 3000 - first[.accepted])
    #expect(server.processed.count == 3000 && server.processed.values.allSatisfy { $0 == 1 })
    let prefixes = Set((0..<3000).compactMap { server.ids(of: $0).first?.prefix(23) })
    #expect(prefixes.count == 1)
    #expect(throws: HistoryError.nothingToResume(.first)) {
      _ = try resume()(first.report.identity)
    }
  }

  @Test("that was killed resends what was claimed, and says that it may arrive twice")
  func killed() throws {
    let server = try TestServer()
    let copy = folder.path(of: "copy.sqlite")
    let control = RunControl()
    let taken = Atomic(false)
    let early = try TestServer { attempt in
      if attempt.push.number == 1500, !taken.exchange(true, ordering: .relaxed) {
        copyDatabase(path, to: copy)
      }
      return .accept
    }
    _ = try TestRun(control: control, history: begin(pace: SQLLedger.Pace(claimStep: 1000)))
      .send(3000, to: early)
    let again = LedgerRunTests(folder: folder, path: copy)
    let second = try TestRun(history: again.resume()).send(3000, to: server)
    #expect(second[.accepted] == 3000)
    #expect(second.results.contains { $0.wasResentInDoubt })
    let everybody = Set(early.processed.keys).union(server.processed.keys)
    #expect(everybody.count == 3000)
  }

  @Test("keeps deferred pushes until they are due, and sends them early when asked to")
  func deferred() throws {
    let busy = try TestServer { $0.token < 10 ? .reject(.serviceUnavailable) : .accept }
    let first = try TestRun(history: begin()).send(100, to: busy)
    #expect(first[.deferred] == 10)
    let error = #expect(throws: HistoryError.self) { _ = try resume()(first.report.identity) }
    if case .notDue? = error {} else { Issue.record("another error: \(error as Any)") }
    let server = try TestServer()
    let second = try TestRun(history: resume(early: true)).send(100, to: server)
    #expect(second[.accepted] == 100 && server.processed.count == 10)
  }

  @Test("stops when the history cannot be written, and every result is still told")
  func full() throws {
    let server = try TestServer()
    let begin = begin(pace: SQLLedger.Pace(claimStep: 500, batchResults: 200))
    let run = TestRun(history: { identity in
      let ledger = try begin(identity)
      try ledger.database.execute("PRAGMA max_page_count = 40")
      return ledger
    })
    let delivery = try run.send(20_000, to: server)
    guard case .history? = delivery.report.stopCause else {
      return #expect(Bool(false), "\(String(describing: delivery.report.stopCause))")
    }
    #expect(delivery.lost != nil)
    #expect(delivery[.accepted] == server.processed.count)
    #expect(delivery[.accepted] < 20_000 && delivery[.notAttempted] > 0)
  }

  @Test("that is killed while it is resumed knows what it may have sent", arguments: [false, true])
  func killedAgain(atMostOnce: Bool) throws {
    let rules = RetryRules(isAtMostOnce: atMostOnce, waitsForSlowTokens: false)
    let witness = Witness()
    let busy = try TestServer(witness: witness, configure: { _ in }) { _ in
      .reject(.serviceUnavailable)
    }
    _ = try TestRun(retryRules: rules, history: begin(atMostOnce: atMostOnce)).send(20, to: busy)
    let copy = folder.path(of: "copy.sqlite")
    let taken = Atomic(false)
    let server = try TestServer(witness: witness, configure: { _ in }) { _ in
      if !taken.exchange(true, ordering: .relaxed) { copyDatabase(path, to: copy) }
      return .accept
    }
    _ = try TestRun(retryRules: rules, history: resume(early: true)).send(20, to: server)
    let again = LedgerRunTests(folder: folder, path: copy)
    var doubtful = 0
    try again.resume(early: true)(RunIdentity(given: nil, .system)).resuming?.forEachInDoubt {
      doubtful += $0.count
    }
    #expect(doubtful == 20)
    let last = try TestRun(retryRules: rules, history: again.resume(early: true))
      .send(20, to: server)
    #expect(last[atMostOnce ? .unknown : .accepted] == 20 && last.summary.total == 20)
    #expect(last.results.count(where: \.wasResentInDoubt) == (atMostOnce ? 0 : 20))
    #expect(server.processed.values.allSatisfy { $0 == (atMostOnce ? 1 : 2) })
  }

  @Test("that is stopped again while it is resumed still adds up, whatever was read of its lists")
  func stoppedAgain() throws {
    let tokens = try deviceTokens(12_000).map(\.hex)
    let lines = tokens[..<1500] + ["no token"] + tokens[1500...] + tokens[11_990...] + ["nor this"]
    let list = RecipientSource.file(try folder.file("list.txt", lines.joined(separator: "\n")))
    let copy = folder.path(of: "copy.sqlite")
    let taken = Atomic(false)
    let busy = try TestServer { attempt in
      if attempt.push.number == 9000, !taken.exchange(true, ordering: .relaxed) {
        copyDatabase(path, to: copy)
      }
      return .reject(.serviceUnavailable)
    }
    let pace = SQLLedger.Pace(claimStep: 500, batchResults: 200)
    let patient = RunControl(usesBreaker: false)
    let first = try TestRun(control: patient, history: begin(pace: pace)).send(
      [list], to: busy.target)
    #expect(first.summary.recipients.lines == 12_012)
    let second = try stopAt100(resume(early: true), list)
    #expect(second.summary.recipients == first.summary.recipients && second.summary.total == 12_000)
    #expect(second[.accepted] + second[.deferred] == 12_000 && second[.notAttempted] == 0)
    #expect(try rows("SELECT last, lines, bad_lines FROM progress", in: path) == ["12000|12012|2"])
    let killed = try stopAt100(LedgerRunTests(folder: folder, path: copy).resume(early: true), list)
    #expect(killed.summary.recipients.lines >= 8000 && killed[.deferred] > 0)
  }

  private func stopAt100(
    _ history: @escaping @Sendable (RunIdentity) throws -> SQLLedger, _ list: RecipientSource
  ) throws -> Delivery {
    let control = RunControl()
    let server = try TestServer { attempt in
      if attempt.push.number == 100 { control.stop(.interrupted) }
      return .accept
    }
    let delivery = try TestRun(control: control, history: history).send([list], to: server.target)
    #expect(delivery.report.stopCause == .interrupted)
    return delivery
  }

  @Test("that is resumed and finds no room counts everybody who was answered")
  func fullAgain() throws {
    let control = RunControl()
    let server = try TestServer { attempt in
      if attempt.push.number == 700 { control.stop(.interrupted) }
      return .accept
    }
    _ = try TestRun(control: control, history: begin()).send(20_000, to: server)
    let resume = resume()
    let delivery = try TestRun(history: { identity in
      let ledger = try resume(identity)
      let pages = try ledger.database.number("PRAGMA page_count")
      try ledger.database.execute("PRAGMA max_page_count = \(pages + 40)")
      return ledger
    }).send(20_000, to: server)
    #expect(delivery.lost == .full && delivery.summary.total == delivery.summary.recipients.lines)
    #expect(delivery[.accepted] == server.processed.count && delivery[.accepted] < 20_000)
    #expect(try stored(.accepted) < delivery[.accepted])
  }

  private init(folder: KeptFolder, path: String) {
    self.folder = folder
    self.path = path
  }
}

/// What a kill at this moment would leave: the database and its log as they are.
private func copyDatabase(_ path: String, to copy: String) {
  for suffix in ["", "-wal"] {
    try? FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
  }
}
