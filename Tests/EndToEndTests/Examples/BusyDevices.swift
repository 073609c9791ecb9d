import APNS
import PushEmulator
import SendingSupport
import Synchronization

/// Device tokens for which APNs has no time at first.
final class BusyDevices: Sendable {
  /// Their numbers.
  static let numbers = 0x5030..<0x5040

  private let asked = Mutex<Set<Int>>([])

  /// Defers a push to one of them once.
  func answer(_ push: IncomingPush) -> EmulatorAnswer? {
    let number = push.token.number
    guard Self.numbers.contains(number) else { return nil }
    return asked.withLock { $0.insert(number).inserted } ? .reject(.serviceUnavailable) : nil
  }
}
