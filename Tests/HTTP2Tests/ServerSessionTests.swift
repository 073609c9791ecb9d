import HTTP2
import TestSupport
import Testing

@Suite("A server session", .timeLimit(.minutes(15)))
struct ServerSessionTests {
  @Test("shows a request as it was sent and carries the answer back")
  func requestAndAnswer() throws {
    let pair = try SessionPair(maxConcurrentStreams: 1000)
    #expect(pair.client.peerConcurrency == 1000)
    let push = try pair.request("a1b2", body: #"{"aps":{}}"#)[0]
    let request = try #require(pair.takeRequests().first)
    #expect(
      request.headers.fields.map { "\($0.name): \($0.value)" } == [
        ":method: POST", ":scheme: https", ":authority: api.example.com",
        ":path: /3/device/a1b2", "apns-topic: com.example.shop", "apns-id: id",
      ])
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"aps":{}}"#)
    try pair.server.respond(
      to: request, status: 400, fields: [Field("apns-id", "id", indexing: .never)],
      body: Array("{}".utf8))
    try pair.talk()
    #expect(push.end == .answered)
    #expect(push.status == 400)
    #expect(push.headers["apns-id"] == "id")
    #expect(push.bodyText == "{}")
    #expect(pair.server.openCount == 0)
  }

  @Test("hands each of many requests over once, in order")
  func many() throws {
    let pair = try SessionPair()
    _ = try pair.request("aa", "bb", "cc")
    #expect(pair.takeRequests().map(\.streamID) == [1, 3, 5])
    #expect(pair.takeRequests().isEmpty)
    #expect(pair.server.openCount == 3)
  }

  @Test("announces its limit on streams, up and down")
  func announce() throws {
    let pair = try SessionPair(maxConcurrentStreams: 1)
    for limit in [1000, 1] {
      try pair.server.announce(maxConcurrentStreams: limit)
      try pair.talk()
      #expect(pair.client.peerConcurrency == limit)
    }
  }

  @Test("resets a stream")
  func reset() throws {
    let pair = try SessionPair()
    let push = try pair.request("aa")[0]
    let request = try #require(pair.takeRequests().first)
    pair.server.reset(request, errorCode: ErrorCode.refusedStream)
    try pair.talk()
    #expect(push.end == .refused)
    #expect(pair.server.openCount == 0)
  }

  @Test("drops what is above the last stream of its GOAWAY and answers the rest")
  func goAway() throws {
    let pair = try SessionPair()
    let pushes = try pair.request("aa", "bb")
    let requests = pair.takeRequests()
    pair.server.goAway(GoAway(lastStream: 1, debugData: Array("why".utf8)))
    try pair.talk()
    #expect(pushes.map(\.end) == [nil, .notProcessed])
    #expect(pair.client.goAway?.debugData == Array("why".utf8))
    #expect(pair.server.openCount == 1)
    try pair.server.respond(to: requests[0], status: 200, fields: [])
    try pair.talk()
    #expect(pushes[0].end == .answered)
    #expect(pair.server.isFinished)
    #expect(pair.client.isFinished)
  }

  @Test("still takes what was on its way when it gave notice of a shutdown")
  func shutdownNotice() throws {
    let server = try ServerSession(maxConcurrentStreams: nil)
    let client = try ClientSession()
    let (up, down) = (MemoryChannel(), MemoryChannel())
    server.goAway(GoAway(lastStream: .max))
    _ = try server.send(over: down)
    let push = prepared("aa")
    try client.submit(push)
    _ = try client.send(over: up)
    try up.takeAll().withUnsafeBytes { try server.receive($0) }
    server.takeRequests { _ = try? server.respond(to: $0, status: 200, fields: []) }
    _ = try server.send(over: down)
    try down.takeAll().withUnsafeBytes { try client.receive($0) }
    #expect(push.end == .answered)
    #expect(client.goAway == GoAway(lastStream: .max))
  }

  @Test("does not answer another stream with the request of one that has closed")
  func lateAnswer() throws {
    let pair = try SessionPair()
    let first = try pair.request("aa")[0]
    let kept = try #require(pair.takeRequests().first)
    pair.client.cancel(first)
    try pair.talk()
    let second = try pair.request("bb")[0]
    try pair.server.respond(to: kept, status: 410, fields: [], body: Array("late".utf8))
    try pair.talk()
    #expect(second.end == nil)
    let request = try #require(pair.takeRequests().first)
    #expect(request !== kept)
    try pair.server.respond(to: request, status: 200, fields: [])
    try pair.talk()
    #expect(second.status == 200)
  }

  @Test("uses a request again, with nothing left of the last one")
  func usedAgain() throws {
    let pair = try SessionPair()
    for token in ["aaaa", "bb"] {
      let push = try pair.request(token, body: token)[0]
      var bodies: [String] = []
      try pair.server.takeRequests { request in
        bodies.append(String(decoding: request.body, as: UTF8.self))
        #expect(request.headers[":path"] == "/3/device/\(token)")
        #expect(request.headers.count == 6)
        try pair.server.respond(to: request, status: 200, fields: [])
      }
      try pair.talk()
      #expect(bodies == [token])
      #expect(push.end == .answered)
    }
  }

  @Test("answers with a body larger than every window")
  func largeAnswer() throws {
    let pair = try SessionPair()
    let push = try pair.request("aa")[0]
    let request = try #require(pair.takeRequests().first)
    let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    try pair.server.respond(to: request, status: 500, fields: [], body: body)
    try pair.talk()
    #expect(push.end == .answered)
    #expect(push.body == Array(body.prefix(Exchange.bodyLimit)))
  }

  @Test("takes a header block in several frames that arrive byte by byte")
  func trickledContinuation() throws {
    let server = try ServerSession(maxConcurrentStreams: 1)
    let rows: KeyValuePairs = [
      ":method": "POST", ":scheme": "https", ":authority": "localhost", ":path": "/3/device/0a",
    ]
    let block = RawFrame.headers(1, rows).payload
    let frames =
      [RawFrame.settings(), RawFrame(.headers, flags: RawFrame.endStream, stream: 1)]
      + block.map { RawFrame.continuation(1, [$0]) }.prefix(20)
      + [RawFrame.continuation(1, Array(block.dropFirst(20)), flags: RawFrame.endHeaders)]
    for byte in RawFrame.preface + frames.flatMap(\.bytes) {
      try [byte].withUnsafeBytes { try server.receive($0) }
    }
    var paths: [String?] = []
    server.takeRequests { paths.append($0.headers[":path"]) }
    #expect(paths == ["/3/device/0a"])
  }

  @Test(
    "ends over a frame on a stream that the client had ended, in portions of any size",
    arguments: [1, 8, 100_000])
  func endedStream(_ portion: Int) throws {
    let server = try ServerSession(maxConcurrentStreams: 10)
    let rows: KeyValuePairs = [
      ":method": "POST", ":scheme": "https", ":authority": "localhost", ":path": "/3/device/0a",
    ]
    let ends = RawFrame.endHeaders | RawFrame.endStream
    let sound =
      RawFrame.preface + RawFrame.settings().bytes + RawFrame.headers(1, rows).bytes
      + RawFrame.headers(3, rows, flags: ends).bytes
      + RawFrame.data(1, "{}", flags: RawFrame.endStream).bytes
    func feed(_ bytes: [UInt8]) throws {
      for start in stride(from: 0, to: bytes.count, by: portion) {
        try bytes[start..<min(bytes.count, start + portion)].withUnsafeBytes {
          try server.receive($0)
        }
      }
    }
    try feed(sound)
    var paths = 0
    server.takeRequests { _ in paths += 1 }
    #expect(paths == 2)
    let error = #expect(throws: SessionError.self) {
      try feed(RawFrame.data(1, "x").bytes + RawFrame.ping().bytes)
    }
    #expect(error?.code == -510)
    let channel = MemoryChannel()
    _ = try server.send(over: channel)
    #expect(
      RawFrame.frames(in: channel.takeAll()).last { $0.kind == .goAway }?.errorCode
        == ErrorCode.streamClosed)
  }

  @Test("ignores what was on its way to streams that it had refused")
  func refusedOnTheWay() throws {
    let server = try ServerSession(maxConcurrentStreams: 1)
    let client = try ClientSession()
    let (up, down) = (MemoryChannel(), MemoryChannel())
    let pushes = ["aa", "bb", "cc"].map { prepared($0, body: "{}") }
    for push in pushes { try client.submit(push) }
    _ = try client.send(over: up)
    try up.takeAll().withUnsafeBytes { try server.receive($0) }
    server.takeRequests { _ = try? server.respond(to: $0, status: 200, fields: []) }
    _ = try server.send(over: down)
    try down.takeAll().withUnsafeBytes { try client.receive($0) }
    #expect(pushes.map(\.end) == [.answered, .refused, .refused])
    #expect(client.goAway == nil && client.acceptsRequests)
  }

  @Test("ends a header block that goes on and on, before a megabyte of it")
  func endlessHeaderBlock() throws {
    let server = try ServerSession(maxConcurrentStreams: 1)
    let field = HPACK.literal("x", String(repeating: "v", count: 1000))
    let block = Array([[UInt8]](repeating: field, count: 16).joined().prefix(16 * field.count))
    let start = RawFrame.preface + RawFrame.settings().bytes
    try (start + RawFrame(.headers, stream: 1).bytes).withUnsafeBytes { try server.receive($0) }
    var taken = 0
    #expect(throws: SessionError.self) {
      while taken < 50_000_000 {
        let frame = RawFrame.continuation(1, block).bytes
        try frame.withUnsafeBytes { try server.receive($0) }
        taken += frame.count
      }
    }
    #expect(taken < 1_000_000)
  }

  @Test("hands a request over whose body is far too long, before it has ended, and once")
  func endlessBody() throws {
    let server = try ServerSession(maxConcurrentStreams: nil)
    let client = try ClientSession()
    let (up, down) = (MemoryChannel(), MemoryChannel())
    let push = prepared("aa", body: String(repeating: "x", count: 1_000_000))
    try client.submit(push)
    var handedOver: [Int] = []
    var sent = 0
    while push.end == nil {
      _ = try client.send(over: up)
      let bytes = up.takeAll()
      sent += bytes.count
      try bytes.withUnsafeBytes { try server.receive($0) }
      try server.takeRequests { request in
        handedOver.append(request.bodyCount)
        try server.respond(to: request, status: 413, fields: [], body: Array("{}".utf8))
      }
      _ = try server.send(over: down)
      try down.takeAll().withUnsafeBytes { try client.receive($0) }
    }
    #expect(push.end == .answered && push.status == 413)
    #expect(handedOver.count == 1 && (handedOver.first ?? .max) < 200_000)
    #expect(sent < 400_000)
    #expect(server.openCount == 0 && client.goAway == nil)
  }

  @Test("does not take what is no HTTP/2")
  func notHTTP2() throws {
    let server = try ServerSession(maxConcurrentStreams: nil)
    let error = #expect(throws: SessionError.self) {
      try Array("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n".utf8).withUnsafeBytes {
        try server.receive($0)
      }
    }
    #expect(error?.isBadGreeting == true)
  }
}
