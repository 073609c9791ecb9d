import HTTP2
import TestSupport
import Testing

@Suite("A client session whose server breaks HTTP/2", .timeLimit(.minutes(15)))
struct HostileServerTests {
  @Test(
    "bears broken frames, and its push ends in one of three ways", arguments: HostileCase.broken)
  func broken(_ attack: HostileCase) throws { try check(attack) }

  @Test("bears floods, and its push ends in one of three ways", arguments: HostileCase.floods)
  func floods(_ attack: HostileCase) throws { try check(attack) }

  @Test("keeps little for a server that reads nothing", arguments: [RawFrame.ping(), .settings()])
  func unread(_ frame: RawFrame) throws {
    let peer = try ScriptedPeer()
    peer.channel.room = 0
    let error = #expect(throws: SessionError.self) {
      for _ in 0..<100_000 { try peer.say(frame) }
    }
    #expect(error?.code == -904)
    peer.channel.room = .max
    let fault = #expect(throws: SessionError.self) { try peer.listen() }
    #expect(fault?.code == Int32(ErrorCode.enhanceYourCalm))
    #expect(peer.seen.count < 10_100)
    #expect(peer.seen.last?.errorCode == ErrorCode.enhanceYourCalm)
  }

  private func check(_ attack: HostileCase) throws {
    let peer = try ScriptedPeer(acknowledges: attack.acknowledges)
    let push = try peer.request("aa")[0]
    do {
      try attack.bytes.withUnsafeBytes { try peer.client.receive($0) }
    } catch is SessionError {}
    if let code = attack.goodbye {
      let error = #expect(throws: SessionError.self) { try peer.listen() }
      #expect(error?.code == Int32(code), "what was wrong comes to light")
    } else {
      try peer.listen()
    }
    #expect(peer.seen.first { $0.kind == .goAway }?.errorCode == attack.goodbye)
    peer.client.abandon()
    #expect(push.end == attack.end)
    #expect(peer.takeEnded().map(ObjectIdentifier.init) == [ObjectIdentifier(push)])
    #expect(push.body.count <= Exchange.bodyLimit)
  }
}
