import Testing

@testable import Delivery

@Suite("Liveness")
struct LivenessTests {
  private static let second: UInt64 = 1_000_000_000

  @Test("A connection that was heard of lately is used as it is")
  func fresh() {
    var liveness = Liveness(now: 0)
    #expect(liveness.judge(answeredPings: 0, now: 60 * Self.second) == .alive)
    liveness.heard(now: 60 * Self.second)
    #expect(liveness.judge(answeredPings: 0, now: 119 * Self.second) == .alive)
    #expect(!liveness.isAsking)
  }

  @Test("After a long silence it is asked once, and used when it answers")
  func asked() {
    var liveness = Liveness(now: 0)
    #expect(liveness.judge(answeredPings: 3, now: 61 * Self.second) == .ask)
    #expect(liveness.judge(answeredPings: 3, now: 62 * Self.second) == .wait)
    #expect(liveness.isAsking)
    liveness.heard(now: 63 * Self.second)
    #expect(liveness.judge(answeredPings: 4, now: 63 * Self.second) == .alive)
    #expect(!liveness.isAsking)
  }

  @Test("Who does not answer in time is dead")
  func dead() {
    var liveness = Liveness(now: 0)
    #expect(liveness.judge(answeredPings: 0, now: 100 * Self.second) == .ask)
    #expect(liveness.judge(answeredPings: 0, now: 105 * Self.second) == .wait)
    #expect(liveness.judge(answeredPings: 0, now: 106 * Self.second) == .dead)
  }
}
