import HTTP2
import TestSupport
import Testing

@Suite("A push without an answer", .timeLimit(.minutes(15)))
struct UnansweredTests {
  @Test(
    "ends by the code of the reset",
    arguments: [
      (ErrorCode.refusedStream, Exchange.End.refused),
      (ErrorCode.internalError, .inDoubt(errorCode: ErrorCode.internalError)),
      (ErrorCode.cancel, .inDoubt(errorCode: ErrorCode.cancel)),
      (ErrorCode.noError, .inDoubt(errorCode: ErrorCode.noError)),
    ])
  func reset(code: UInt32, end: Exchange.End) throws {
    let peer = try ScriptedPeer()
    let pushes = try peer.request("aa", "bb")
    try peer.say(.reset(1, code))
    #expect(pushes.map(\.end) == [end, nil])
    #expect(peer.client.openCount == 1)
    #expect(peer.client.acceptsRequests)
  }

  @Test("was not processed when the link was lost before it was sent")
  func lostBeforeSending() throws {
    let client = try ClientSession()
    let push = prepared("aa")
    try client.submit(push)
    client.abandon()
    #expect(push.end == .notProcessed)
    #expect(client.isFinished)
  }

  @Test("is in doubt when the link was lost after it was sent")
  func lostAfterSending() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    peer.client.abandon()
    #expect(push.end == .inDoubt(errorCode: nil))
    #expect(peer.takeEnded().count == 1)
  }

  @Test("is in doubt as soon as a byte of it may have left")
  func lostWhileSending() throws {
    let peer = try ScriptedPeer()
    let token = String(repeating: "a", count: 500)
    let pushes = (0..<200).map { _ in prepared(token, body: "") }
    for push in pushes { try peer.client.submit(push) }
    peer.channel.room = 32_767
    try peer.listen()
    peer.client.abandon()
    let begun = peer.seen.count { $0.kind == .headers }
    #expect(0 < begun && begun < pushes.count)
    #expect(pushes.prefix(begun).allSatisfy { $0.end == .inDoubt(errorCode: nil) })
    #expect(pushes.last?.end == .notProcessed)
  }

  @Test("was not processed while it waits for the peer's limit on streams")
  func lostWhileWaiting() throws {
    let peer = try ScriptedPeer()
    try peer.say(.settings((Setting.maxConcurrentStreams, 1)))
    let pushes = try peer.request("aa", "bb")
    peer.client.abandon()
    #expect(pushes.map(\.end) == [.inDoubt(errorCode: nil), .notProcessed])
  }

  @Test("is in doubt after cancelling, and the server is told")
  func cancelled() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    peer.client.cancel(push)
    try peer.listen()
    #expect(push.end == .inDoubt(errorCode: ErrorCode.cancel))
    #expect(peer.seen.contains(.reset(1, ErrorCode.cancel)))
    #expect(peer.takeEnded().count == 1)
  }

  @Test("is answered after cancelling when the status was there")
  func cancelledLate() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    try peer.say(.headers(1, [":status": "500"]))
    peer.client.cancel(push)
    try peer.listen()
    #expect(push.end == .answered)
  }

  @Test("ends once, at once and not processed when it is cancelled while it waits")
  func cancelledWhileWaiting() throws {
    let peer = try ScriptedPeer()
    try peer.say(.settings((Setting.maxConcurrentStreams, 1)))
    let pushes = try peer.request("aa", "bb", "cc")
    peer.client.cancel(pushes[1])
    peer.client.cancel(pushes[1])
    #expect(pushes.map(\.end) == [nil, .notProcessed, nil])
    #expect(prepare(pushes[1], "dd", body: "another"))
    try peer.client.submit(pushes[1])
    try peer.say(.answer(1, status: 200))
    try peer.say(.answer(5, status: 200))
    try peer.say(.answer(7, status: 200))
    #expect(pushes.map(\.end) == [.answered, .answered, .answered])
    #expect(peer.seen.filter { $0.kind == .headers }.map(\.stream) == [1, 5, 7])
    #expect(peer.takeEnded().count == 4)
  }

  @Test("that was never submitted is left alone by cancel and refused by submit")
  func neverPrepared() throws {
    let client = try ClientSession()
    let blank = Exchange()
    client.cancel(blank)
    expectRefusal { try client.submit(blank) }
    #expect(client.openCount == 0)
    let push = prepared("aa")
    try client.submit(push)
    expectRefusal { try client.submit(push) }
    #expect(client.openCount == 1)
  }

  @Test("is not ready when its path or varying value does not fit, or while it is open")
  func notReady() throws {
    let client = try ClientSession()
    let push = prepared("aa")
    #expect(!prepare(push, String(repeating: "a", count: 600)))
    expectRefusal { try client.submit(push) }
    let tooLong = [UInt8](repeating: 0x61, count: 2).withUnsafeBufferPointer {
      push.prepare(pushHead, pathEnd: $0, body: []) { $0.count + 1 }
    }
    #expect(!tooLong)
    expectRefusal { try client.submit(push) }
    #expect(prepare(push, "aa"))
    try client.submit(push)
    #expect(!prepare(push, "bb"))
  }

  @Test("ends in doubt when the peer breaks the protocol")
  func protocolBroken() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    let fault = #expect(throws: SessionError.self) {
      try peer.say(RawFrame(.data, stream: 0, payload: [1]))
    }
    #expect(fault?.name == "DATA: stream_id == 0 (PROTOCOL_ERROR)")
    #expect(peer.client.isFinished)
    #expect(peer.seen.last?.kind == .goAway)
    peer.client.abandon()
    #expect(push.end == .inDoubt(errorCode: nil))
  }

  private func expectRefusal(
    at place: SourceLocation = #_sourceLocation, _ submit: () throws -> Void
  ) {
    let error = #expect(throws: SessionError.self, sourceLocation: place) { try submit() }
    #expect(error?.code == -501, sourceLocation: place)
  }
}
