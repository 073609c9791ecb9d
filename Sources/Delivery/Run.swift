public import APNS
public import Credentials
public import HTTP2
internal import POSIX
public import PushModel

/// Sends a notification to its recipients with a reader thread, a thread for each connection, and
/// the caller's thread, which records.
public struct Run: ~Copyable {
  /// The result of a run.
  public struct Report: Sendable {
    /// The figures.
    public var summary: RunSummary
    /// The reason the run ended early; nil when it did not.
    public var stopCause: StopCause?
    /// The result of the only push; nil when there were several or none.
    public var onlyResult: PushResult?
    /// The source of this run's apns-ids.
    public var identity: RunIdentity
    /// The counts of the lines read now: in a resumed run, by this pass alone.
    public var read: RecipientCounts
    /// All lists were read to their end.
    public var hasReadAll: Bool
    /// The recipients that no pass has read; nil when one reached the end of the lists.
    public var unread: UnreadRecipients?
    /// The recipients that earlier passes read and that are no longer in the lists; nil when there
    /// are none. Their unfinished pushes are skipped.
    public var gone: GoneRecipients?
    /// The error code of the system for the first answer that could not be noted before its result
    /// was committed; nil when all were, or none had to be.
    public var notesFailure: Int32?

    /// The `apns-id` of a push of this run.
    public func apnsID(of push: Push) -> APNSID { identity.apnsID(of: push) }
  }

  /// The source of this run's apns-ids.
  public let identity: RunIdentity

  private let plan: DeliveryPlan
  private let credentials: PushCredentials
  private let early: PredialedLink?
  private let links: LinkPool?
  private let control: RunControl
  private let clock: RunClock
  private let work: ChunkQueue<PushChunk>

  /// Creates a run that has not begun.
  ///
  /// - Parameters:
  ///   - identity: the source of the apns-ids; nil draws a new one.
  ///   - early: a link to the plan's target that is already being opened; nil dials when there is
  ///     something to send.
  ///   - links: the pool to take links from and return them to. Nil, or a pool for another server
  ///     or other credentials, shares none.
  public init(
    _ plan: DeliveryPlan, credentials: PushCredentials, control: RunControl = RunControl(),
    clock: RunClock = .system, identity: RunIdentity? = nil, early: PredialedLink? = nil,
    links: LinkPool? = nil
  ) {
    self.early = early
    self.links = links.flatMap { $0.serves(plan.target, credentials) ? $0 : nil }
    self.plan = plan
    // Queued pushes are claimed; if an at-most-once run is killed, they stay unknown.
    work = ChunkQueue(capacity: plan.retryRules.isAtMostOnce ? 1 : 8)
    self.credentials = credentials
    self.control = control
    self.clock = clock
    self.identity = identity ?? RunIdentity(given: plan.apnsID, clock)
  }

  /// Sends to all recipients and returns when each has a result or the run was stopped.
  ///
  /// - Parameters:
  ///   - recipients: the recipients to send to.
  ///   - ledger: records every push before it is sent, and its result before it counts; nil records
  ///     nothing. It is not finished here.
  ///   - commitsRest: whether the last results, too, are committed before `record` gets them,
  ///     rather than with the end of the run, which saves short runs a commit.
  ///   - tick: the milliseconds after which `record` gets an empty batch if no result has arrived;
  ///     nil for none.
  ///   - record: receives the results in batches as they arrive, with the figures so far, on the
  ///     caller's thread. While nothing may be sent, batches are empty.
  public consuming func perform(
    _ recipients: consuming sending some PushSource & ~Copyable, ledger: RunLedger? = nil,
    commitsRest: Bool = false, tick: Int? = nil, record: (PushResults, RunSummary) -> Void
  ) -> Report {
    let started = clock.monotonic()
    let left = ledger?.resuming?.plan
    guard let wakes = RunWakes(connections: plan.connections.atStart) else {
      control.stop(.outOfDescriptors)
      return Recorder(clock: clock, started: started, plan: left)
        .report(ReadingProgress(), control.cause, identity)
    }
    let gate = ledger?.claims.map { _ in ClaimGate(ledger: wakes.recorder) }
    closeInputWhenStopped(gate)
    let progress = readAll(recipients, resumption(of: ledger), through: gate, wakes.reader)
    let scaler = ConnectionScaler(plan.connections, limit: plan.connectionLimit) { [work] in
      .left(progress(), left, waiting: work.filling(\.openCount))
    }
    let notes = notes(of: ledger)
    let results = sendAll(wakes.connections, scaler, notes)
    var recorder = Recorder(clock: clock, started: started, plan: left, tick: tick) {
      progress().total(left)
    } connections: {
      scaler.figures
    }
    var books = LedgerWriter(ledger, gate, control, clock, commitsRest: commitsRest) { progress() }
    control.whenHeld { [weak wake = wakes.recorder] in wake?.call() }
    recorder.record(results, in: &books, wake: wakes.recorder, apply: record)
    var report = report(of: recorder, after: progress(), ledger)
    report.notesFailure = notes?.failure
    return report
  }

  private func report(
    of recorder: Recorder, after reading: ReadingProgress, _ ledger: RunLedger?
  ) -> Report {
    let cause = control.cause ?? reading.failure.map { .list($0) }
    var report = recorder.report(reading, cause, identity, gone(from: ledger, after: reading))
    report.summary.pausedSeconds = Double(control.heldTime(now: clock.monotonic())) / 1e9
    return report
  }

  /// Returns nil for a pass that could not begin: it keeps the notes of the one before.
  private func notes(of ledger: RunLedger?) -> (any RunNotes)? {
    ledger?.results.failure == nil ? ledger?.results.keepNotes() : nil
  }

  /// - Returns: nil also when the history fails: the end of the run cannot be written either.
  private func gone(
    from ledger: RunLedger?, after reading: ReadingProgress
  ) -> GoneRecipients? {
    guard reading.hasEnded else { return nil }
    return try? ledger?.resuming?.gone(after: UInt64(reading.counts.pushes))
  }

  /// Begins another pass of a resumed run and returns what is left of it. If that cannot be
  /// determined or recorded, nothing is sent.
  private func resumption(of ledger: RunLedger?) -> sending Resumption? {
    guard let resuming = ledger?.resuming else { return nil }
    do throws(HistoryError) {
      try resuming.beginPass()
      return Resumption(resuming.plan, try resuming.standings(), now: clock.epochMilliseconds)
    } catch {
      control.stop(.history(error))
      control.stop(.interrupted)
      return nil
    }
  }

  private func closeInputWhenStopped(_ gate: ClaimGate?) {
    control.whenStopped { [weak work, weak gate] cause in
      if cause == .interrupted { work?.close() }
      gate?.open()
    }
  }

  /// Starts the connections' threads.
  ///
  /// - Returns: the queue of their results.
  private func sendAll(
    _ wakes: [RunWakes.Pair], _ scaler: ConnectionScaler, _ notes: (any RunNotes)?
  ) -> ChunkQueue<ResultBatch> {
    let results = ChunkQueue<ResultBatch>(capacity: 4, producers: wakes.count)
    let setting = ConnectionSetting(
      plan: plan, identity: identity, credentials: credentials, work: work, results: results,
      notes: notes, early: early, links: links, opening: ConnectionGate(), scaler: scaler,
      pacer: plan.rateSlots ?? plan.rate.map(EvenPacer.init), control: control, clock: clock)
    for (index, wakes) in wakes.enumerated() {
      if Connection.start(setting, index, wakes) { continue }
      // The others do its work; the first is the one that leads.
      results.producerDone()
      scaler.failedToStart(index, .system, now: clock.monotonic())
      if index == 0 { stopForWantOfThreads() }
    }
    for index in wakes.count..<plan.connections.atStart {
      scaler.failedToStart(index, .system, now: clock.monotonic())
    }
    return results
  }

  /// Starts the reader's thread.
  ///
  /// - Returns: a function that reports its progress.
  private func readAll(
    _ recipients: consuming sending some PushSource & ~Copyable,
    _ resumption: consuming sending Resumption?,
    through gate: ClaimGate?, _ wake: Wake
  ) -> @Sendable () -> ReadingProgress {
    let reading = SourceReader(recipients, resumption)
    let (work, control) = (work, control)
    let isStarted = Thread.start {
      reading.putAll(into: work, through: gate, wake: wake, control: control)
    }
    if !isStarted { stopForWantOfThreads() }
    return { reading.progress }
  }

  private func stopForWantOfThreads() {
    control.stop(.outOfThreads)
    // No thread is there to read the recipients, or to give them results.
    control.stop(.interrupted)
  }
}

extension RunIdentity {
  /// The identity of a new run.
  ///
  /// - Parameter given: the `apns-id` of the only push; nil gives each push its own.
  public init(given: APNSID?, _ clock: RunClock) {
    self.init(
      given: given,
      bits: APNSID.RunBits(clock.random(), UInt16(truncatingIfNeeded: clock.random())))
  }
}
