internal import APNS
internal import HTTP2
internal import History
internal import PushModel
internal import Reporting
internal import SQLHistory
internal import Settings

// The run to resume: the named one, or else the newest of this project with pushes left that no
// other run has since got accepted, and with a server that can be reached.
extension Resume {
  /// The result of taking a run over.
  enum Taken {
    case run(RunLedger, SentElsewhere)
    /// Other runs got accepted what was left of it.
    case passedOver
    /// What is left of it is not due yet.
    case waiting(Failure)
    /// Nothing is left to send.
    case over(Report)
  }

  /// Resumes the newest run of this project that can be resumed.
  func resumeNewest(in path: String, _ telling: Settings) throws(Failure) -> Report {
    let runs = try RunsToResume(in: path, named: HistoryChoice(telling)?.name, context)
    if let line = try runs.others() { context.teller.note(line) }
    var (code, waiting) = (ExitCode.success, [Failure]())
    for stored in runs.here {
      let run = stored.entry.run
      if let absence = try absence(of: stored) {
        context.teller.note("Run \(run) is passed over: \(absence.sentence) \(absence.fix)")
        code = absence.exitCode
        continue
      }
      switch try take(run, in: path) {
      case .run(let ledger, let elsewhere):
        for failure in waiting { context.teller.note(failure.sentence) }
        return try resume(ledger, elsewhere, in: path)
      case .over(let report): return report
      case .waiting(let failure): waiting.append(failure)
      case .passedOver: break
      }
    }
    if let newest = waiting.first { throw newest }
    if code == .success { context.teller.note(runs.nothing) }
    return Report(code).asJSON(options.json?.value)
  }

  /// The reason that the server of a run cannot be reached, if it is one of the user's own, such as
  /// an emulator that was stopped; nil for Apple's.
  private func absence(of run: StoredRun) throws(Failure) -> Failure? {
    guard !options.sendNothing, let inputs = run.settings else { return nil }
    var local: ServerAddress?
    do throws(Failure) {
      let settings = try options.merged(over: inputs.settings.below(options), context)
      if case .named(.server(let address)) = settings.environment?.value, address.isLoopback {
        local = address
      }
      let server = try ServerChoice(settings, context)
      switch server.named {
      case .production, .sandbox, .emulator: return nil
      case .server, .inbox: break
      }
      guard let refusal = refusal(at: server) else { return nil }
      throw refusal
    } catch {
      if error.cause(ProfileError.self) != nil { return error }
      if error.exitCode != .connection { return nil }
      return local.map { .ended($0, run.entry.run) } ?? error
    }
  }

  /// The reason that no connection can be opened; nil if one can.
  private func refusal(at server: ServerChoice) -> Failure? {
    let endpoint: Endpoint
    do throws(Failure) { endpoint = try Endpoint(server, context) } catch {
      return Failure(error.sentence, fix: error.fix, .connection)
    }
    do throws(DialError) {
      _ = try Dialer.dial(endpoint.target)
      return nil
    } catch {
      // The run itself presents its client certificate.
      if case .identity = error.layer { return nil }
      return Failure(error.sentence, fix: error.fix, .connection)
    }
  }

  /// Takes a run over, and looks for its remaining pushes in other runs.
  func take(_ run: RunNumber, in path: String) throws(Failure) -> Taken {
    let missing = MissingResults(of: run, in: path, options, context)
    let taken = Result { () throws(HistoryError) in
      try SQLLedger.resume(
        run, at: path, now: context.clock.epochMilliseconds(), sendsEarly: sendsEarly,
        taking: options.sendNothing ? nil : missing.rescued)
    }
    switch taken {
    case .success, .failure(.notDue):
      let since = try sentSince(run, in: path)
      let isSentSince = !since.isEmpty && !force
      if isSentSince, number == nil, since.isAll {
        context.teller.note("Run \(run) is passed over: of what is left, \(since.counts).")
        return .passedOver
      }
      if !isSentSince, case .success(let ledger) = taken { return .run(RunLedger(ledger), since) }
      // Files can be completed although nothing can be sent.
      let (history, stored) = try storedRun(run, in: path)
      try completeFiles(of: stored, in: history)
      if isSentSince { throw .sentSince(since) }
      do throws(HistoryError) {
        return .run(RunLedger(try taken.get()), since)
      } catch {
        return .waiting(.history(error))
      }
    case .failure(.nothingToResume): return .over(try over(run, in: path))
    case .failure(let error): throw .history(error)
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
    let history = try answered(HistoryReader(path))
    return (history, try history.storedRun(run))
  }
}

// A run with nothing left to send.
extension Resume {
  /// Completes the files of results, and tells of recipients that were never read.
  private func over(_ run: RunNumber, in path: String) throws(Failure) -> Report {
    let (history, stored) = try storedRun(run, in: path)
    try completeFiles(of: stored, in: history)
    context.teller.note(HistoryError.nothingToResume(run).sentence)
    let report = try figures(of: stored.entry, in: history)
    guard let unread = stored.entry.unread else { return report }
    context.teller.warn(
      "It never read \(unread.words). Send to those recipients with 'fanfare send'.")
    return report.merging(.unfinished)
  }

  /// The figures of a run that is over, for programs.
  private func figures(of entry: RunEntry, in history: HistoryReader) throws(Failure) -> Report {
    guard let fields = options.json?.value else { return Report() }
    let reasons = try answered(history.reasons(of: entry.run))
    let figures = entry.figures.map { ToldFigures($0, of: entry.run.rawValue, reasons) }
    return Report(parts: figures?.parts ?? []).asJSON(fields)
  }

  /// Adds the results that the given files lack.
  private func completeFiles(
    of stored: StoredRun, in history: HistoryReader
  ) throws(Failure) {
    let record = stored.entry.record
    guard !options.sendNothing, options.results != nil || options.deadTokens != nil,
      let inputs = RunInputs(
        json: record.settings, from: .run(stored.entry.run, in: history.path))
    else { return }
    let settings = try options.merged(over: inputs.settings.below(options), context)
    var opened = settings
    try? opened.findCredentials(context)
    let lists = stored.listFiles(in: history, context)
    _ = try settings.claimResults(
      beside: settings.filesRead(context) + opened.filesRead(context) + lists
        + context.configuration.allPaths)
    let step = record.resultStep
    let outputs = try RunOutputs(
      OutputChoices(settings, isOfStep: step != nil, context), of: step, showsProgress: false,
      context)
    var run = CommittedRun(readingRowsOf: stored.entry, in: history, context)
    run.isOver = true
    try outputs.begin(continuing: run, appending: true)
    let losses = outputs.failures.map { Failure.lostOutput($0, after: .success) }
    if !losses.isEmpty { throw losses.count > 1 ? .several(losses) : losses[0] }
  }
}

extension Failure {
  /// The emulator that a run was sent to is gone.
  fileprivate static func ended(_ address: ServerAddress, _ run: RunNumber) -> Failure {
    Failure(
      "Its emulator at \(address) has ended.",
      fix: "'fanfare emulator --port \(address.port)' starts another, to which "
        + "'fanfare resume \(run) --ca FILE' sends the rest.", .connection)
  }
}
