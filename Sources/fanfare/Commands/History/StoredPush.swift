internal import APNS
internal import PushCore

extension HistoryReader {
  /// A push by its id, in the newest run that has it.
  ///
  /// - Throws: `Failure.noSuchPush`, or `pushWithoutResult` when only its run is known.
  func storedPush(_ id: APNSID) throws(Failure) -> PushEntry {
    let push = try asking { (history) throws(HistoryError) in try history.push(id) }
    guard let push else { throw try unanswered(id) }
    return push
  }

  /// Why there is nothing to tell of an id.
  private func unanswered(_ id: APNSID) throws(Failure) -> Failure {
    let places = try asking { (history) throws(HistoryError) in try history.places(of: id) }
    guard let place = places.last else { return .noSuchPush(id) }
    let run = try storedRun(place.run)
    return .pushWithoutResult(
      id, run: place.run, isClaimed: place.sequence <= UInt64(run.entry.claimed))
  }
}
