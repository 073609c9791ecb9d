package import APNS
import HTTP2
package import PushEmulator
import Synchronization

/// What emulators saw and did, by device token, or by channel: the other side of the books.
package final class Witness: Sendable {
  package struct Sight: Sendable {
    /// The apns-ids under which the push arrived, in order.
    package var ids: [String] = []
    /// How often it was processed.
    package var processed = 0
    /// The answers that were not 200, in order.
    package var refusals: [Refusal] = []
    /// Every apns-id in the journal's lines.
    package var journalled: Set<String> = []
    /// The payload that came last.
    package var body: [UInt8] = []

    package init() {}
  }

  package struct Refusal: Sendable, Hashable {
    package var status: Int
    package var reason: Reason?
  }

  private struct State {
    var sights: [String: Sight] = [:]
    var authorizations: Set<String> = []
    var requests = 0

    mutating func note(_ push: IncomingPush) -> Int {
      if let text = push.headers["authorization"] { authorizations.insert(text) }
      guard let recipient = push.token?.hex ?? push.channel else { return 0 }
      var sight = sights.removeValue(forKey: recipient) ?? Sight()
      defer { sights[recipient] = sight }
      sight.ids.append(push.apnsID)
      sight.body = push.body
      return sight.ids.count
    }

    mutating func note(_ entry: ReceivedPush) {
      requests += 1
      guard let recipient = entry.token ?? entry.channel else { return }
      var sight = sights.removeValue(forKey: recipient) ?? Sight()
      defer { sights[recipient] = sight }
      if entry.processed { sight.processed += 1 }
      if let id = entry.apnsID ?? entry.requestID { sight.journalled.insert(id) }
      if let status = entry.status, status != 200 {
        sight.refusals.append(Refusal(status: status, reason: entry.reason))
      }
    }
  }

  private let state = Mutex(State())

  package init() {}

  /// All there is.
  package var sights: [String: Sight] { state.withLock { $0.sights } }

  /// How many lines the journals have.
  package var requests: Int { state.withLock { $0.requests } }

  /// The device tokens whose push was processed.
  package var processed: Set<String> { Set(sights.filter { $1.processed > 0 }.keys) }

  /// How many different provider tokens came with pushes that passed the checks.
  package var providerTokens: Int { state.withLock { $0.authorizations.count } }

  /// A configuration of an emulator that is watched.
  ///
  /// - Parameter answer: decides on each push, after it was noted.
  package func configuration(
    answer: @escaping @Sendable (IncomingPush) -> EmulatorAnswer? = { _ in nil }
  ) -> EmulatorConfiguration {
    configuration(attempts: { answer($0.push) })
  }

  /// The same, where the answer depends on which attempt it is.
  package func configuration(
    attempts answer: @escaping @Sendable (Attempt) -> EmulatorAnswer?
  ) -> EmulatorConfiguration {
    var configuration = EmulatorConfiguration()
    configuration.journal = .entries { [self] entry in state.withLock { $0.note(entry) } }
    configuration.answer = { [self] push in
      let attempt = state.withLock { $0.note(push) }
      return answer(Attempt(push: push, attempt: attempt))
    }
    return configuration
  }
}

extension [String: Witness.Sight] {
  /// How many pushes were processed again.
  package var processedAgain: Int { values.reduce(0) { $0 + Swift.max(0, $1.processed - 1) } }
}
