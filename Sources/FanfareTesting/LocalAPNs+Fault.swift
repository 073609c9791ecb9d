public import APNS
internal import Fanfare
internal import PushEmulator

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LocalAPNs {
  /// An answer on purpose, to a push that breaks no rule. A value: each method returns another one,
  /// and nothing happens until ``LocalAPNs/play(_:)``.
  ///
  ///     apns.play(.refuse(.tooManyRequests).times(2), .delay(.seconds(1)))
  public struct Fault: Sendable, Hashable {
    fileprivate var rule: FaultRule

    private init(_ answer: EmulatorAnswer) { rule = FaultRule(PushCondition(), answer) }
  }

  /// Plays faults from now on. They take the place of earlier ones, counts included: several faults
  /// that are to hold at once go into one call. The first that fits a push decides; others are
  /// accepted. Without any, all are.
  public func play(_ faults: Fault...) {
    var script = FaultScript()
    script.rules = faults.map(\.rule)
    emulator.play(script)
  }

  /// Plays a script of the emulator from now on. It takes the place of earlier faults.
  ///
  /// - Parameter script: JSON5; docs/emulator.md has the grammar.
  /// - Throws: `BrokenRules`: each problem with its line.
  public func play(script: String) throws(BrokenRules) {
    emulator.play(try FaultScript(Array(script.utf8), file: "the script"))
  }

  /// Sends GOAWAY on all connections, and closes each when its pushes are answered.
  public func sendGoAway() { emulator.sendGoAway() }

  /// Closes all connections, as a server that is gone.
  public func closeConnections() { emulator.closeConnections(.rst) }

  /// The number of open connections.
  public var openConnections: Int { emulator.openConnectionCount }
}

// Answers.
extension LocalAPNs.Fault {
  /// Refuses with a reason and its status.
  ///
  /// - Parameters:
  ///   - reason: the reason.
  ///   - since: the time in a 410; nil for none.
  public static func refuse(_ reason: Reason, since: Date? = nil) -> Self {
    Self(.reject(reason, timestamp: since?.milliseconds))
  }

  /// Answers with any status and body, as a proxy on the way might.
  public static func answer(_ status: Status, body: String = "") -> Self {
    let bytes = Array(body.utf8)
    return Self(.custom(CustomAnswer(status: status, body: bytes.isEmpty ? .none : .bytes(bytes))))
  }

  /// Accepts after a while.
  public static func delay(_ duration: Duration) -> Self { Self(.accept).after(duration) }

  /// Never answers; the stream stays open.
  public static let silence = Self(.swallow)

  /// Refuses the stream (`REFUSED_STREAM`): the push was certainly not processed.
  public static let refusedStream = Self(.reset(code: 7))

  /// Resets the stream (`INTERNAL_ERROR`), which leaves the push in doubt.
  public static let reset = Self(.reset(code: 2))

  /// Answers, and ends the connection with GOAWAY.
  ///
  /// - Parameter reason: the reason in the frame; nil for none.
  public static func goAway(_ reason: Reason? = nil) -> Self {
    Self(.goAway(ConnectionEnd(reason: reason), then: .accept))
  }

  /// Closes the connection without an answer.
  public static let close = Self(.drop(.closeNotify))
}

// Terms.
extension LocalAPNs.Fault {
  /// Fits this many pushes, then no more.
  public func times(_ count: Int) -> Self { changed { $0.times = max(1, count) } }

  /// Fits pushes to this device only.
  public func to(_ token: DeviceToken) -> Self { changed { $0.condition.token = token.hex } }

  /// Fits only the push with this number to its device or channel, from 1.
  public func attempt(_ number: Int) -> Self { changed { $0.condition.attempt = number } }

  /// Fits every push of this number: 3 for every third, by arrival.
  public func every(_ number: Int) -> Self { changed { $0.condition.every = max(1, number) } }

  /// Does it after a while, a day at most.
  public func after(_ duration: Duration) -> Self {
    changed { $0.answer = .delay(milliseconds: duration.milliseconds, then: $0.answer) }
  }

  /// Delivers the push all the same, whatever its sender is told.
  public func delivering() -> Self { changed { $0.answer = .processed(then: $0.answer) } }

  private func changed(_ change: (inout FaultRule) -> Void) -> Self {
    var fault = self
    change(&fault.rule)
    return fault
  }
}
