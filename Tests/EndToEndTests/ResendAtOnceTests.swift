import APNS
import Foundation
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("While a run is sent or resent", .timeLimit(.minutes(15)))
struct ResendAtOnceTests {
  @Test("A second resend of it is refused, and sends nothing")
  func twoAtOnce() throws {
    try withFanfare { fanfare in
      let hold = FirstPushHold()
      let run = try badRun(of: 2, in: fanfare, hold)
      let first = try fanfare.start(["history", "resend", "1"])
      let second = try hold.whileHeld {
        try fanfare.run(["history", "resend", "1", "--only", "deferred"])
      }
      #expect(second.exitCode == 2 && second.errors.contains("by run 2, process \(first.id)"))
      #expect(second.errors.contains("'fanfare history tail 2'"))
      #expect(!second.errors.contains("of run 1 are sent again"))
      #expect(try fanfare.run(["history", "show", "3"]).exitCode == 2)
      #expect(try first.finish().exitCode == 0)
      run.expectNobodyLost()
      #expect(run.witness.sights.values.allSatisfy { $0.ids.count == 2 })
    }
  }

  @Test("A resend is refused that one of its resends' resends may overtake")
  func resendOfResend() throws {
    try withFanfare { fanfare in
      let hold = FirstPushHold()
      let run = try badRun(of: 1, in: fanfare, hold, resends: 1)
      let first = try fanfare.start(["history", "resend", "2"])
      let second = try hold.whileHeld { try fanfare.run(["history", "resend", "1"]) }
      #expect(second.exitCode == 2 && second.errors.contains("by run 3, process \(first.id)"))
      #expect(try first.finish().exitCode == 0)
      run.expectNobodyLost()
    }
  }

  @Test("It is not resumed while pushes of it are sent again, not even by force")
  func resume() throws {
    try withFanfare { fanfare in
      let hold = FirstPushHold()
      let run = try badRun(of: 2, in: fanfare, hold)
      let first = try fanfare.start(["history", "resend", "1"])
      let second = try hold.whileHeld { try fanfare.run(["resume", "1", "--now", "--force"]) }
      #expect(second.exitCode == 2 && second.errors.contains("by run 2, process \(first.id)"))
      #expect(try first.finish().exitCode == 0)
      run.expectNobodyLost()
    }
  }

  @Test("It is not resent while it is being sent itself")
  func beingSent() throws {
    try withFanfare { fanfare in
      let hold = FirstPushHold()
      hold.endBadDay()
      let run = try ResumableRun(of: 1, in: fanfare) { _ in hold.answer() }
      let first = try fanfare.start(run.words)
      let second = try hold.whileHeld { try fanfare.run(["history", "resend", "1"]) }
      #expect(second.exitCode == 2)
      #expect(second.errors.contains("Run 1 is being sent by process \(first.id)"))
      #expect(try first.finish().exitCode == 0)
    }
  }

  /// A run on a bad day, and resends of it on the same day.
  private func badRun(
    of count: Int, in fanfare: Fanfare, _ hold: FirstPushHold, resends: Int = 0
  ) throws -> ResumableRun {
    let run = try ResumableRun(of: count, in: fanfare) { _ in hold.answer() }
    #expect(try run.send().exitCode == 4)
    for number in 0..<resends {
      #expect(try fanfare.run(["history", "resend", "\(number + 1)"]).exitCode == 4)
    }
    hold.endBadDay()
    return run
  }
}

/// What a server does that refuses everything on a bad day, and afterwards keeps the first push waiting.
private final class FirstPushHold: Sendable {
  private let isBad = Atomic(true)
  private let isFirst = Atomic(true)
  private let arrived = DispatchSemaphore(value: 0)
  private let goOn = DispatchSemaphore(value: 0)

  func endBadDay() { isBad.store(false, ordering: .relaxed) }

  func answer() -> EmulatorAnswer? {
    if isBad.load(ordering: .relaxed) { return .reject(.serviceUnavailable) }
    if isFirst.exchange(false, ordering: .relaxed) {
      arrived.signal()
      goOn.wait()
    }
    return nil
  }

  /// Does something as soon as the first push waits; then that goes on.
  func whileHeld<Result>(_ body: () throws -> Result) rethrows -> Result {
    arrived.wait()
    defer { goOn.signal() }
    return try body()
  }
}
