import PushModel
import Testing

@testable import Delivery

@Suite("Pacing")
struct PacingTests {
  private static let millisecond: UInt64 = 1_000_000

  @Test("Attempts come evenly: the next may go when its time has come, not before")
  func even() throws {
    var pacing = Pacing(try #require(PushRate(10, perMilliseconds: 1000)))
    var now: UInt64 = 5_000 * Self.millisecond
    #expect(pacing.take(now: now) == nil)
    let later = pacing.take(now: now)
    let due = try #require(later)
    #expect(due > now + 85 * Self.millisecond && due <= now + 100 * Self.millisecond)
    now = due
    #expect(pacing.take(now: now) == nil)
    #expect(pacing.take(now: now) != nil)
  }

  @Test("After a long pause nothing was saved up")
  func noBurst() throws {
    var pacing = Pacing(try #require(PushRate(100, perMilliseconds: 1000)))
    _ = pacing.take(now: 0)
    let leaves = (0..<1000).count { _ in pacing.take(now: 60_000 * Self.millisecond) == nil }
    #expect(leaves <= 2)
  }

  @Test("In a minute as many go as the rate says", arguments: [1, 7, 50, 1000, 20_000])
  func total(_ perSecond: Int) throws {
    var pacing = Pacing(try #require(PushRate(perSecond, perMilliseconds: 1000)))
    var leaves = 0
    for tick in 0..<60_000 {
      while pacing.take(now: (100 + UInt64(tick)) * Self.millisecond) == nil { leaves += 1 }
    }
    let expected = perSecond * 60
    #expect(abs(leaves - expected) <= expected / 1000 + perSecond / 50 + 1)
  }

  @Test("A rate of nothing is none", arguments: [(0, 1000), (-1, 1000), (1, 0), (1, -1)])
  func nonsense(_ count: Int, _ milliseconds: Int) {
    #expect(PushRate(count, perMilliseconds: milliseconds) == nil)
  }
}
