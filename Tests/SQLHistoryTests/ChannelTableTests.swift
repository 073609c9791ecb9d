import APNS
import History
import PushModel
import SendingSupport
import Testing

@testable import SQLHistory

@Suite("The channels of a history", .overAllHistories)
struct ChannelTableTests {
  private let place: HistoryReference
  private let table: ChannelTable
  private let app: BundleID
  private let (one, other): (ChannelID, ChannelID)

  init() throws {
    place = try HistoryReference()
    table = ChannelTable(place.path)
    app = try BundleID("com.example.app")
    (one, other) = (try ChannelID("b25l"), try ChannelID("b3RoZXI="))
  }

  @Test("are none where there is no history, and asking makes none")
  func missing() throws {
    let place = try HistoryReference(isBare: true)
    let table = ChannelTable(place.path)
    #expect(try table.channels() == [])
    #expect(try table.channel(one, at: "sandbox", of: app) == nil)
    #expect(try table.runs(to: one, limit: 5) == [])
    #expect(try !place.isMade)
  }

  @Test("keep what was known when more is written down")
  func merging() throws {
    let id = try #require(APNSID("0a1b2c3d-4e5f-4071-8293-a4b5c6d7e8f9"))
    let created = ChannelEntry(
      one, at: "sandbox", of: app, policy: .latest, created: dawn, requestID: id)
    try table.record(created)
    try table.record(ChannelEntry(one, at: "sandbox", of: app, deleted: dawn + 5))
    let known = try #require(try table.channel(one, at: "sandbox", of: app))
    #expect(known.policy == .latest && known.created == dawn && known.requestID == id)
    #expect(known.deleted == dawn + 5)
  }

  @Test("are told apart by server and app, those created from here first")
  func places() throws {
    let second = try BundleID("com.example.second")
    try table.record(ChannelEntry(one, at: "sandbox", of: app, policy: .nothing))
    try table.record(ChannelEntry(other, at: "sandbox", of: app, created: dawn))
    try table.record(ChannelEntry(one, at: "production", of: app))
    try table.record(ChannelEntry(one, at: "sandbox", of: second))
    #expect(try table.channels(at: "sandbox", of: app).map(\.id) == [other, one])
    #expect(try table.channels(of: second).map(\.server) == ["sandbox"])
    #expect(try table.channels().count == 4)
    #expect(try table.channel(other, at: "production", of: app) == nil)
  }

  @Test("that are damaged are refused, and a policy that is not known counts as none")
  func damage() throws {
    try table.record(ChannelEntry(one, at: "sandbox", of: app, policy: .nothing))
    let database = try Database.open(table.path)
    try database.execute("UPDATE channels SET policy = 9")
    #expect(try table.channel(one, at: "sandbox", of: app)?.policy == nil)
    try database.execute("UPDATE channels SET id = 'not base64'")
    #expect(throws: HistoryError.corrupt(path: place.name)) { try table.channels() }
  }

  @Test("know the newest runs that sent to them")
  func runs() throws {
    for _ in 0..<3 { try SQLLedger.begin(.sample(), at: table.path).finishAll(0) }
    let database = try Database.open(table.path)
    try database.execute("UPDATE runs SET channel = '\(one)' WHERE id <> 2")
    #expect(try table.runs(to: one, limit: 5).map(\.rawValue) == [3, 1])
    #expect(try table.runs(to: one, limit: 1).map(\.rawValue) == [3])
    #expect(try table.runs(to: other, limit: 5) == [])
  }
}
