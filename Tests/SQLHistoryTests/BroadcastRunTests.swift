import APNS
import History
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("A run that sends to a channel", .overAllHistories)
struct BroadcastRunTests {
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  private static let channel = "dHN0LXNyY2gtY2hubA=="

  private var record: RunRecord {
    var record = RunRecord.sample()
    (record.channel, record.topic) = (Self.channel, "com.example.app")
    return record
  }

  private var push: Push {
    var builder = PushChunkBuilder()
    builder.begin(list: "--channel", channel: Self.channel)
    builder.append(token: UnsafeBufferPointer(start: nil, count: 0), line: 1)
    return builder.take().push(at: 0)
  }

  private func send() throws {
    let ledger = try SQLLedger.begin(record, at: path, claiming: 1)
    try ledger.record([push.accepted], now: dawn)
    try ledger.finishAll(1)
  }

  @Test("has the channel in the run and in its push, which has no device token")
  func read() throws {
    try send()
    let history = try HistoryReader(path)
    let run = try #require(try history.newestRun())
    #expect(run.record.channel == Self.channel && run.record.topic == "com.example.app")
    let found = try #require(try history.push(run.record.identity.apnsID(ofSequence: 1)))
    #expect(found.channel == Self.channel && found.token.isEmpty && found.line == 1)
  }

  @Test("is never found by a device token", arguments: ["0", "00000000", "0a1b2c3d4e5f"])
  func token(_ digits: String) throws {
    try send()
    var filter = HistoryFilter()
    filter.token = TokenPattern(digits)
    var count = 0
    try HistoryReader(path).forEachPush(filter) { _ in
      count += 1
      return true
    }
    #expect(count == 0)
    let statement = try Statement(
      "SELECT count(*) FROM token_tails", on: Database.open(path))
    #expect(try statement.step() && statement.int64(0) == 0)
  }

  @Test("that was killed is resumed with its push in doubt")
  func killed() throws {
    let number = try SQLLedger.begin(record, at: path, claiming: 1).run
    let ledger = try SQLLedger.resume(number, at: path, now: dawn + minute)
    #expect(ledger.plan?.inDoubt == 1 && ledger.record.channel == Self.channel)
    let standing = try ledger.resuming?.standings().standing(of: 1)
    #expect(standing == .claimed)
  }
}
