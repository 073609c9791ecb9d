import APNS
import PushEmulator
import SendingSupport
import Synchronization

/// Device tokens for which APNs has no time at first, and some of devices without the app.
final class BusyDevices: Sendable {
  /// The numbers of both.
  static let numbers = 0x5030..<0x5050
  /// The numbers of those without the app.
  static let dead = 0x5040..<0x5050

  private let asked = Mutex<Set<Int>>([])

  /// Defers a push to a busy one once.
  func answer(_ push: IncomingPush) -> EmulatorAnswer? {
    let number = push.token.number
    if Self.dead.contains(number) {
      return .reject(.unregistered, timestamp: 1_700_000_000_000)
    }
    guard Self.numbers.contains(number) else { return nil }
    return asked.withLock { $0.insert(number).inserted } ? .reject(.serviceUnavailable) : nil
  }
}
