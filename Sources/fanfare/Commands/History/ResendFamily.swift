internal import APNS
internal import History
internal import PushModel
internal import SQLiteHistory

/// Runs that send the same pushes: a run, those whose pushes it sends again, and all that send
/// these again as well.
struct ResendFamily {
  let run: StoredRun
  let history: HistoryReader

  /// The oldest that is known. Pushes are told by their numbers there.
  private let root: RunNumber
  /// All that the history holds, the oldest first.
  private let members: [StoredRun]

  init(of run: StoredRun, in history: HistoryReader) throws(Failure) {
    self.run = run
    self.history = history
    var oldest: StoredRun? = run
    var root = run.entry.run
    while let older = oldest?.resends {
      root = older
      let entry = try history.asking { (history) throws(HistoryError) in try history.run(older) }
      oldest = entry.map { StoredRun($0) }
    }
    self.root = root
    let known = try history.resends(after: root)
    members = [oldest].compactMap(\.self) + known.descendants(of: root)
  }

  /// What the others came to since the run began.
  ///
  /// - Throws: `Failure.beingResent` while a process sends one of them.
  func read() throws(Failure) -> EarlierResends {
    let others = members.filter { $0.entry.run != run.entry.run && reachesDevices($0) }
    for other in others { try history.refuseWhileSent(other, of: run.entry.run) }
    let descendants = Set(members.descendants(of: run.entry.run).map(\.entry.run))
    var resends: [EarlierResend] = []
    var origins: [RunNumber: PushOrigins] = [:]
    for member in members.contains(where: canCount) ? members : [] where isRead(member) {
      var resend = EarlierResend(
        member.entry, isOfIt: descendants.contains(member.entry.run), since: run.entry)
      let read = try self.origins(of: member, from: origins) { push, number in
        if counts(member) { resend.add(push, number) }
      }
      origins[member.entry.run] = read
      if canCount(member) { resends.append(resend) }
    }
    return EarlierResends(resends: resends, origins: origins[run.entry.run])
  }

  /// Goes through the pushes of a member with their numbers in the oldest run.
  private func origins(
    of member: StoredRun, from known: [RunNumber: PushOrigins],
    _ body: (PushEntry, Int) -> Void
  ) throws(Failure) -> PushOrigins? {
    let parent = member.entry.run == root ? nil : member.resends
    let older = parent.flatMap { known[$0] }
    var origins = parent.map { _ in PushOrigins() }
    var filter = HistoryFilter()
    filter.runs = [member.entry.run]
    try history.forEachStoredPush(filter, newestFirst: false) { push in
      // A line of a resend's list is the number of the push in the run that was resent.
      let place = parent == nil ? Int(push.sequence) : push.line
      guard let number = older.map({ $0[place] }) ?? place else { return true }
      origins?.add(number, at: Int(push.sequence))
      body(push, number)
      return true
    }
    return origins
  }

  /// The oldest run tells its pushes by their own numbers, so that it need not be read for these.
  private func isRead(_ member: StoredRun) -> Bool {
    canCount(member) || member.entry.run != root
  }

  private func counts(_ member: StoredRun) -> Bool { canCount(member) && reachesDevices(member) }

  /// Whether it may have results that are younger than the run.
  private func canCount(_ member: StoredRun) -> Bool {
    if member.entry.run == run.entry.run { return false }
    return member.entry.run > run.entry.run
      || member.entry.ended ?? .max >= run.entry.record.started
  }

  /// What the emulator in the process takes reaches nobody.
  private func reachesDevices(_ member: StoredRun) -> Bool {
    let emulator = PushEnvironment.emulator.name
    return member.entry.record.environment != emulator
      || run.entry.record.environment == emulator
  }
}

/// What number each push of a run has in the oldest run that its pushes were sent by.
struct PushOrigins {
  private var numbers: [Int] = []

  mutating func add(_ number: Int, at sequence: Int) {
    while numbers.count <= sequence { numbers.append(0) }
    numbers[sequence] = number
  }

  /// Nil for a push that was not added.
  subscript(sequence: Int) -> Int? {
    guard numbers.indices.contains(sequence), numbers[sequence] > 0 else { return nil }
    return numbers[sequence]
  }
}

extension StoredRun {
  /// The run whose pushes it sends again: an older one; nil when it is no resend.
  var resends: RunNumber? {
    settings?.resends.flatMap { $0 < entry.run ? $0 : nil }
  }
}

extension [StoredRun] {
  /// Those, the oldest being first, that send pushes of a run again, or of one that does.
  fileprivate func descendants(of run: RunNumber) -> [StoredRun] {
    var found: Set<RunNumber> = [run]
    return filter { member in
      guard let resent = member.resends, found.contains(resent) else { return false }
      found.insert(member.entry.run)
      return true
    }
  }
}

extension HistoryReader {
  /// The resends that are newer than a run, the oldest first.
  fileprivate func resends(after run: RunNumber) throws(Failure) -> [StoredRun] {
    var filter = HistoryFilter()
    filter.kind = .resend
    var found: [StoredRun] = []
    try asking { (history) throws(HistoryError) in
      try history.forEachRun(filter) { entry in
        if entry.run > run { found.append(StoredRun(entry)) }
        return entry.run > run
      }
    }
    return found.reversed()
  }

  /// The runs that have sent pushes of a run again, the oldest first.
  func resends(of run: RunNumber) throws(Failure) -> [RunNumber] {
    try resends(after: run).filter { $0.resends == run }.map(\.entry.run)
  }

  /// - Throws: `Failure.beingResent` while a process sends a run that has pushes of another one.
  fileprivate func refuseWhileSent(_ other: StoredRun, of run: RunNumber) throws(Failure) {
    guard isBeingSent(other.entry.run) else { return }
    do throws(HistoryError) {
      _ = try hold(other.entry.run)
    } catch .owned(_, let pid, _) {
      throw .beingResent(run, by: other.entry.run, pid: pid)
    } catch {
      throw .history(error)
    }
  }
}
