import JSONText
import SendingSupport
import Testing

@testable import PushInbox
@testable import WebServer

@Suite("The calls for pushes", .timeLimit(.minutes(15)))
struct PushCallTests {
  private let inbox: TestInbox

  init() throws { inbox = try TestInbox(keeping: 50) }

  private func ids(_ json: JSON) -> [Int] {
    (json["pushes"]?.array ?? []).compactMap { $0["id"]?.number?.int }
  }

  @Test("list the oldest first, and go on from a cursor")
  func pages() throws {
    inbox.receive(40)
    let first = try inbox.call("pushes?limit=25").json
    #expect(ids(first) == Array(1...25))
    #expect(first["cursor"] == 25 && first["total"] == 40)
    let second = try inbox.call("pushes?limit=25&after=25").json
    #expect(ids(second) == Array(26...40) && second["cursor"] == 40)
    let none = try inbox.call("pushes?after=40").json
    #expect(none == ["pushes": [], "cursor": 40, "total": 40])
  }

  @Test("keep the last ones only, and say how many there are")
  func bounded() throws {
    inbox.receive(120)
    let json = try inbox.call("pushes?limit=1000").json
    #expect(ids(json) == Array(71...120) && json["total"] == 50)
    #expect(try inbox.call("pushes/70").status == 404)
    #expect(try inbox.call("pushes/71").json["id"] == 71)
    let health = try inbox.call("health").json
    #expect(health["pushes"] == 50 && health["received"] == 120 && health["keep"] == 50)
    let waited = try inbox.call("wait?count=50&timeout=0s").json
    #expect(waited["complete"] == true && ids(waited) == Array(71...120))
    #expect(try inbox.call("DELETE", "pushes").json == ["cleared": 50])
  }

  static let filters: [(query: String, count: Int)] = [
    ("topic=com.example.shop", 3), ("topic=com.example.other", 2), ("type=alert", 5),
    ("type=voip", 0), ("status=200", 5), ("status=400", 0), ("reason=BadDeviceToken", 0),
    ("token=\(TestInbox.token.uppercased())", 5), ("token=0a", 0), ("text=HELLO", 5),
    ("text=%7B%22aps%22", 5), ("text=a+b", 0), ("text=", 5),
    ("topic=com.example.shop&text=hello&after=1", 2),
  ]

  @Test("filter", arguments: filters)
  func filter(_ row: (query: String, count: Int)) throws {
    inbox.receive(3)
    inbox.receive(2, topic: "com.example.other")
    #expect(ids(try inbox.call("pushes?\(row.query)").json).count == row.count)
  }

  static let mistakes: [(path: String, says: String)] = [
    ("pushes?topik=x", "'topik' is not a known parameter"), ("pushes?limit=0", "'limit'"),
    ("pushes?limit=1001", "'limit'"), ("pushes?limit=x", "'limit'"), ("pushes?after=-1", "'after'"),
    ("pushes?after=99999999999999999999", "'after'"), ("pushes?status=1", "'status'"),
    ("pushes?text=%", "escape"), ("pushes?text=%zz", "escape"), ("pushes?text=%ff", "escape"),
    ("pushes?text=a&text=b", "'text' is given twice"), ("pushes?reason=%20", "'reason'"),
    ("wait?count=0", "'count'"), ("wait?count=51", "keeps the last 50"),
    ("wait?count=%2B1", "'count'"), ("pushes?after=01", "'after'"),
    ("wait?timeout=5", "'timeout' must be a duration"),
    ("wait?timeout=11m", "of at most 10 minutes"),
    ("events?topic=x", "'topic'"), ("health?x=1", "'x'"),
  ]

  @Test("count all that match while they list some, in as many goes as it takes")
  func total() throws {
    let inbox = try TestInbox(keeping: 1000)
    for number in 1...300 {
      inbox.receive(topic: number.isMultiple(of: 3) ? "com.example.other" : "com.example.shop")
    }
    let page = try inbox.call("pushes?topic=com.example.other&after=90&limit=20").json
    #expect(ids(page) == (31...50).map { 3 * $0 })
    #expect(page["cursor"] == 150 && page["total"] == 100)
    let last = try inbox.call("pushes?topic=com.example.other&after=297&limit=20").json
    #expect(ids(last) == [300] && last["cursor"] == 300 && last["total"] == 100)
    let none = try inbox.call("pushes?text=nowhere").json
    #expect(none == ["pushes": [], "cursor": 300, "total": 0])
    let waited = try inbox.call("wait?topic=com.example.other&count=101&timeout=0s").json
    #expect(waited["complete"] == false && ids(waited).count == 100 && waited["cursor"] == 300)
  }

  @Test("say what is wrong with a query", arguments: mistakes)
  func mistake(_ row: (path: String, says: String)) throws {
    let reply = try inbox.call(row.path)
    #expect(reply.status == 400)
    #expect(try #require(reply.json["message"]?.string).contains(row.says), "\(reply.text)")
    #expect(try reply.json["fix"]?.string?.isEmpty == false)
  }

  @Test("clear, and IDs go on")
  func clear() throws {
    inbox.receive(3)
    #expect(try inbox.call("DELETE", "pushes").json == ["cleared": 3])
    #expect(try inbox.call("pushes").json == ["pushes": [], "cursor": 0, "total": 0])
    inbox.receive()
    #expect(ids(try inbox.call("pushes").json) == [4])
  }

  @Test("wait for pushes that come, and list no more than are wanted")
  func wait() throws {
    inbox.receive(1)
    let connection = try inbox.connect()
    connection.send("GET", "/api/v1/wait?count=3&timeout=10m")
    #expect(connection.head()?.status == 200)
    inbox.receive(4)
    var text = ""
    while let chunk = connection.chunk(), !chunk.isEmpty {
      text += String(decoding: chunk, as: UTF8.self)
    }
    let json = try JSONReader().read(text)
    #expect(json["complete"] == true && ids(json) == [1, 2, 3] && json["cursor"] == 3)
    let next = try inbox.call("wait?count=2&after=3").json
    #expect(next["complete"] == true && ids(next) == [4, 5] && next["cursor"] == 5)
  }

  @Test("wait anew after a clear, and say so")
  func clearWhileWaiting() throws {
    inbox.receive(2)
    let connection = try inbox.connect()
    connection.send("GET", "/api/v1/wait?count=3&timeout=10m")
    #expect(connection.head()?.status == 200)
    #expect(try inbox.call("DELETE", "pushes").json == ["cleared": 2])
    inbox.receive(2)
    #expect(try inbox.call("pushes").json["total"] == 2)
    inbox.receive(1)
    var text = ""
    while let chunk = connection.chunk(), !chunk.isEmpty {
      text += String(decoding: chunk, as: UTF8.self)
    }
    let json = try JSONReader().read(text)
    #expect(json["cleared"] == true && json["complete"] == true && ids(json) == [3, 4, 5])
  }

  @Test("wait for what matches, and tell what came when the time is over")
  func timeout() throws {
    inbox.receive(2)
    inbox.receive(2, topic: "com.example.other")
    let json = try inbox.call("wait?count=3&timeout=20ms&topic=com.example.shop").json
    #expect(json["complete"] == false && ids(json) == [1, 2] && json["cursor"] == 4)
    let none = try inbox.call("wait?timeout=0s&after=4").json
    #expect(none == ["complete": false, "pushes": [], "cursor": 4])
  }
}
