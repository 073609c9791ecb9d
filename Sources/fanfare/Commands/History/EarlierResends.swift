internal import APNS
internal import PushCore

/// The runs that have sent pushes of a run again.
struct EarlierResends {
  /// The oldest first.
  let resends: [EarlierResend]

  /// - Throws: `Failure.beingResent` while a process sends one of them.
  init(of stored: StoredRun, in history: HistoryReader) throws(Failure) {
    let known = try history.resends(after: stored.entry.run)
    let family = ResendFamily(first: stored, known: known, history: history)
    resends = try family.resends(of: stored)
  }

  /// Why a push of the run need not be sent again; nil when it may be.
  func reason(toLeaveOut push: PushEntry) -> ResendChoice.LeftOut? {
    let number = Int(push.sequence)
    if resends.contains(where: { $0.accepted.contains(number) }) { return .accepted }
    return resends.contains { $0.inDoubt.contains(number) } ? .inDoubt : nil
  }
}

/// A run that has sent pushes of another one again, and what it came to, by their numbers there.
struct EarlierResend {
  let entry: RunEntry
  /// What was sent by itself.
  private(set) var sent = NumberSet()
  /// What was accepted, by this run or by one that has sent its pushes again.
  private(set) var accepted = NumberSet()
  /// What is unknown and was to be sent at most once.
  private(set) var inDoubt = NumberSet()

  fileprivate init(_ stored: StoredRun, _ family: ResendFamily) throws(Failure) {
    entry = stored.entry
    let reachesDevices = family.reachesDevices(stored)
    let later = try family.resends(of: stored)
    var filter = HistoryFilter()
    filter.runs = [entry.run]
    try family.history.forEachStoredPush(filter, newestFirst: false) { (push) throws(Failure) in
      if reachesDevices { add(push) }
      add(push, later)
      return true
    }
  }

  /// A line of its list is the number of the push in the run that was resent.
  private mutating func add(_ push: PushEntry) {
    if push.attempts > 0 { sent.insert(push.line) }
    if push.outcome == .accepted { accepted.insert(push.line) }
    if push.outcome == .unknown, entry.record.atMostOnce { inDoubt.insert(push.line) }
  }

  private mutating func add(_ push: PushEntry, _ later: [EarlierResend]) {
    let number = Int(push.sequence)
    if later.contains(where: { $0.accepted.contains(number) }) { accepted.insert(push.line) }
    if later.contains(where: { $0.inDoubt.contains(number) }) { inDoubt.insert(push.line) }
  }
}

/// A run, the runs that have resent it, and those that have resent these.
private struct ResendFamily {
  let first: StoredRun
  /// By the run that they resend.
  let known: [RunNumber: [StoredRun]]
  let history: HistoryReader

  /// - Throws: `Failure.beingResent` while a process sends one of them.
  func resends(of stored: StoredRun) throws(Failure) -> [EarlierResend] {
    try (known[stored.entry.run] ?? []).map { (resend) throws(Failure) in
      if reachesDevices(resend) { try history.refuseWhileSent(resend, of: first.entry.run) }
      return try EarlierResend(resend, self)
    }
  }

  /// What the emulator in the process takes reaches nobody; what resends that may.
  func reachesDevices(_ resend: StoredRun) -> Bool {
    let emulator = PushEnvironment.emulator.name
    return resend.entry.record.environment != emulator
      || first.entry.record.environment == emulator
  }
}

extension HistoryReader {
  /// The runs that have sent pushes of another one again, by that one: those that are newer than a
  /// run, the oldest first.
  fileprivate func resends(
    after run: RunNumber
  ) throws(Failure) -> [RunNumber: [StoredRun]] {
    var filter = HistoryFilter()
    filter.kind = .resend
    var found: [StoredRun] = []
    try asking { (history) throws(HistoryError) in
      try history.forEachRun(filter) { entry in
        if entry.run > run { found.append(StoredRun(entry)) }
        return entry.run > run
      }
    }
    // A run can only send again what was there before it.
    found.removeAll { ($0.settings?.resends ?? $0.entry.run) >= $0.entry.run }
    return Dictionary(grouping: found.reversed()) { $0.settings?.resends ?? $0.entry.run }
  }

  /// The runs that have sent pushes of a run again, the oldest first.
  func resends(of run: RunNumber) throws(Failure) -> [RunNumber] {
    try resends(after: run)[run]?.map(\.entry.run) ?? []
  }

  /// - Throws: `Failure.beingResent` while a process sends a run that resends another one.
  fileprivate func refuseWhileSent(
    _ resend: StoredRun, of run: RunNumber
  ) throws(Failure) {
    do throws(HistoryError) {
      _ = try hold(resend.entry.run)
    } catch .owned(_, let pid, _) {
      throw .beingResent(run, by: resend.entry.run, pid: pid)
    } catch {
      throw .history(error)
    }
  }
}
