internal import HTTP2
internal import History
internal import PlainText
internal import PushModel
internal import Reporting
internal import Runs
internal import SQLHistory
internal import Settings

// The run to resume: the named one, or else the newest with pushes left that no other run has since
// got accepted.
extension Resume {
  /// Takes the run over, and looks for its remaining pushes in other runs.
  ///
  /// - Returns: nil when nothing is left to do, after a message.
  func find(in path: String) throws(Failure) -> (ledger: RunLedger, again: SentElsewhere?)? {
    var passed: Set<RunNumber> = []
    while true {
      let taken = Result { () throws(HistoryError) in
        try SQLLedger.resume(
          number, at: path, now: context.clock.epochMilliseconds(), sendsEarly: sendsEarly,
          passingOver: passed, taking: SavedRunResults(history: path, context: context))
      }
      let since = try taken.run.map { (run) throws(Failure) in try sentSince(run, in: path) }
      guard let since, !since.isEmpty, !force else {
        return try ledger(taken).map { (RunLedger($0), since) }
      }
      guard number == nil, since.isAll else { throw .sentSince(since) }
      passed.insert(since.run)
      context.teller.note("Run \(since.run) is passed over: of what is left, \(since.counts).")
    }
  }

  private func sentSince(_ run: RunNumber, in path: String) throws(Failure) -> SentElsewhere {
    let (history, stored) = try storedRun(run, in: path)
    return try SentElsewhere(
      of: stored.entry, in: history, now: context.clock.epochMilliseconds())
  }

  /// The run in the history, before another pass begins.
  func storedRun(
    _ run: RunNumber, in path: String
  ) throws(Failure) -> (history: HistoryReader, run: StoredRun) {
    let history: HistoryReader
    do throws(HistoryError) { history = try HistoryReader(path) } catch { throw .history(error) }
    return (history, try history.storedRun(run))
  }

  /// - Returns: nil when there is nothing to do, after a message.
  private func ledger(
    _ taken: Result<SQLLedger, HistoryError>
  ) throws(Failure) -> SQLLedger? {
    do throws(HistoryError) {
      return try taken.get()
    } catch {
      guard isNothingToDo(error) else { throw .history(error) }
      context.teller.note(error.sentence)
      return nil
    }
  }

  private func isNothingToDo(_ error: HistoryError) -> Bool {
    switch error {
    case .nothingUnfinished, .nothingToResume: true
    // Nothing was ever sent, which is only an error if the options name a run or history.
    case .missing, .empty: number == nil && options.history == nil
    default: false
    }
  }
}

extension Result<SQLLedger, HistoryError> {
  /// The run in question; nil when none has anything left.
  fileprivate var run: RunNumber? {
    switch self {
    case .success(let ledger): ledger.run
    case .failure(.notDue(let run, _)): run
    case .failure: nil
    }
  }
}

extension EarlierPasses {
  /// The earlier passes of a run about to be resumed, according to the history.
  init(_ stored: StoredRun) {
    self.init(count: stored.entry.resumptions + 1, unread: stored.entry.unread)
  }
}

/// Hands the results that a run could not write to its history to the next pass.
private struct SavedRunResults: RescuedResults {
  let history: String
  let context: Context

  func results(of run: RunNumber, _ record: RunRecord) -> [PushResult] {
    SavedResults(of: run, record, in: history, context).results(of: record)
  }

  func areTaken(_ count: Int, of run: RunNumber, _ record: RunRecord) {
    let path = SavedResults(of: run, record, in: history, context).path
    removeFile(path)
    context.teller.note(
      "\(counted(count, "result")) of run \(run), saved in \(path.printable), "
        + "\(count == 1 ? "is" : "are") in the history now.")
  }
}
