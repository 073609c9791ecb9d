import HTTP2
import Synchronization
import Testing

@testable import Delivery

@Suite("Retry-After")
struct RetryAfterTests {
  private static let now: Int64 = 1_700_000_000

  @Test(
    "is seconds or a date, and an hour at most",
    arguments: [
      ("1", 1), ("120", 120), ("3600", 3600), ("3601", 3600), ("99999999999999999999999", 3600),
      (HTTPDate.text(seconds: now + 90), 90), (HTTPDate.text(seconds: now + 86_400), 3600),
    ])
  func wait(_ text: String, _ seconds: Int) {
    #expect(RetryAfter(text, now: Self.now)?.nanoseconds == UInt64(seconds) * 1_000_000_000)
  }

  @Test(
    "that is nonsense, nothing or past asks for nothing",
    arguments: ["", "0", "-5", "+5", "1.5", "soon", " ", HTTPDate.text(seconds: now)])
  func nothing(_ text: String) {
    #expect(RetryAfter(text, now: Self.now) == nil)
  }

  @Test("holds a run until the latest time that was asked for")
  func hold() {
    let control = RunControl()
    #expect(control.heldUntil(now: 0) == nil)
    control.hold(until: 100, now: 0)
    control.hold(until: 50, now: 10)
    #expect(control.heldUntil(now: 99) == 100)
    #expect(control.heldUntil(now: 100) == nil)
  }

  @Test("counts the time that a run lost to it once, and tells of each that makes it longer")
  func lostTime() {
    let control = RunControl()
    let news = Atomic(0)
    control.whenHeld { news.add(1, ordering: .relaxed) }
    #expect(control.heldTime(now: 5) == 0)
    for (end, now) in [(100, 0), (50, 10), (150, 40), (300, 200)] as [(UInt64, UInt64)] {
      control.hold(until: end, now: now)
    }
    #expect(control.heldTime(now: 400) == 250 && control.heldTime(now: 210) == 160)
    #expect(news.load(ordering: .relaxed) == 3)
  }
}
