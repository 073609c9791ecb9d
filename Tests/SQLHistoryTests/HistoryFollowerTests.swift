import APNS
import History
import PushModel
import SendingSupport
import Testing

@testable import SQLHistory

@Suite("Following a history", .overAllHistories)
struct HistoryFollowerTests {
  private let place: HistoryReference
  private var path: String { place.path }
  private let pushes: [Push]

  init() throws {
    place = try HistoryReference()
    pushes = try Push.samples(5000)
    _ = try Database.open(path)
  }

  private func follower(_ filter: HistoryFilter = .init()) throws -> HistoryFollower {
    try HistoryReader(path).follower(filter)
  }

  /// What a look tells, in short.
  private func look(_ follower: HistoryFollower) throws -> [String] {
    var told: [String] = []
    try follower.look { event in
      switch event {
      case .began(let run): told.append("began \(run.run)/\(run.resumptions)")
      case .push(let push): told.append("\(push.run):\(push.sequence) \(push.outcome.rawValue)")
      case .ended(let run): told.append("ended \(run.run) \(run.tally.total)")
      case .worker(let worker): told.append("worker \(worker.name)")
      }
    }
    return told
  }

  private func record(_ results: [PushResult], _ ledger: SQLLedger) throws {
    try ledger.claim(upTo: 5000)
    try ledger.record(results, now: dawn)
    try ledger.commit()
  }

  @Test("tells a run, its results and its end, each once, although later ones come first")
  func order() throws {
    let follower = try follower()
    #expect(try follower.begin(last: 10).isEmpty)
    #expect(try look(follower) == [])
    let ledger = try SQLLedger.begin(.sample(), at: path)
    try record([pushes[2].accepted], ledger)
    #expect(try look(follower) == ["began 1/0", "1:3 accepted"])
    #expect(try look(follower) == [])
    try record([pushes[3].accepted, pushes[0].result(.rejected, .gone)], ledger)
    #expect(try look(follower) == ["1:1 rejected", "1:4 accepted"])
    try ledger.record([pushes[1].accepted], now: dawn)
    try ledger.finishAll(4)
    #expect(try look(follower) == ["1:2 accepted", "ended 1 4"])
    #expect(try look(follower) == [])
    #expect(follower.hasEnded(ledger.run))
  }

  @Test("tells all of a run that began and ended between two looks, however long")
  func quick() throws {
    let follower = try follower()
    _ = try follower.begin(last: 0)
    let ledger = try SQLLedger.begin(.sample(), at: path)
    try ledger.record(pushes.map(\.accepted), now: dawn)
    try ledger.finishAll(5000)
    let told = try look(follower)
    #expect(told == ["began 1/0"] + (1...5000).map { "1:\($0) accepted" } + ["ended 1 5000"])
  }

  @Test("begins with the last results, and tells no more of what is there")
  func last() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    try record([pushes[0].accepted, pushes[1].accepted, pushes[4].accepted], ledger)
    let follower = try follower()
    #expect(try follower.begin(last: 2).map(\.sequence) == [2, 5])
    #expect(try look(follower) == [] && !follower.hasEnded(ledger.run))
    try record([pushes[3].accepted, pushes[5].accepted], ledger)
    #expect(try look(follower) == ["1:4 accepted", "1:6 accepted"])
  }

  @Test("tells what another pass of a run changes, and nothing of what was done before")
  func resumed() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    try ledger.record(
      [pushes[0].accepted, pushes[1].result(.notAttempted), pushes[2].result(.unknown)], now: dawn)
    try ledger.finishAll(3)
    let follower = try follower()
    #expect(try follower.begin(last: 0).isEmpty && follower.hasEnded(ledger.run))
    let second = try SQLLedger.resume(.first, at: path, now: dawn)
    try record([pushes[2].accepted], second)
    #expect(try look(follower) == ["began 1/1", "1:3 accepted"])
    try second.record([pushes[1].result(.rejected, .gone)], now: dawn)
    try second.finishAll(3)
    #expect(try look(follower) == ["1:2 rejected", "ended 1 3"])
  }

  @Test("loses nothing of a pass whose end and whose next pass come between two looks")
  func twoPasses() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    let follower = try follower()
    _ = try follower.begin(last: 0)
    try record([pushes[1].accepted, pushes[4].result(.notAttempted)], ledger)
    #expect(try look(follower) == ["1:2 accepted", "1:5 notAttempted"])
    try ledger.record([pushes[0].accepted, pushes[2].result(.notAttempted)], now: dawn)
    try ledger.finishAll(5)
    let second = try SQLLedger.resume(.first, at: path, now: dawn)
    try second.record([3, 2, 4].map { pushes[$0].accepted }, now: dawn)
    try second.finishAll(5)
    let told = try look(follower)
    #expect(
      told == ["1:1 accepted", "began 1/1"] + (3...5).map { "1:\($0) accepted" } + ["ended 1 5"])
  }

  @Test("of a run that is resumed while somebody begins to look, tells the rest of the pass")
  func midPass() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    try ledger.record(
      [pushes[0].accepted] + (1...3).map { pushes[$0].result(.notAttempted) }, now: dawn)
    try ledger.finishAll(4)
    let second = try SQLLedger.resume(.first, at: path, now: dawn)
    try record([pushes[2].accepted], second)
    let follower = try follower()
    _ = try follower.begin(last: 0)
    try record([pushes[1].accepted, pushes[3].accepted], second)
    #expect(try look(follower) == ["1:2 accepted", "1:4 accepted"])
  }

  @Test("tells of the runs and pushes that are wanted")
  func filter() throws {
    var filter = HistoryFilter()
    filter.environment = "sandbox"
    filter.reasons = ["unregistered"]
    let follower = try follower(filter)
    _ = try follower.begin(last: 0)
    var record = RunRecord.sample()
    for environment in ["emulator", "sandbox"] {
      record.environment = environment
      let ledger = try SQLLedger.begin(record, at: path)
      try ledger.record([pushes[0].accepted, pushes[1].result(.rejected, .gone)], now: dawn)
      try ledger.finishAll(2)
    }
    #expect(try look(follower) == ["began 2/0", "2:2 rejected", "ended 2 2"])
  }

  @Test("finds pushes however far from each other, and takes no damaged numbers for pushes")
  func distances() throws {
    let follower = try follower()
    _ = try follower.begin(last: 0)
    let ledger = try SQLLedger.begin(.sample(), at: path)
    try record([4999, 0, 2500, 127, 64].map { pushes[$0].accepted }, ledger)
    let told = [1, 65, 128, 2501, 5000].map { "1:\($0) accepted" }
    #expect(try look(follower) == ["began 1/0"] + told)
    try record([pushes[7].accepted], ledger)
    let damaged = String(repeating: "FF", count: 40) + "7F01"
    try Database.open(path).execute(
      "UPDATE commits SET pushes = \(place.blob(damaged)) WHERE id & 255 = 2")
    #expect(try look(follower) == [])
  }

  @Test("says no more of a run that was removed")
  func removed() throws {
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path)
      try record([pushes[0].accepted], ledger)
    }
    let follower = try follower()
    _ = try follower.begin(last: 0)
    let pruning = try HistoryPruning(path)
    let rule = PruningRule(keep: 0, takesUnfinished: true)
    #expect(try pruning.remove(pruning.plan(rule, now: dawn)).runs == 1)
    #expect(try look(follower) == [])
  }
}
