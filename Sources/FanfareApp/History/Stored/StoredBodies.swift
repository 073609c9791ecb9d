internal import History
internal import PushModel

/// The bodies of pushes that come run by run, each run's in the order of their numbers.
struct StoredBodies {
  private let history: any HistoryStore
  private var run: RunNumber?
  private var payloads: Result<RowPayloads, Failure>?

  init(in history: any HistoryStore) { self.history = history }

  /// The request of a push.
  mutating func request(of push: PushEntry, in stored: StoredRun) -> StoredRequest {
    if run != push.run {
      run = push.run
      payloads = Result { [history] () throws(Failure) in
        try RowPayloads(of: stored, in: history)
      }
    }
    return StoredRequest(of: push, in: stored, body: body(of: push, in: stored))
  }

  private mutating func body(of push: PushEntry, in stored: StoredRun) -> StoredRequest.Body {
    do throws(Failure) {
      guard var rows = try payloads?.get() else { throw .damagedRun }
      defer { payloads = .success(rows) }
      return rows.body(of: push, in: stored)
    } catch {
      return .lost(error, template: stored.payload)
    }
  }
}
