import HTTP2
import TestSupport
import Testing

@Suite("An answer", .timeLimit(.minutes(15)))
struct AnswerTests {
  @Test("without a body ends the exchange as answered")
  func accepted() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    #expect(push.end == nil)
    let answer: KeyValuePairs = [":status": "200", "apns-id": "ID"]
    try peer.say(.headers(1, answer, flags: RawFrame.endHeaders | RawFrame.endStream))
    #expect(peer.takeEnded().first === push)
    #expect(push.end == .answered)
    #expect(push.status == 200)
    #expect(push.headers["apns-id"] == "ID")
    #expect(push.body.isEmpty)
    #expect(peer.client.openCount == 0)
  }

  @Test("keeps a body that comes byte by byte whole")
  func splitBody() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    let reason = #"{"reason":"BadDeviceToken"}"#
    try peer.say(.headers(1, [":status": "400"]))
    for character in reason { try peer.say(.data(1, String(character))) }
    #expect(push.end == nil)
    try peer.say(.data(1, "", flags: RawFrame.endStream))
    #expect(push.end == .answered)
    #expect(push.bodyText == reason)
  }

  @Test("is not the interim one before it")
  func interim() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    try peer.say(
      .headers(1, [":status": "100", "early": "1"]), .headers(1, [":status": "103", "link": "2"]))
    #expect(push.end == nil)
    try peer.say(.answer(1, status: 410))
    #expect(push.end == .answered)
    #expect(push.status == 410)
    #expect(push.headers.fields.map(\.name) == [":status"])
  }

  @Test("of interim headers alone leaves the push in doubt")
  func interimOnly() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    try peer.say(.headers(1, [":status": "103"]))
    peer.client.abandon()
    #expect(push.end == .inDoubt(errorCode: nil))
  }

  @Test("keeps its headers when trailers follow the body")
  func trailers() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    let last = RawFrame.endHeaders | RawFrame.endStream
    try peer.say(
      .headers(1, [":status": "400", "apns-id": "ID"]), .data(1, "{}"),
      .headers(1, ["apns-id": "other", "checksum": "1"], flags: last))
    #expect(push.end == .answered)
    #expect(push.headers.fields.map(\.value) == ["400", "ID"])
    #expect(push.bodyText == "{}")
  }

  @Test("that is complete survives a reset", arguments: [ErrorCode.noError, ErrorCode.cancel])
  func resetAfterAnswer(code: UInt32) throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    try peer.say(.answer(1, status: 200), .reset(1, code))
    #expect(push.end == .answered)
    #expect(peer.takeEnded().count == 1)
  }

  @Test("counts as soon as its status is there, whatever happens to its body")
  func cutOffBody() throws {
    let peer = try ScriptedPeer()
    let pushes = try peer.request("aa", "bb")
    try peer.say(.headers(1, [":status": "400"]), .data(1, "{\"rea"), .reset(1, 2))
    try peer.say(.headers(3, [":status": "200"]))
    peer.client.abandon()
    #expect(pushes.map(\.end) == [.answered, .answered])
    #expect(pushes.map(\.bodyText) == ["{\"rea", ""])
  }

  @Test("that breaks HTTP leaves the push in doubt and the connection usable")
  func malformed() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    try peer.say(.headers(1, ["no-status": "1"], flags: RawFrame.endHeaders | RawFrame.endStream))
    #expect(push.end == .inDoubt(errorCode: ErrorCode.protocolError))
    #expect(peer.client.acceptsRequests)
  }

  @Test("keeps 4,096 bytes of a body and lets the rest go by")
  func bodyLimit() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    let part = String(repeating: "x", count: 1000)
    try peer.say(.headers(1, [":status": "500"]))
    for _ in 0..<100 { try peer.say(.data(1, part)) }
    try peer.say(.data(1, "", flags: RawFrame.endStream))
    #expect(push.end == .answered)
    #expect(push.body.count == Exchange.bodyLimit)
  }

  @Test("keeps 16,384 bytes of headers and says that there were more")
  func headerLimit() throws {
    let pair = try SessionPair()
    let push = try pair.request("aa")[0]
    let row = Field("x", String(repeating: "v", count: 4000))
    let request = try #require(pair.takeRequests().first)
    try pair.server.respond(to: request, status: 200, fields: Array(repeating: row, count: 10))
    try pair.talk()
    #expect(push.end == .answered)
    #expect(push.status == 200)
    #expect(push.headers.overflowed)
    #expect(push.headers.count == 5)
  }

  @Test("leaves nothing behind when its exchange is used again")
  func usedAgain() throws {
    let peer = try ScriptedPeer()
    let push = try peer.request("aa")[0]
    try peer.say(
      .headers(1, [":status": "400", "old": "1"]), .data(1, "old", flags: RawFrame.endStream))
    #expect(peer.takeEnded().count == 1)
    #expect(prepare(push, "bb"))
    #expect(push.end == nil)
    #expect(push.status == 0)
    #expect(push.headers.isEmpty)
    #expect(push.body.isEmpty)
    try peer.client.submit(push)
    try peer.say(.answer(3, status: 200))
    #expect(push.end == .answered)
    #expect(push.headers.fields.map(\.name) == [":status"])
  }

  @Test("lets the next request be submitted from within takeEnded")
  func submitAgainAtOnce() throws {
    let peer = try ScriptedPeer()
    _ = try peer.request("aa")
    try peer.say(.answer(1, status: 200))
    var failure: (any Error)?
    peer.client.takeEnded { push in
      do {
        #expect(prepare(push, "bb"))
        try peer.client.submit(push)
      } catch { failure = error }
    }
    #expect(failure == nil)
    try peer.say(.answer(3, status: 200))
    #expect(peer.takeEnded().map(\.status) == [200])
  }
}
