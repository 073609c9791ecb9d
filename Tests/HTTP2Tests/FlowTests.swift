import HTTP2
import TestSupport
import Testing

@Suite("A client session", .timeLimit(.minutes(15)))
struct FlowTests {
  @Test("knows the peer's limit on streams once it was said, and follows it up and down")
  func concurrency() throws {
    let client = try ClientSession()
    #expect(client.peerConcurrency == nil)
    for limit in [1, 1000, 1] {
      let frame = RawFrame.settings((Setting.maxConcurrentStreams, UInt32(limit)))
      try frame.bytes.withUnsafeBytes { try client.receive($0) }
      #expect(client.peerConcurrency == limit)
    }
  }

  @Test("sends no more streams than the peer allows, and the next when one ends")
  func limit() throws {
    let peer = try ScriptedPeer()
    try peer.say(.settings((Setting.maxConcurrentStreams, 1)))
    _ = try peer.request("aa", "bb")
    #expect(peer.seen.filter { $0.kind == .headers }.map(\.stream) == [1])
    #expect(peer.client.openCount == 2)
    try peer.say(.answer(1, status: 200))
    #expect(peer.seen.filter { $0.kind == .headers }.map(\.stream) == [1, 3])
  }

  @Test("sends copies of bodies that are only lent, one after the other and between those of heads")
  func lentBodies() throws {
    let pair = try SessionPair()
    let push = Exchange()
    let bodies = [
      "a long body of the first push", "{}", "", "head's", "the last but one", "head's",
    ]
    for body in bodies {
      #expect(body == "head's" ? prepareHead(push, body) : prepareLent(push, body))
      try pair.client.submit(push)
      try pair.talk()
      let request = try #require(pair.takeRequests().first)
      #expect(String(decoding: request.body, as: UTF8.self) == body)
      try pair.server.respond(to: request, status: 200, fields: [])
      try pair.talk()
      pair.client.takeEnded { _ in }
    }
  }

  /// Prepares an exchange with a head that nobody else holds.
  private func prepareHead(_ exchange: Exchange, _ body: String) -> Bool {
    let head = RequestHead(
      authority: "api.example.com", pathPrefix: "/3/device/", fields: [], varying: "apns-id",
      body: Array(body.utf8))
    return Array("aa".utf8).withUnsafeBufferPointer { path in
      exchange.prepare(head, pathEnd: path) { _ in 0 }
    }
  }

  private func prepareLent(_ exchange: Exchange, _ body: String) -> Bool {
    Array("aa".utf8).withUnsafeBufferPointer { path in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { room in
        let count = room.update(fromContentsOf: Array(body.utf8))
        // What was lent is overwritten as soon as it was copied.
        defer { room.update(repeating: 0) }
        return exchange.prepare(
          pushHead, pathEnd: path, copyingBody: UnsafeBufferPointer(rebasing: room[..<count])
        ) { _ in 0 }
      }
    }
  }

  @Test("sends a body as the window lets it, whole and in order")
  func window() throws {
    let peer = try ScriptedPeer()
    try peer.say(.settings((Setting.initialWindowSize, 10)))
    let body = "0123456789abcdefghijKLMNO"
    let push = try peer.request("aa", body: body)[0]
    #expect(peer.bodySent == "0123456789")
    let more = RawFrame.windowUpdate(1, 7)
    try peer.say(more)
    #expect(peer.bodySent == "0123456789abcdefg")
    try peer.say(more, more)
    #expect(peer.bodySent == body)
    #expect(peer.seen.last?.flags == RawFrame.endStream)
    try peer.say(.answer(1, status: 200))
    #expect(push.end == .answered)
  }

  @Test("carries a body larger than every window to a server session")
  func largeBody() throws {
    let pair = try SessionPair()
    let body = String(repeating: "0123456789", count: 20_000)
    _ = try pair.request("aa", body: body)
    let request = try #require(pair.takeRequests().first)
    #expect(request.bodyCount == 200_000)
    #expect(request.body == Array(body.utf8.prefix(ServerRequest.bodyLimit)))
  }

  @Test("hands a full channel the rest when it has room again", arguments: [1, 9, 100])
  func fullChannel(room: Int) throws {
    let client = try ClientSession()
    let channel = MemoryChannel()
    channel.room = 0
    try client.submit(prepared("aa", body: "hello"))
    var bytes: [UInt8] = []
    while try !client.send(over: channel) {
      bytes += channel.takeAll()
      channel.room = room
    }
    bytes += channel.takeAll()
    let frames = RawFrame.frames(in: bytes)
    #expect(frames.map(\.kind) == [.settings, .headers, .data])
    #expect(frames.last?.payload == Array("hello".utf8))
  }

  @Test("counts the PINGs that were answered")
  func ping() throws {
    let pair = try SessionPair()
    pair.client.ping()
    #expect(pair.client.pingsAcknowledged == 0)
    try pair.talk()
    #expect(pair.client.pingsAcknowledged == 1)
    pair.client.ping()
    pair.client.ping()
    try pair.talk()
    #expect(pair.client.pingsAcknowledged == 3)
  }

  @Test("does not count the peer's own PINGs")
  func peersPing() throws {
    let peer = try ScriptedPeer()
    try peer.say(RawFrame(.ping, payload: Array(1...8)))
    #expect(peer.client.pingsAcknowledged == 0)
    #expect(peer.seen.last?.flags == RawFrame.acknowledgement)
  }

  @Test("ends when the peer promises a push, and takes no header from the promise")
  func pushPromise() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    let promise = UInt32(2).bigEndianBytes + RawFrame.headers(1, [":status": "200"]).payload
    let error = #expect(throws: SessionError.self) {
      try peer.say(
        RawFrame(.pushPromise, flags: RawFrame.endHeaders, stream: 1, payload: promise))
    }
    #expect(error?.code == 1)
    #expect(peer.client.isFinished)
    #expect(push.status == 0)
  }
}

extension ScriptedPeer {
  fileprivate var bodySent: String {
    String(decoding: seen.filter { $0.kind == .data }.flatMap(\.payload), as: UTF8.self)
  }
}
