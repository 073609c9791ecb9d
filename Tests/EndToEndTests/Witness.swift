import APNS
import PushEmulator
import Synchronization

/// What an emulator saw and did, by device token: the other side of the books.
final class Witness: Sendable {
  struct Sight: Sendable {
    /// The apns-ids under which the push arrived, in order.
    var ids: [String] = []
    /// How often it was answered with 200.
    var processed = 0
    /// The payload that came last.
    var body: [UInt8] = []
  }

  private let state = Mutex<[String: Sight]>([:])

  /// All there is.
  var sights: [String: Sight] { state.withLock { $0 } }

  /// The device tokens that were answered with 200.
  var processed: Set<String> { Set(sights.filter { $1.processed > 0 }.keys) }

  /// A configuration of an emulator that is watched.
  ///
  /// - Parameter answer: decides on each push, after it was noted.
  func configuration(
    answer: @escaping @Sendable (IncomingPush) -> EmulatorAnswer? = { _ in nil }
  ) -> EmulatorConfiguration {
    var configuration = EmulatorConfiguration()
    configuration.journal = .entries { [self] entry in
      guard entry.processed, let token = entry.token else { return }
      state.withLock { $0[token, default: Sight()].processed += 1 }
    }
    configuration.answer = { [self] push in
      note(push)
      return answer(push)
    }
    return configuration
  }

  private func note(_ push: IncomingPush) {
    state.withLock { sights in
      sights[push.token.hex, default: Sight()].ids.append(push.apnsID)
      sights[push.token.hex, default: Sight()].body = push.body
    }
  }
}
