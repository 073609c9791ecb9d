internal import APNS
internal import HTTP2
internal import PushModel

/// Brings the results of a run into its ledger, and says which of them count: those that are
/// committed. Without a ledger all do at once. It belongs to one thread.
struct Bookkeeping {
  private let ledger: (any ResultLedger)?
  private let claims: (any ClaimLedger)?
  private let gate: ClaimGate?
  private let control: RunControl
  private let clock: RunClock
  private let reading: () -> ReadingProgress
  private let commitsRest: Bool
  /// `since` is by the monotonic clock: the wall clock may be set back.
  private var waiting: [(results: [PushResult], endsAt: Int, since: UInt64)] = []
  private var handedIn = 0

  /// - Parameters:
  ///   - gate: holds the reader back; nil exactly when nothing is to be claimed.
  ///   - commitsRest: whether the last results have to be committed before they count, too.
  ///   - reading: how far the reader has come; what became of the lines of all results is in it.
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

  /// Whether nothing may be sent now, because an answer asked for it.
  var isHeld: Bool { control.heldUntil(now: clock.monotonic()) != nil }

  /// How long nothing need be done, in milliseconds; nil without end. A pause is shown as it passes.
  var patience: Int? { [commitPatience, isHeld ? 250 : nil].compactMap(\.self).min() }

  private var commitPatience: Int? {
    guard let ledger, ledger.failure == nil, let due = commitDue(of: ledger) else { return nil }
    return milliseconds(until: due, from: clock.monotonic())
  }

  /// Nil when all that wait are committed, as when they were many.
  private func commitDue(of ledger: any ResultLedger) -> UInt64? {
    waiting.first { $0.endsAt > ledger.committed }
      .map { ledger.commitTime(ofResultsSince: $0.since) }
  }

  /// Claims what the reader wants to hand on. Results that wait are committed with the claim.
  ///
  /// - Returns: the batches that count from now on.
  mutating func claim() -> [[PushResult]] {
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

  /// Takes results.
  ///
  /// - Returns: the batches that count from now on.
  mutating func add(_ results: [PushResult]) -> [[PushResult]] {
    guard let ledger else { return [results] }
    let kept = worthKeeping(results)
    handedIn += kept.count
    waiting.append((results, handedIn, clock.monotonic()))
    note(reading())
    do throws(HistoryError) {
      try ledger.record(kept, now: clock.epochMilliseconds())
      try commitIfDue(ledger)
    } catch {
      fail(error)
    }
    return counting(ledger)
  }

  /// Once all is read, even a run that is killed leaves behind how many pushes it has.
  private func note(_ reading: ReadingProgress) {
    claims?.read(reading.counts)
    if reading.hasEnded { claims?.listsEnded(at: UInt64(reading.counts.pushes)) }
  }

  /// Commits what has waited long enough.
  ///
  /// - Returns: the batches that count from now on.
  mutating func commitIfDue() -> [[PushResult]] {
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

  /// Whether results wait to count.
  var isWaiting: Bool { !waiting.isEmpty }

  /// The batches that are left when no more come: the end of the run commits them, unless that has to
  /// be done at once. Then those are kept that a ledger whose database is away could not commit.
  mutating func takeRest() -> [[PushResult]] {
    if commitsRest, isWaiting, let ledger, ledger.failure == nil {
      do throws(HistoryError) { try ledger.commit() } catch { fail(error) }
      if ledger.failure == nil { return counting(ledger) }
    }
    return takeAll()
  }

  private mutating func takeAll() -> [[PushResult]] {
    defer { waiting = [] }
    return waiting.map(\.results)
  }

  /// A push that was never claimed, or will not be, is known not to have been sent: that needs no
  /// row.
  private func worthKeeping(_ results: [PushResult]) -> [PushResult] {
    guard control.isStopping, let claims else { return results }
    let claimed = max(claims.claimed, gate?.wanted ?? 0)
    return results.filter { $0.outcome != .notAttempted || $0.push.sequence <= claimed }
  }

  /// After a failure all results count that there are: they are the only word on their pushes.
  private mutating func counting(_ ledger: any ResultLedger) -> [[PushResult]] {
    if ledger.failure != nil { return takeAll() }
    let count = waiting.prefix { $0.endsAt <= ledger.committed }.count
    defer { waiting.removeFirst(count) }
    return waiting[..<count].map(\.results)
  }

  /// What may have been sent could not be written down any more: nothing else goes out.
  private func fail(_ error: HistoryError) {
    control.stop(.history(error))
    gate?.open()
  }
}
