internal import HTTP2
internal import History
internal import Projects
internal import PushModel
internal import SQLHistory

// The run that is resumed: the one that is named, else the newest with something left that no other
// run got accepted since.
extension Resume {
  /// Takes the run, and with it what other runs did with what is left of it.
  ///
  /// - Returns: nil when nothing is left to do, which is said.
  func find(in path: String) throws(Failure) -> (ledger: RunLedger, again: SentSince?)? {
    var passed: Set<RunNumber> = []
    while true {
      let taken = Result { () throws(HistoryError) in
        try SQLLedger.resume(
          number, at: path, now: context.clock.epochMilliseconds(), sendsEarly: sendsEarly,
          passingOver: passed)
      }
      let since = try taken.run.map { (run) throws(Failure) in try sentSince(run, in: path) }
      guard let since, !since.isEmpty, !force else {
        return try ledger(taken).map { (RunLedger($0), since) }
      }
      guard number == nil, since.isAll else { throw .sentSince(since) }
      passed.insert(since.run)
      tell("Run \(since.run) is passed over: of what is left, \(since.counts).")
    }
  }

  private func sentSince(_ run: RunNumber, in path: String) throws(Failure) -> SentSince {
    let (history, stored) = try storedRun(run, in: path)
    return try SentSince(
      of: stored.entry, in: history, now: context.clock.epochMilliseconds())
  }

  /// A run as the history has it, before another pass of it begins.
  func storedRun(
    _ run: RunNumber, in path: String
  ) throws(Failure) -> (history: HistoryReader, run: StoredRun) {
    let history: HistoryReader
    do throws(HistoryError) { history = try HistoryReader(path) } catch { throw .history(error) }
    return (history, try history.storedRun(run))
  }

  /// - Returns: nil when there is nothing to do, which is said.
  private func ledger(
    _ taken: Result<SQLLedger, HistoryError>
  ) throws(Failure) -> SQLLedger? {
    do throws(HistoryError) {
      return try taken.get()
    } catch {
      guard isNothingToDo(error) else { throw .history(error) }
      tell(error.sentence)
      return nil
    }
  }

  private func isNothingToDo(_ error: HistoryError) -> Bool {
    switch error {
    case .nothingUnfinished, .nothingToResume: true
    // Nothing was ever sent, unless the options name a run or history.
    case .missing, .empty: number == nil && options.history == nil
    default: false
    }
  }

  private func tell(_ sentence: String) {
    if !options.quiet.isOn { context.say(sentence) }
  }
}

extension Result<SQLLedger, HistoryError> {
  /// The run that it is about; nil when none has anything left.
  fileprivate var run: RunNumber? {
    switch self {
    case .success(let ledger): ledger.run
    case .failure(.notDue(let run, _)): run
    case .failure: nil
    }
  }
}

extension EarlierPasses {
  /// What the history says of a run that is about to be resumed.
  init(_ stored: StoredRun) {
    self.init(count: stored.entry.resumptions + 1, unread: stored.entry.unread)
  }
}
