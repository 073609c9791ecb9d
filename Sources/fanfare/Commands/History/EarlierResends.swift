internal import APNS
internal import History
internal import PushModel
internal import SQLiteHistory

/// What became of the pushes of a run, since it began, in other runs that have sent them: in those
/// that have sent them again, and in those whose pushes it sends again itself.
struct EarlierResends {
  /// The oldest first.
  let resends: [EarlierResend]
  /// What the numbers of its pushes are in `resends`; nil when they are the same.
  let origins: PushOrigins?

  /// The others that have sent a push.
  func senders(of push: PushEntry) -> [RunNumber] {
    guard let number = number(of: push) else { return [] }
    return resends.filter { $0.sent.contains(number) }.map(\.entry.run)
  }

  /// Why a push of the run need not be sent again, and the run that it was sent by; nil when it may
  /// be.
  func reason(
    toLeaveOut push: PushEntry
  ) -> (reason: ResendChoice.LeftOut, by: RunNumber)? {
    guard let number = number(of: push) else { return nil }
    if let other = resends.first(where: { $0.accepted.contains(number) }) {
      return (.accepted, other.entry.run)
    }
    return resends.first { $0.inDoubt.contains(number) }.map { (.inDoubt, $0.entry.run) }
  }

  private func number(of push: PushEntry) -> Int? {
    let number = Int(push.sequence)
    return origins.map { $0[number] } ?? number
  }
}

extension EarlierResends {
  /// - Throws: `Failure.beingResent` while a process sends one of them.
  init(of stored: StoredRun, in history: HistoryReader) throws(Failure) {
    self = try ResendFamily(of: stored, in: history).read()
  }
}

/// A run that has sent pushes of another one, and what it came to since that one began. Pushes are
/// told by their numbers in the oldest run.
struct EarlierResend {
  let entry: RunEntry
  /// Whether it sends pushes of the other one again, or of a run that does.
  let isOfIt: Bool
  private(set) var sent = NumberSet()
  private(set) var accepted = NumberSet()
  /// What is unknown and was to be sent at most once.
  private(set) var inDoubt = NumberSet()

  /// What came earlier than this does not count, in milliseconds since 1970.
  private let start: Int64

  init(_ entry: RunEntry, isOfIt: Bool, since other: RunEntry) {
    self.entry = entry
    self.isOfIt = isOfIt
    start = entry.run > other.run ? .min : other.record.started
  }

  mutating func add(_ push: PushEntry, _ number: Int) {
    if push.at < start { return }
    if push.attempts > 0 { sent.insert(number) }
    if push.outcome == .accepted { accepted.insert(number) }
    if push.outcome == .unknown, entry.record.atMostOnce { inDoubt.insert(number) }
  }
}
