import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import SQLQueue

@Suite("The rate of all workers", .needsPostgreSQL)
struct RateSlotsTests {
  @Test("slots follow one another, and no more than a second of them is leased")
  func ahead() throws {
    let trial = try QueueTrial([1])
    let (first, second) = (try trial.begin(), try trial.begin("two"))
    let now = trial.clock.now
    let slot = try #require(try first.leaseSlot(milliseconds: 50_000))
    #expect(slot == RateSlot(start: now, length: 50_000_000_000))
    #expect(try second.leaseSlot(milliseconds: 250) == nil)
    try trial.database.execute(
      "UPDATE fanfare.queued_runs SET paid_until = fanfare.server_time() + 900")
    let next = try #require(try second.leaseSlot(milliseconds: 50_000))
    #expect(next.start <= now + 900_000_000)
    #expect(try first.leaseSlot(milliseconds: 250) == nil)
  }

  @Test("slots do not wait for a time that the server's clock was set back from")
  func clockSetBack() throws {
    let trial = try QueueTrial([1])
    let worker = try trial.begin()
    try trial.database.execute("UPDATE fanfare.queued_runs SET paid_until = 9000000000000000000")
    let slot = try #require(try worker.leaseSlot(milliseconds: 50_000))
    #expect(slot.start == trial.clock.now)
    #expect(try worker.leaseSlot(milliseconds: 50_000) == nil)
  }

  @Test("slots of three workers do not overlap")
  func crowd() throws {
    let trial = try QueueTrial([1])
    let sessions = try ["one", "two", "three"].map { try trial.begin($0) }
    let slots = Mutex<[RateSlot]>([])
    let failures = Atomic(0)
    try trial.database.execute("UPDATE fanfare.queued_runs SET paid_until = fanfare.server_time()")
    let paid = "SELECT paid_until FROM queued_runs"
    let before = try #require(Int(rows(paid, in: trial.path)[0]))
    try within {
      onThreads(3) { number in
        do {
          for _ in 0..<20 {
            guard let slot = try sessions[number].leaseSlot(milliseconds: 50) else { continue }
            slots.withLock { $0.append(slot) }
          }
        } catch {
          failures.add(1, ordering: .relaxed)
        }
      }
    }
    let after = try #require(Int(rows(paid, in: trial.path)[0]))
    let leased = slots.withLock { $0 }
    // Each slot moved the end of what is leased by its own length at least.
    #expect(leased.count >= 20 && after - before >= 50 * leased.count)
    #expect(leased.allSatisfy { $0.start <= trial.clock.now + 1_000_000_000 })
    #expect(failures.load(ordering: .relaxed) == 0)
  }
}
