import Foundation
import PushModel
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import SQLHistory

@Suite("A run's lease", .overAllHistories)
struct RunLeaseTests {
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  @Test("keeps a second process from a run that is being sent, and says who has it")
  func owned() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    let error = try #require(throws: HistoryError.self) {
      try SQLLedger.resume(ledger.run, at: path, now: dawn)
    }
    guard case .owned(let run, let pid, let host) = error else {
      Issue.record("another error: \(error)")
      return
    }
    #expect(run == ledger.run)
    // PostgreSQL knows the machine that a connection comes from, if it is another one.
    let isFile = HistoryKind.current == .sqlite
    #expect(pid == (isFile ? getpid() : nil))
    #expect(isFile ? host?.isEmpty == false : host == nil)
  }

  @Test("is one for every link that leads to the history")
  func links() throws {
    guard HistoryKind.current == .sqlite else { return }
    let link = place.folder.path(of: "link.sqlite")
    do { _ = try Database.open(path) }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    do {
      let ledger = try SQLLedger.begin(.sample(), at: link, claiming: 5)
      expectOwned { try SQLLedger.resume(.first, at: path, now: dawn) }
      withExtendedLifetime(ledger) {}
    }
  }

  @Test("keeps two from resuming one run, of which the first goes on")
  func resumedTwice() throws {
    do { _ = try SQLLedger.begin(.sample(), at: path, claiming: 5) }
    let first = try SQLLedger.resume(.first, at: path, now: dawn)
    expectOwned { try SQLLedger.resume(.first, at: path, now: dawn) }
    try first.record(try Push.samples(5).map(\.accepted), now: dawn)
    try first.finishAll(5)
  }

  @Test("is free at once when its owner is gone, and leaves no file behind")
  func released() throws {
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path, claiming: 5)
      let isFile = HistoryKind.current == .sqlite
      #expect(try place.folder.names().contains("history.sqlite.run-1.lock") == isFile)
      withExtendedLifetime(ledger) {}
    }
    #expect(try !place.folder.names().contains { $0.hasSuffix(".lock") })
    _ = try SQLLedger.resume(.first, at: path, now: dawn)
    #expect(try !place.folder.names().contains { $0 != "history.sqlite" })
  }

  @Test("is free when the run has ended, though the ledger is still there")
  func finished() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    try ledger.record([try Push.samples(1)[0].result(.notAttempted, attempts: 0)], now: dawn)
    try ledger.finishAll(1)
    let again = try SQLLedger.resume(ledger.run, at: path, now: dawn)
    #expect(again.run == ledger.run && again !== ledger)
  }

  @Test("is one run's: others go on beside it")
  func others() throws {
    let first = try SQLLedger.begin(.sample(), at: path)
    let second = try SQLLedger.begin(.sample(), at: path)
    #expect(first.run < second.run)
  }

  @Test("is not taken by whoever asks while it is held, however often")
  func askedOften() throws {
    let run = try #require(RunNumber(rawValue: 9))
    let owner = try Database.open(path)
    let other = try Database.open(path)
    let lease = try owner.driver.takeLease(of: run)
    for _ in 0..<100 {
      expectOwned { try other.driver.takeLease(of: run) }
    }
    let files = try place.folder.names().filter { $0.contains(".run-") }
    #expect(files == (HistoryKind.current == .sqlite ? ["history.sqlite.run-9.lock"] : []))
    withExtendedLifetime(lease) {}
  }

  @Test("has one holder at any time, however many want it")
  func crowd() throws {
    let (path, run) = (path, try #require(RunNumber(rawValue: 9)))
    let held = HolderCount()
    try within {
      onThreads(4) { _ in
        guard let database = try? Database.open(path) else { return }
        for _ in 0..<300 {
          guard let lease = try? database.driver.takeLease(of: run) else { continue }
          held.enter()
          held.leave()
          withExtendedLifetime(lease) {}
        }
      }
    }
    #expect(held.most == 1)
  }

  @Test("can be taken while others look whether it is")
  func lookedAt() throws {
    let (path, run) = (path, try #require(RunNumber(rawValue: 9)))
    let isOver = Atomic(false)
    let refused = Atomic(0)
    try within {
      onThreads(3) { number in
        guard let database = try? Database.open(path) else { return }
        while number > 0, !isOver.load(ordering: .relaxed) {
          _ = try? database.driver.isLeased(run)
        }
        for _ in 0..<(number == 0 ? 2000 : 0) {
          do { _ = try database.driver.takeLease(of: run) } catch {
            refused.add(1, ordering: .relaxed)
          }
        }
        if number == 0 { isOver.store(true, ordering: .relaxed) }
      }
    }
    #expect(refused.load(ordering: .relaxed) == 0)
  }

  @Test(
    "does not name a killed process while the new owner has not written its own name",
    .only(.sqlite))
  func leftByTheDead() throws {
    let run = try #require(RunNumber(rawValue: 9))
    let lease = try FileLease.take(run, of: path)
    let file = try #require(try place.folder.names().first { $0.hasSuffix(".lock") })
    let said = try String(contentsOfFile: place.folder.path(of: file), encoding: .utf8)
    let host = try #require(said.split(separator: " ").last)
    try "4194303 \(host)".write(
      toFile: place.folder.path(of: file), atomically: false, encoding: .utf8)
    #expect(throws: HistoryError.owned(run: run, pid: nil, host: nil)) {
      try FileLease.take(run, of: path)
    }
    withExtendedLifetime(lease) {}
  }
}

extension HistoryError {
  /// Whether somebody else holds the run.
  var isOwned: Bool { if case .owned = self { true } else { false } }
}

/// Expects that somebody else holds the run.
private func expectOwned(
  at place: SourceLocation = #_sourceLocation, _ take: () throws -> some Any
) {
  let error = #expect(throws: HistoryError.self, sourceLocation: place) { _ = try take() }
  #expect(error?.isOwned == true, sourceLocation: place)
}
