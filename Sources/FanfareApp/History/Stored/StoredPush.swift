internal import APNS
internal import History
internal import PushModel

extension HistoryStore {
  /// The push with an `apns-id`, of the newest run that has it.
  ///
  /// - Throws: `Failure.noSuchPush`, or `pushWithoutResult` when its run is known.
  func storedPush(_ id: APNSID) throws(Failure) -> PushEntry {
    let push = try asking { (history) throws(HistoryError) in try history.push(id) }
    if let push { return push }
    let places = try asking { (history) throws(HistoryError) in try history.places(of: id) }
    guard let place = places.last else { throw .noSuchPush(id) }
    let entry = try storedRun(place.run).entry
    // Each push of a run that has ended as it should has a result.
    if entry.state == .finished { throw .noSuchPush(id) }
    throw .pushWithoutResult(
      id, run: place.run, isClaimed: place.sequence <= UInt64(entry.claimed))
  }

  /// Hands out pushes, until `body` returns false, to what fails in this program's own way.
  func forEachStoredPush(
    _ filter: HistoryFilter, newestFirst: Bool, _ body: (PushEntry) throws(Failure) -> Bool
  ) throws(Failure) {
    var failure: Failure?
    try asking { (history) throws(HistoryError) in
      try history.forEachPush(filter, newestFirst: newestFirst) { push in
        do throws(Failure) {
          return try body(push)
        } catch {
          failure = error
          return false
        }
      }
    }
    if let failure { throw failure }
  }
}
