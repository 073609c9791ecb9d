import HTTP2
import PushModel
import SendingSupport
import Testing

@testable import Delivery

@Suite("A rate that workers share")
struct SlotPacingTests {
  private static let millisecond: UInt64 = 1_000_000

  private func pacing(_ perSecond: Int) throws -> SlotPacing {
    SlotPacing(try #require(PushRate(perSecond, perMilliseconds: 1000)))
  }

  @Test("Without a slot nothing goes; it is asked again in a tenth of a second")
  func none() throws {
    var pacing = try pacing(1000)
    #expect(pacing.take(now: 7) == 100_000_007)
    pacing.add(start: 50_000_000, length: 10_000_000)
    #expect(pacing.take(now: 7) == 50_000_000 && pacing.ahead(now: 7) == 1)
    #expect(pacing.take(now: 50_000_000) == nil)
    #expect(pacing.ahead(now: 60_000_000) == 0)
    #expect(pacing.take(now: 60_000_000) == 160_000_000)
  }

  @Test("Within a slot attempts come evenly, at the full rate")
  func within() throws {
    var pacing = try pacing(100)
    let start = 5000 * Self.millisecond
    pacing.add(start: start, length: 250 * Self.millisecond)
    var leaves: [UInt64] = []
    let end = start + 300 * Self.millisecond
    for now in stride(from: start - 20 * Self.millisecond, to: end, by: 1_000_000) {
      while pacing.take(now: now) == nil { leaves.append((now - start) / Self.millisecond) }
    }
    #expect(leaves == Array(stride(from: 0, to: 250, by: 10)))
  }

  @Test("Who comes late catches up a little; the rest of the time is lost")
  func late() throws {
    var pacing = try pacing(1000)
    pacing.add(start: 1000 * Self.millisecond, length: 250 * Self.millisecond)
    var leaves = 0
    while pacing.take(now: 1200 * Self.millisecond) == nil { leaves += 1 }
    #expect(10...11 ~= leaves)
  }

  @Test(
    "Workers together keep to the rate, with slots shorter or longer than the time of an attempt",
    arguments: [1, 3, 7, 1000, 20_000], [1, 5])
  func total(_ perSecond: Int, _ workers: Int) throws {
    var all = try (0..<workers).map { _ in try pacing(perSecond) }
    var (paid, leaves) = (UInt64(0), 0)
    let slot = 250 * Self.millisecond
    for now in stride(from: 0, to: 20_000 * Self.millisecond, by: 1_000_000) {
      for index in all.indices {
        while all[index].ahead(now: now) < 2, paid < now + 1000 * Self.millisecond {
          all[index].add(start: paid, length: slot)
          paid += slot
        }
        while all[index].take(now: now) == nil { leaves += 1 }
      }
    }
    let expected = perSecond * 20
    // No more than what the slots pay for, and no less but for what each worker has not used up.
    #expect(leaves <= expected + 2)
    #expect(leaves >= expected - expected / 100 - 2 * workers)
  }

  @Test("A slot that would overlap the last one is moved behind it")
  func overlap() throws {
    var pacing = try pacing(1)
    pacing.add(start: 1000, length: 2_000_000_000)
    pacing.add(start: 500, length: 1_000_000_000)
    #expect(pacing.ahead(now: 2_000_000_999) == 2)
    #expect(pacing.ahead(now: 2_000_001_000) == 1)
    #expect(pacing.ahead(now: 3_000_001_000) == 0)
  }

  @Test("Slots are wanted while pushes ask for them, and a second longer")
  func wanted() throws {
    let slots = RateSlots(try #require(PushRate("10")))
    #expect(slots.wanted(now: 5, workers: 1) == nil)
    #expect(slots.take(now: 5) == 100_000_005)
    #expect(slots.wanted(now: 1_000_000_004, workers: 1) == 250)
    #expect(slots.wanted(now: 1_000_000_005, workers: 1) == nil)
  }

  @Test(
    "Workers share a rate from the first second, also with one that comes later",
    arguments: [2, 3, 5, 16])
  func shares(workers: Int) throws {
    let all = try (0..<workers).map { _ in RateSlots(try #require(PushRate("2000"))) }
    var (paid, sent) = (UInt64(0), [Int](repeating: 0, count: workers))
    for now in stride(from: 0, to: 3000 * Self.millisecond, by: 1_000_000) {
      // The last one comes after half a second, and the others then learn of it.
      let isLate = now < 500 * Self.millisecond
      for index in all.indices.dropLast(isLate ? 1 : 0) {
        while all[index].take(now: now) == nil { sent[index] += 1 }
        // Each asks 40 times a second, at moments of its own.
        let isAsking = (now / Self.millisecond + UInt64(7 * index)) % 25 == 0
        guard isAsking, paid < now + 1000 * Self.millisecond,
          let length = all[index].wanted(now: now, workers: isLate ? workers - 1 : workers)
        else { continue }
        let start = max(paid, now)
        paid = start + UInt64(length) * Self.millisecond
        all[index].add(start: start, length: UInt64(length) * Self.millisecond)
      }
      if now == 1500 * Self.millisecond { #expect(sent.allSatisfy { $0 > 1000 / workers / 3 }) }
    }
    let fair = 6000 / workers
    #expect(sent.dropLast().allSatisfy { fair / 2...2 * fair ~= $0 }, "\(sent)")
    #expect(sent[workers - 1] > fair / 3, "\(sent)")
    #expect(5000...6100 ~= sent.reduce(0, +), "\(sent)")
  }

  @Test("A run sends in its slots alone")
  func run() throws {
    let rate = try #require(PushRate(1, perMilliseconds: 3_600_000))
    let slots = RateSlots(rate)
    // Room for one attempt.
    slots.add(start: RunClock.system.monotonic(), length: rate.interval)
    let control = RunControl()
    let server = try TestServer { _ in
      control.stop(.interrupted)
      return nil
    }
    var run = TestRun(control: control, clock: .system, rate: rate)
    run.adapt = { $0.rateSlots = slots }
    let delivery = try run.send(10, to: server)
    #expect(delivery[.accepted] == 1 && delivery[.notAttempted] == 9)
  }
}
