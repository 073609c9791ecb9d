import APNS
import PushModel
import SendingSupport
import Testing

@testable import SQLHistory

/// Sends a run of many small transactions.
private func writeMany(_ path: String) throws {
  let ledger = try SQLLedger.begin(
    .sample(), at: path, pace: .init(claimStep: 64, batchResults: 20, busyMilliseconds: 30_000))
  for push in try Push.samples(2000) {
    try ledger.claim(upTo: push.sequence)
    try ledger.record([push.accepted], now: dawn)
  }
  try ledger.finishAll(2000)
}

/// Sends pushes that are refused for two new reasons in each commit, in one order or the other.
private func writeWords(_ path: String, isReversed: Bool) throws {
  let ledger = try SQLLedger.begin(
    .sample(), at: path, pace: .init(batchResults: 1000, busyMilliseconds: 30_000))
  let pushes = try Push.samples(40)
  for start in stride(from: 0, to: 40, by: 2) {
    let results = pushes[start...start + 1].map { push in
      push.result(
        .rejected, Response(status: .badRequest, reason: Reason(rawValue: "Why\(push.sequence)")))
    }
    try ledger.record(isReversed ? results.reversed() : results, now: dawn)
    try ledger.commit()
  }
  try ledger.finishAll(40)
}

@Suite("Two that write one history", .overAllHistories)
struct TwoWritersTests {
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  private func expectAll(_ runs: Int, in place: HistoryReference) throws {
    let path = place.path
    let counts = try rows("SELECT id >> 40, count(*) FROM pushes GROUP BY 1 ORDER BY 1", in: path)
    #expect(counts == (1...runs).map { "\($0)|2000" })
    let states = try rows("SELECT DISTINCT state FROM runs", in: path)
    #expect(states == ["finished"])
    try place.expectWhole()
  }

  @Test("both get through as processes, from a history that is not there yet")
  func processes() async throws {
    let place = try HistoryReference(isBare: true)
    async let first: Void = writeManyApart(place.path)
    async let second: Void = writeManyApart(place.path)
    _ = await (first, second)
    try expectAll(2, in: place)
  }

  private func writeManyApart(_ path: String) async {
    await #expect(processExitsWith: .success) { [path] in try writeMany(path) }
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
    try expectAll(4, in: place)
  }

  @Test("no two wait for each other for ever because each has put in what the other wants")
  func words() throws {
    let path = path
    let failures = HolderCount()
    try within {
      onThreads(4) { number in
        do { try writeWords(path, isReversed: number % 2 == 0) } catch { failures.enter() }
      }
    }
    #expect(failures.most == 0)
    #expect(try rows("SELECT count(*), count(DISTINCT word) FROM reasons", in: path) == ["40|40"])
    let counts = "SELECT count(*), count(DISTINCT word) FROM pushes"
    #expect(try rows("\(counts) JOIN reasons ON reasons.id = reason", in: path) == ["160|40"])
  }

  @Test("one that many want to make at once is made once")
  func creation() throws {
    for _ in 0..<(HistoryKind.current == .sqlite ? 20 : 5) {
      let place = try HistoryReference(isBare: true)
      let path = place.path
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
