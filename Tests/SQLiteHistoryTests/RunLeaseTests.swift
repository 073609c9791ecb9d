import CoreSupport
import Foundation
import PushModel
import Testing

@testable import SQLiteHistory
@testable import SendingSupport

@Suite("A run's lease")
struct RunLeaseTests {
  private let folder: KeptFolder
  private let path: String

  init() throws {
    folder = try KeptFolder()
    path = folder.path(of: "history.sqlite")
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test("keeps a second process from a run that is being sent, and says who has it")
  func owned() throws {
    let ledger = try SQLiteLedger.begin(.sample(), at: path)
    let error = try #require(throws: HistoryError.self) {
      try SQLiteLedger.resume(ledger.run, at: path, now: dawn)
    }
    guard case .owned(let run, let pid, let host) = error else {
      Issue.record("another error: \(error)")
      return
    }
    #expect(run == ledger.run)
    #expect(pid == getpid())
    #expect(host?.isEmpty == false)
  }

  @Test("keeps two from resuming one run, of which the first goes on")
  func resumedTwice() throws {
    do { _ = try SQLiteLedger.begin(.sample(), at: path, claiming: 5) }
    let first = try SQLiteLedger.resume(nil, at: path, now: dawn)
    #expect(throws: HistoryError.self) { try SQLiteLedger.resume(nil, at: path, now: dawn) }
    try first.record(try Push.samples(5).map(\.accepted), now: dawn)
    try first.finishAll(5)
  }

  @Test("is free at once when its owner is gone, and leaves no file behind")
  func released() throws {
    do {
      let ledger = try SQLiteLedger.begin(.sample(), at: path, claiming: 5)
      #expect(try names.contains("history.sqlite.run-1.lock"))
      withExtendedLifetime(ledger) {}
    }
    #expect(try !names.contains { $0.hasSuffix(".lock") })
    _ = try SQLiteLedger.resume(nil, at: path, now: dawn)
    #expect(try names == ["history.sqlite"])
  }

  @Test("is free when the run has ended, though the ledger is still there")
  func finished() throws {
    let ledger = try SQLiteLedger.begin(.sample(), at: path)
    try ledger.record([try Push.samples(1)[0].result(.notAttempted, attempts: 0)], now: dawn)
    try ledger.finishAll(1)
    let again = try SQLiteLedger.resume(ledger.run, at: path, now: dawn)
    #expect(again.run == ledger.run && again !== ledger)
  }

  @Test("is one run's: others go on beside it")
  func others() throws {
    let first = try SQLiteLedger.begin(.sample(), at: path)
    let second = try SQLiteLedger.begin(.sample(), at: path)
    #expect(first.run < second.run)
  }

  @Test("is not taken by whoever asks while it is held, however often")
  func askedOften() throws {
    let run = try #require(RunNumber(rawValue: 9))
    let lease = try #require(try RunLease.take(run, of: path))
    for _ in 0..<100 { #expect(try RunLease.take(run, of: path) == nil) }
    #expect(try names == ["history.sqlite.run-9.lock"])
    withExtendedLifetime(lease) {}
  }

  @Test("has one holder at any time, however many want it")
  func crowd() throws {
    let (path, run) = (path, try #require(RunNumber(rawValue: 9)))
    let held = HolderCount()
    try within {
      onThreads(4) { _ in
        for _ in 0..<300 {
          guard let lease = try? RunLease.take(run, of: path) else { continue }
          held.enter()
          held.leave()
          withExtendedLifetime(lease) {}
        }
      }
    }
    #expect(held.most == 1)
  }
}
