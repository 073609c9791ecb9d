import APNS
import Foundation
import HTTP2
import Synchronization
import Testing

@testable import PushEmulator

@Suite("The inbox's store")
struct ReceivedPushesTests {
  /// A store that has taken requests with these numbers.
  private func store(keeping limit: Int, _ numbers: ClosedRange<Int>) -> ReceivedPushes {
    let store = ReceivedPushes(keeping: limit)
    add(numbers, to: store)
    return store
  }

  private func add(_ numbers: ClosedRange<Int>, to store: ReceivedPushes) {
    var pushes = numbers.map(push)
    store.take(&pushes)
  }

  private func push(_ id: Int) -> ReceivedPush {
    var push = ReceivedPush(
      connection: 1, stream: Int32(2 * id - 1), token: String(repeating: "0\(id % 10)", count: 32),
      status: id.isMultiple(of: 5) ? 400 : 200, reason: id.isMultiple(of: 5) ? .badTopic : nil)
    push.id = id
    return push
  }

  private func ids(_ page: ReceivedPushes.Page) -> [Int] { page.pushes.map(\.id) }

  @Test("keeps the last ones, and finds each by its number", arguments: [1, 9, 10, 11, 30])
  func keepsTheLast(_ limit: Int) {
    let store = store(keeping: limit, 1...10)
    let kept = Array((1...10).suffix(limit))
    #expect(ids(store.page(limit: 100)) == kept)
    #expect((0...11).compactMap { store.push($0)?.id } == kept)
    #expect(store.counts == .init(kept: kept.count, received: 10))
  }

  @Test("pages by filter, number and limit")
  func pages() {
    let store = store(keeping: 1000, 1...600)
    var filter = PushFilter()
    filter.status = 400
    let first = store.page(filter, limit: 3)
    #expect(ids(first) == [5, 10, 15] && first.cursor == 15)
    #expect(ids(store.page(filter, after: first.cursor, limit: 2)) == [20, 25])
    #expect(store.page(filter, after: 596, limit: 5).cursor == 600)
    #expect(ids(store.page(after: 600, limit: 5)).isEmpty)
    #expect(ids(store.page(after: .max, limit: 5)).isEmpty)
    #expect(store.page(filter, limit: .max).pushes.count == 120)
    filter.token = push(10).token?.uppercased()
    #expect(ids(store.page(filter, limit: 2)) == [10, 20])
    filter.reason = .badPriority
    #expect(store.page(filter, limit: 2).pushes.isEmpty)
  }

  @Test("forgets everything and counts on")
  func clears() {
    let store = store(keeping: 3, 1...5)
    store.clear()
    #expect(store.page(limit: 10).pushes.isEmpty && store.push(5) == nil)
    add(6...7, to: store)
    #expect(ids(store.page(limit: 10)) == [6, 7] && store.counts == .init(kept: 2, received: 7))
  }

  /// An event, as far as these tests look.
  private enum Seen: Equatable { case push(Int), missed(Int), cleared(Int) }

  private func seen(
    _ store: ReceivedPushes, _ position: inout ReceivedPushes.Position, limit: Int = 100
  ) -> [Seen] {
    store.events(after: &position, limit: limit).map { event in
      switch event {
      case .received(let push): .push(push.id)
      case .missed(let count): .missed(count)
      case .cleared(let id): .cleared(id)
      }
    }
  }

  @Test("is followed from a position: what came, what was missed, what was cleared")
  func follows() {
    let store = store(keeping: 3, 1...2)
    var position = store.position(after: 1)
    #expect(seen(store, &position) == [.push(2)])
    #expect(seen(store, &position).isEmpty)
    add(3...8, to: store)
    #expect(seen(store, &position, limit: 2) == [.missed(3), .push(6), .push(7)])
    store.clear()
    add(9...9, to: store)
    #expect(seen(store, &position, limit: .max) == [.cleared(8), .push(9)])
    var future = store.position(after: 1000)
    #expect(future.id == 9 && seen(store, &future).isEmpty)
  }

  @Test("calls once when something comes, and at once when it has already")
  func calls() {
    let store = ReceivedPushes(keeping: 10)
    let calls = Calls()
    let count: @Sendable () -> Void = { calls.count.add(1, ordering: .relaxed) }
    #expect(store.call(after: store.position, count) != nil)
    add(1...1, to: store)
    add(2...2, to: store)
    #expect(calls.count.load(ordering: .relaxed) == 1)
    #expect(store.call(after: store.position(after: 1), count) == nil)
    #expect(calls.count.load(ordering: .relaxed) == 2)
    let registration = store.call(after: store.position, count)
    if let registration { store.cancel(registration) }
    add(3...3, to: store)
    #expect(calls.count.load(ordering: .relaxed) == 2)
  }
}

private final class Calls: Sendable {
  let count = Atomic(0)
}

@Suite("What the inbox finds")
struct PushFilterTests {
  @Test("text in payload, headers, token and note, in either case, however it is escaped")
  func text() throws {
    let recorded = Recorder()
    var configuration = EmulatorConfiguration()
    configuration.now = { 1_000_010 }
    configuration.journal = .entries { recorded.append($0) }
    let sample = RequestSample().with("authorization", try TestKey().bearer())
      .with(body: #"{"aps":{"alert":"Gr\u00fc\u00dfe aus K\u00f6ln"}}"#)
    #expect(try TestClient(Emulator(configuration)).send(sample).status == 200)
    let push = try #require(recorded.entries.first)
    for text in ["grüße", "KÖLN", "com.example.SHOP", "0A1B2C", "order"] {
      var filter = PushFilter()
      filter.text = text
      #expect(filter.matches(push), "\(text)")
    }
    var filter = PushFilter()
    filter.text = "x.y.z"
    #expect(!filter.matches(push))
    (filter.text, filter.topic, filter.pushType) = (nil, "com.example.shop", "alert")
    #expect(filter.matches(push))
    filter.pushType = "voip"
    #expect(!filter.matches(push))
  }

  static let payloads: [(payload: String, found: [String], lost: [String])] = [
    (
      #"{"aps":{"alert":"Gr\u00fc\u00dfe an \"Ada\""},"city":"KÖLN"}"#,
      ["GRÜßE", "grü", #""alert":"GR"#, "E AN ", #"\"ada\""#, "köln", "Köln", #"CITY":"k"#],
      ["u00fc", "U00DF", "grüsse", "koln", #"ln"}}"#]
    ),
    (
      #"{"aps":{"alert":"Mañana Z[]"}}"#, ["MAÑANA", "mañ", "ANA Z[", #"[]"}}"#, "0A1B", "A NOTE"],
      ["manana", "z{", "a  z", "notes", String(repeating: "a", count: 100)]
    ),
    (#"{"half \u0"#, [#"\U0"#, "HALF"], ["half u"]), ("", ["a note"], ["aps"]),
  ]

  @Test("ASCII and other texts, in payloads with and without escapes", arguments: payloads)
  func payload(_ row: (payload: String, found: [String], lost: [String])) {
    var push = ReceivedPush(connection: 1, stream: 1, token: "0a1b", note: "a Note")
    push.request.body = Array(row.payload.utf8)
    for text in row.found { #expect(push.contains(text), "\(text)") }
    for text in row.lost { #expect(!push.contains(text), "\(text)") }
  }
}
