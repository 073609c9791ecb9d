import HTTP2
import TestSupport
import Testing

@Suite("GOAWAY", .timeLimit(.minutes(15)))
struct GoAwayTests {
  @Test("ends the streams above its last one and leaves the others to be answered")
  func half() throws {
    let peer = try ScriptedPeer()
    let pushes = try peer.request("aa", "bb", "cc", "dd")
    try peer.say(.goAway(lastStream: 3))
    #expect(pushes.map(\.end) == [nil, nil, .notProcessed, .notProcessed])
    #expect(!peer.client.acceptsRequests)
    #expect(!peer.client.isFinished)
    try peer.say(.answer(3, status: 200), .answer(1, status: 410))
    #expect(pushes.map(\.end) == [.answered, .answered, .notProcessed, .notProcessed])
    #expect(peer.takeEnded().count == 4)
    #expect(peer.client.isFinished)
  }

  @Test("ends what waits inside the session at once")
  func waiting() throws {
    let peer = try ScriptedPeer()
    try peer.say(.settings((Setting.maxConcurrentStreams, 1)))
    let pushes = try peer.request("aa", "bb", "cc")
    try peer.say(.goAway(lastStream: 1))
    #expect(pushes.map(\.end) == [nil, .notProcessed, .notProcessed])
    try peer.say(.answer(1, status: 200))
    #expect(pushes[0].end == .answered)
    #expect(peer.takeEnded().count == 3)
    #expect(peer.seen.filter { $0.kind == .headers }.map(\.stream) == [1])
  }

  @Test("keeps the reason that APNs writes into it")
  func reason() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    let reason = #"{"reason":"BadCertificate"}"#
    try peer.say(.goAway(lastStream: 0, code: ErrorCode.enhanceYourCalm, debug: reason))
    #expect(push.end == .notProcessed)
    #expect(
      peer.client.goAway
        == GoAway(
          lastStream: 0, errorCode: ErrorCode.enhanceYourCalm, debugData: Array(reason.utf8)))
  }

  @Test("keeps 4,096 bytes of debug data")
  func longDebugData() throws {
    let peer = try ScriptedPeer()
    try peer.say(.goAway(lastStream: 0, debug: String(repeating: "x", count: 5000)))
    #expect(peer.client.goAway?.debugData.count == 4096)
  }

  @Test("said twice counts with the lower last stream and keeps the reason")
  func twice() throws {
    let peer = try ScriptedPeer()
    let pushes = try peer.request("aa", "bb", "cc")
    try peer.say(.goAway(lastStream: .max, debug: "first"))
    #expect(pushes.map(\.end) == [nil, nil, nil])
    try peer.say(.goAway(lastStream: 1, code: 2))
    #expect(pushes.map(\.end) == [nil, .notProcessed, .notProcessed])
    #expect(
      peer.client.goAway
        == GoAway(lastStream: 1, errorCode: 2, debugData: Array("first".utf8)))
    try peer.say(.answer(1, status: 200))
    #expect(pushes[0].end == .answered)
  }

  @Test("makes submit throw and leaves the exchange ready for another session")
  func submitAfterwards() throws {
    let peer = try ScriptedPeer()
    try peer.say(.goAway(lastStream: 0))
    let push = prepared("aa")
    let error = #expect(throws: SessionError.self) { try peer.client.submit(push) }
    #expect(error?.code == -516)
    #expect(peer.client.openCount == 0)
    let other = try ScriptedPeer()
    try other.client.submit(push)
    try other.say(.answer(1, status: 200))
    #expect(push.end == .answered)
  }

  @Test("from this side lets what is open end, and then finishes the session")
  func goodbye() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    peer.client.close()
    try peer.listen()
    #expect(peer.seen.last?.kind == .goAway)
    #expect(!peer.client.acceptsRequests)
    let error = #expect(throws: SessionError.self) { try peer.client.submit(prepared("bb")) }
    #expect(error?.code == -516)
    #expect(!peer.client.isFinished)
    try peer.say(.answer(1, status: 200))
    #expect(push.end == .answered)
    #expect(peer.client.isFinished)
  }
}
