import Testing

@testable import Delivery

@Suite("A connection without answers")
struct SilenceTests {
  private static let second: UInt64 = 1_000_000_000

  private func silence(timeout seconds: UInt64 = 30, sent count: Int = 1) -> Silence {
    var silence = Silence(timeout: seconds * Self.second)
    for _ in 0..<count { silence.sent(wasSilent: false, now: 0) }
    _ = silence.judge(isShut: false, now: 0)
    return silence
  }

  private func verdicts(_ silence: inout Silence, at seconds: [UInt64]) -> [Silence.Verdict] {
    seconds.map { silence.judge(isShut: false, now: $0 * Self.second) }
  }

  @Test("is asked once with a PING at half of the time-out, and given up after all of it")
  func givenUp() {
    var silence = silence()
    #expect(verdicts(&silence, at: [15, 16, 20, 30]) == [.wait, .ask, .wait, .wait])
    #expect(!silence.isGivenUp)
    #expect(verdicts(&silence, at: [31]) == [.giveUp] && silence.isGivenUp)
  }

  @Test("is waited for anew after each answer, to whatever push")
  func answered() {
    var silence = silence(sent: 2)
    #expect(verdicts(&silence, at: [29]) == [.ask])
    silence.ended(wasSilent: false, isAnswered: true)
    #expect(verdicts(&silence, at: [29, 59, 60]) == [.wait, .ask, .giveUp])
  }

  @Test(
    "is not blamed for a push that was silent elsewhere, nor for the end of one without an answer")
  func silentBefore() {
    var silence = Silence(timeout: 30 * Self.second)
    silence.sent(wasSilent: true, now: 0)
    #expect(verdicts(&silence, at: [0, 31, 90]) == [.wait, .wait, .wait])
    silence.sent(wasSilent: false, now: 90 * Self.second)
    #expect(verdicts(&silence, at: [90, 119]) == [.wait, .ask])
    silence.ended(wasSilent: false, isAnswered: false)
    #expect(verdicts(&silence, at: [121, 200]) == [.wait, .wait] && !silence.isGivenUp)
  }

  @Test("is given up where the server allows no push, too")
  func shut() {
    var silence = Silence(timeout: 2 * Self.second)
    let times: [UInt64] = [0, 1, 2, 3]
    let verdicts = times.map { silence.judge(isShut: true, now: $0 * Self.second) }
    #expect(verdicts == [.wait, .wait, .ask, .giveUp])
  }

  @Test(
    "has another push tried after a quarter of the time-out, at most two seconds, and then again",
    arguments: [(30, 2000), (2, 500)] as [(UInt64, UInt64)])
  func probes(timeout: UInt64, share: UInt64) {
    var silence = silence(timeout: timeout)
    let share = share * 1_000_000
    let times = [share - 1, share, 2 * share - 1, 2 * share]
    let areDue = times.map { silence.isProbeDue(now: $0) }
    #expect(areDue == [false, true, false, true])
    silence.ended(wasSilent: false, isAnswered: true)
    let isDue = silence.isProbeDue(now: 9 * share)
    #expect(!isDue)
  }
}
