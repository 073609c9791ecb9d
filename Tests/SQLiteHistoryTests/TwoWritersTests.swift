import CoreSupport
import Foundation
import PushModel
import SendingSupport
import Testing

@testable import SQLiteHistory

/// Sends a run of many small transactions.
private func writeMany(_ path: String) throws {
  let ledger = try SQLiteLedger.begin(
    .sample(), at: path, pace: .init(claimStep: 64, batchResults: 20, busyMilliseconds: 30_000))
  for push in try Push.samples(2000) {
    try ledger.claim(upTo: push.sequence)
    try ledger.record([push.accepted], now: dawn)
  }
  try ledger.finishAll(2000)
}

@Suite("Two that write one history")
struct TwoWritersTests {
  private let folder: KeptFolder
  private let path: String

  init() throws {
    folder = try KeptFolder()
    path = folder.path(of: "history.sqlite")
  }

  private func expectAll(_ runs: Int) throws {
    let counts = try rows("SELECT id >> 40, count(*) FROM results GROUP BY 1", in: path)
    #expect(counts == (1...runs).map { "\($0)|2000" })
    let states = try rows("SELECT DISTINCT state FROM runs", in: path)
    #expect(states == ["finished"])
    #expect(try rows("PRAGMA integrity_check", in: path) == ["ok"])
  }

  @Test("both get through as processes, from a file that is not there yet")
  func processes() async throws {
    async let first: Void = writeManyApart()
    async let second: Void = writeManyApart()
    _ = await (first, second)
    try expectAll(2)
  }

  private func writeManyApart() async {
    await #expect(processExitsWith: .success) { [path = path as String] in try writeMany(path) }
  }

  @Test("all get through as threads")
  func threads() throws {
    let path = path
    let failures = HolderCount()
    try within {
      onThreads(4) { _ in
        do { try writeMany(path) } catch { failures.enter() }
      }
    }
    #expect(failures.most == 0)
    try expectAll(4)
  }

  @Test("a file that many want to make at once is made once")
  func creation() throws {
    for _ in 0..<20 {
      let folder = try KeptFolder()
      let path = folder.path(of: "new/history.sqlite")
      let failures = HolderCount()
      try within {
        onThreads(4) { _ in
          do { _ = try Database.open(path, busyMilliseconds: 30_000) } catch { failures.enter() }
        }
      }
      #expect(failures.most == 0)
    }
  }
}
