internal import HTTP2
internal import History
internal import Projects
internal import PushModel
internal import SQLiteHistory

/// Finds the run that is resumed: the one that is named, else the newest with something left that
/// no other run got accepted since.
struct UnfinishedRun {
  let command: Resume
  /// The history's file.
  let path: String
  let context: Context
  private var passed: Set<RunNumber> = []

  init(_ command: Resume, in path: String, _ context: Context) {
    self.command = command
    self.path = path
    self.context = context
  }

  /// Takes the run, and with it what is sent once more because `--force` says so.
  ///
  /// - Returns: nil when nothing is left to do, which is said.
  mutating func find() throws(Failure) -> (ledger: any RunLedger, again: SentSince?)? {
    while true {
      let taken = take()
      guard let run = taken.run else {
        try refuse(taken)
        return nil
      }
      let since = try sentSince(run)
      if isPassedOver(since) {
        passOver(run, since)
        continue
      }
      if !since.isEmpty, !command.force { throw .sentSince(since) }
      guard let ledger = try refuse(taken) else { return nil }
      return (ledger, since.isEmpty ? nil : since)
    }
  }

  private func take() -> Result<SQLiteLedger, HistoryError> {
    Result { () throws(HistoryError) in
      try SQLiteLedger.resume(
        command.number, at: path, now: context.clock.epochMilliseconds(),
        sendsEarly: command.sendsEarly, passingOver: passed)
    }
  }

  private func sentSince(_ run: RunNumber) throws(Failure) -> SentSince {
    let history: any HistoryStore
    do throws(HistoryError) {
      history = try HistoryReader(path)
    } catch {
      throw .history(error)
    }
    return try SentSince(
      of: try history.storedRun(run).entry, in: history, now: context.clock.epochMilliseconds())
  }

  private func isPassedOver(_ since: SentSince) -> Bool {
    command.number == nil && !command.force && since.isAll && !since.isEmpty
  }

  private mutating func passOver(_ run: RunNumber, _ since: SentSince) {
    passed.insert(run)
    if !command.options.quiet.isOn {
      context.errors.write("Run \(run) is passed over: of what is left, \(since.counts).\n")
    }
  }

  /// - Returns: the run that was taken; nil when there is nothing to do, which is said.
  @discardableResult
  private func refuse(_ taken: Result<SQLiteLedger, HistoryError>) throws(Failure) -> SQLiteLedger?
  {
    do throws(HistoryError) {
      return try taken.get()
    } catch {
      guard error.isNothingToDo || isNothingWrittenDown(error) else { throw .history(error) }
      if !command.options.quiet.isOn { context.errors.write(error.sentence + "\n") }
      return nil
    }
  }

  /// Whether nothing was ever sent from here: then nothing is left, unless somebody names it.
  private func isNothingWrittenDown(_ error: HistoryError) -> Bool {
    guard command.number == nil, command.options.history == nil else { return false }
    switch error {
    case .missing, .empty: return true
    default: return false
    }
  }
}

extension Result<SQLiteLedger, HistoryError> {
  /// The run that it is about; nil when there is none with something left.
  fileprivate var run: RunNumber? {
    switch self {
    case .success(let ledger): ledger.run
    case .failure(.notDue(let run, _)): run
    case .failure: nil
    }
  }
}

extension HistoryError {
  /// Whether all that was asked for is done already.
  fileprivate var isNothingToDo: Bool {
    switch self {
    case .nothingUnfinished, .nothingToResume: true
    default: false
    }
  }
}
