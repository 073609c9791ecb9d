internal import HTTP2
internal import PushModel

/// Writes the results of a run to its ledger and returns those that count, which are the committed
/// ones. Without a ledger all count at once. Belongs to one thread.
struct LedgerWriter {
  private let ledger: (any ResultLedger)?
  private let claims: (any ClaimLedger)?
  private let gate: ClaimGate?
  private let control: RunControl
  private let clock: RunClock
  private let reading: () -> ReadingProgress
  private let commitsRest: Bool
  /// `since` is on the monotonic clock, since the wall clock may be set back.
  private var waiting: [(batch: ResultBatch, endsAt: Int, since: UInt64)] = []
  private var handedIn = 0

  /// - Parameters:
  ///   - gate: holds the reader back; nil exactly when nothing is to be claimed.
  ///   - commitsRest: whether the last results, too, must be committed before they count.
  ///   - reading: the reader's progress, which includes the lines of all results.
  init(
    _ ledger: RunLedger?, _ gate: ClaimGate?, _ control: RunControl, _ clock: RunClock,
    commitsRest: Bool = false, reading: @escaping () -> ReadingProgress
  ) {
    self.reading = reading
    (self.ledger, claims) = (ledger?.results, ledger?.claims)
    self.gate = gate
    self.control = control
    self.clock = clock
    self.commitsRest = commitsRest
  }

  /// Nothing may be sent now, because an answer asked for a pause.
  var isHeld: Bool { control.heldUntil(now: clock.monotonic()) != nil }

  /// The time until there is something to do, in milliseconds; nil for no limit. A pause is
  /// reported as it passes.
  var patience: Int? { [commitPatience, isHeld ? 250 : nil].compactMap(\.self).min() }

  private var commitPatience: Int? {
    guard let ledger, ledger.failure == nil, let due = commitDue(of: ledger) else { return nil }
    return milliseconds(until: due, from: clock.monotonic())
  }

  /// Nil when everything that waits is committed, as after a large batch.
  private func commitDue(of ledger: any ResultLedger) -> UInt64? {
    waiting.first { $0.endsAt > ledger.committed }
      .map { ledger.commitTime(ofResultsSince: $0.since) }
  }

  /// Claims the pushes that the reader wants to pass on. The same commit covers the pending
  /// results.
  ///
  /// - Returns: the batches that now count.
  mutating func claim() -> [PushResults] {
    guard let ledger, let claims, let gate else { return [] }
    do throws(HistoryError) {
      let wanted = gate.wanted
      if wanted > 0, ledger.failure == nil { try claims.claim(upTo: wanted) }
      if ledger.failure == nil { gate.claimed(upTo: claims.claimed) }
    } catch {
      fail(error)
    }
    return counting(ledger)
  }

  /// Adds results.
  ///
  /// - Returns: the batches that now count.
  mutating func add(_ batch: ResultBatch) -> [PushResults] {
    guard let ledger else { return [batch.results] }
    let kept = worthKeeping(batch.results)
    handedIn += kept.count
    waiting.append((batch, handedIn, clock.monotonic()))
    note(reading())
    do throws(HistoryError) {
      try ledger.record(kept, now: clock.epochMilliseconds())
      try commitIfDue(ledger)
    } catch {
      fail(error)
    }
    return counting(ledger)
  }

  /// Notes the number of pushes once all is read, so that even a killed run leaves it behind.
  private func note(_ reading: ReadingProgress) {
    claims?.read(reading.counts)
    if reading.hasEnded { claims?.listsEnded(at: UInt64(reading.counts.pushes)) }
  }

  /// Commits results that have waited long enough.
  ///
  /// - Returns: the batches that now count.
  mutating func commitIfDue() -> [PushResults] {
    guard let ledger else { return [] }
    do throws(HistoryError) {
      if ledger.failure == nil { try commitIfDue(ledger) }
    } catch {
      fail(error)
    }
    return counting(ledger)
  }

  private func commitIfDue(_ ledger: any ResultLedger) throws(HistoryError) {
    guard let due = commitDue(of: ledger), due <= clock.monotonic() else { return }
    try ledger.commit()
  }

  /// Some results do not count yet.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Returns the remaining batches once no more come. The end of the run commits them, unless
  /// `commitsRest` is set: then batches stay here while the ledger's database is unreachable.
  mutating func takeRest() -> [PushResults] {
    if commitsRest, isWaiting, let ledger, ledger.failure == nil {
      do throws(HistoryError) { try ledger.commit() } catch { fail(error) }
      if ledger.failure == nil { return counting(ledger) }
    }
    return takeAll()
  }

  private mutating func takeAll() -> [PushResults] {
    defer { waiting = [] }
    return waiting.map(\.batch.results)
  }

  /// Drops pushes that were never claimed: they are known not to have been sent, so they need no
  /// row.
  private func worthKeeping(_ results: PushResults) -> PushResults {
    guard control.isStopping, let claims else { return results }
    let claimed = max(claims.claimed, gate?.wanted ?? 0)
    return PushResults(
      results.filter { $0.outcome != .notAttempted || $0.push.sequence <= claimed })
  }

  /// After a failure all results count: they are the only record of their pushes.
  private mutating func counting(_ ledger: any ResultLedger) -> [PushResults] {
    if ledger.failure != nil { return takeAll() }
    let count = waiting.prefix { $0.endsAt <= ledger.committed }.count
    defer { waiting.removeFirst(count) }
    return waiting[..<count].map { counting in
      if let noted = counting.batch.noted { noted.notes.forget(noted.count) }
      return counting.batch.results
    }
  }

  /// Stops the run: what may have been sent can no longer be recorded, so nothing else goes out.
  private func fail(_ error: HistoryError) {
    control.stop(.history(error))
    gate?.open()
  }
}
