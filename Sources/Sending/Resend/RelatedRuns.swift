internal import APNS
internal import History
internal import PushModel
internal import Reporting
internal import Runs

/// The family of a run: runs that resend its pushes, and those whose pushes it resends itself, with
/// their results since it began.
struct RelatedRuns {
  /// The other runs that may have results newer than the run, oldest first.
  let members: [RunEntry]

  private let run: RunEntry
  private let history: any HistoryStore
  /// The runs whose results count, by number, including the run itself.
  private let counted: [RunNumber: RunEntry]

  /// - Throws: `Failure.beingResent` while a process sends one of them.
  init(of run: RunEntry, in history: any HistoryStore) throws(Failure) {
    self.run = run
    self.history = history
    let others = try answered(history.family(of: run.run)).filter { $0.run != run.run }
    for other in others where other.reachesDevices(besides: run) {
      try history.refuseWhileSent(other.run, of: run.run)
    }
    members = others.filter { $0.run > run.run || $0.ended ?? .max >= run.record.started }
    let counting = [run] + members.filter { $0.reachesDevices(besides: run) }
    counted = Dictionary(uniqueKeysWithValues: counting.map { ($0.run, $0) })
  }

  /// The runs that resend the run, directly or through another resend.
  var resends: [RunEntry] {
    var found: Set<RunNumber> = [run.run]
    return members.filter { member in
      guard let resent = member.record.resends, found.contains(resent) else { return false }
      found.insert(member.run)
      return true
    }
  }

  /// The results of a push in the other runs, oldest run first, and its own if a killed pass may
  /// have sent it.
  func results(of sequence: UInt64) throws(HistoryError) -> [RelatedResult] {
    if counted.count == 1, run.ended != nil { return [] }
    return try history.relatedResults(of: run.run, sequence: sequence).filter { result in
      counted[result.run] != nil && (result.run > run.run || result.at >= run.record.started)
    }
  }

  /// The reason a push with these results need not be sent again, and the run that sent it; nil
  /// when it may be sent.
  ///
  /// - Parameter isAtMostOnce: whether a push that may have arrived must not be sent again, even if
  ///   the run that sent it allowed that.
  func reason(
    toLeaveOut results: [RelatedResult], isAtMostOnce: Bool = false
  ) -> (reason: ResendChoice.LeftOut, by: RunNumber)? {
    if let other = results.first(where: { $0.outcome == .accepted }) {
      return (.accepted, other.run)
    }
    let other = results.first {
      $0.outcome == .unknown && (isAtMostOnce || counted[$0.run]?.record.atMostOnce == true)
    }
    return other.map { (.inDoubt, $0.run) }
  }
}

extension RunEntry {
  /// True unless the run went to an emulator, which reaches no device.
  fileprivate func reachesDevices(besides run: RunEntry) -> Bool {
    let emulators = [PushEnvironment.emulator.name, PushEnvironment.inboxName]
    return !emulators.contains(record.environment) || emulators.contains(run.record.environment)
  }
}

extension HistoryStore {
  /// - Throws: `Failure.beingResent` while a process sends the other run.
  fileprivate func refuseWhileSent(
    _ other: RunNumber, of run: RunNumber
  ) throws(Failure) {
    guard isBeingSent(other) else { return }
    do throws(HistoryError) {
      _ = try hold(other)
    } catch .owned(_, let pid, _) {
      throw .beingResent(run, by: other, pid: pid)
    } catch .inQueue {
      throw .beingResent(run, by: other, pid: nil)
    } catch {
      throw .history(error)
    }
  }
}
