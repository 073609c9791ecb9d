public import APNS
public import PushModel

/// A history that is asked. It belongs to one thread at a time.
public protocol HistoryStore: AnyObject {
  /// Where it is: a file.
  var path: String { get }
  /// Whether the history cannot be written to from here, and was not being written to when it was
  /// opened: then what others write later is not seen.
  var isAtRest: Bool { get }

  /// A run; nil when the history does not hold it.
  func run(_ number: RunNumber) throws(HistoryError) -> RunEntry?
  /// The newest run; nil when there is none.
  func newestRun() throws(HistoryError) -> RunEntry?
  /// Hands out runs, the newest first, until `body` returns false.
  ///
  /// - Parameter filter: what it says of pushes leaves out runs that cannot have one.
  func forEachRun(
    _ filter: HistoryFilter, _ body: (RunEntry) throws(HistoryError) -> Bool
  ) throws(HistoryError)
  /// The reasons of the last pass of a run that has ended, the most frequent first.
  func reasons(of run: RunNumber) throws(HistoryError) -> [ReasonCount]
  /// The answers of the environments that were asked for the device token of a run, in order; none where
  /// the right one was known.
  func answers(of run: RunNumber) throws(HistoryError) -> [EnvironmentAnswer]
  /// Whether a process sends, resumes or enqueues a run now, or a worker works on it.
  func isBeingSent(_ run: RunNumber) -> Bool
  /// Holds a run that no process is sending.
  ///
  /// - Throws: `HistoryError.owned` when a process is sending it, and `inQueue` while it is in the
  ///   queue.
  func hold(_ run: RunNumber) throws(HistoryError) -> any RunHold

  /// The environments of its runs.
  func environments() throws(HistoryError) -> [String]
  /// The scenarios of its runs.
  func scenarios() throws(HistoryError) -> [String]
  /// The reasons of its answers.
  func allReasons() throws(HistoryError) -> [String]

  /// Hands out pushes until `body` returns false.
  ///
  /// - Parameter newestFirst: the newest run first, and in it the highest numbers; else the oldest
  ///   and the lowest.
  func forEachPush(
    _ filter: HistoryFilter, newestFirst: Bool,
    _ body: (PushEntry) throws(HistoryError) -> Bool
  ) throws(HistoryError)
  /// The push with an `apns-id`; nil when the history does not hold it, or has no result of it.
  func push(_ id: APNSID) throws(HistoryError) -> PushEntry?
  /// The runs in which a push with this `apns-id` is or would be, and its number there, the newest
  /// last.
  func places(of id: APNSID) throws(HistoryError) -> [(run: RunNumber, sequence: UInt64)]
  /// The last commit of a run up to a number; nil when there is none.
  func commit(of run: RunNumber, upTo number: Int64) throws(HistoryError) -> RunCommit?
  /// The payload that was kept of a push; nil when none was.
  func keptPayload(of push: PushEntry) throws(HistoryError) -> [UInt8]?
  /// Counts the pushes that fit.
  ///
  /// - Returns: groups that have pushes.
  func statistics(
    _ filter: HistoryFilter, by grouping: PushGrouping
  ) throws(HistoryError) -> PushStatistics

  /// How far a run has come that workers send or have sent; nil for any other.
  func queueStanding(of run: RunNumber) throws(HistoryError) -> QueueStanding?
  /// The results of a run's pushes beside those that count, in order.
  ///
  /// - Parameter sequence: of this push; nil for all.
  func otherResults(
    of run: RunNumber, sequence: UInt64?
  ) throws(HistoryError) -> [OtherResult]
  /// The pushes of a run that were sent again while an earlier attempt was in doubt: each may have
  /// arrived twice.
  func resentInDoubt(of run: RunNumber) throws(HistoryError) -> PushRanges
  /// Whether a worker may have sent a push that is still in the queue.
  func isMarked(_ sequence: UInt64, of run: RunNumber) throws(HistoryError) -> Bool

  /// The runs that send pushes of a run again, the oldest first.
  func resends(of run: RunNumber) throws(HistoryError) -> [RunNumber]
  /// All runs that send the same pushes as a run, itself among them, the oldest first.
  func family(of run: RunNumber) throws(HistoryError) -> [RunEntry]
  /// The results of a push of a run that other runs of its family have, those of the oldest first.
  /// Where a pass was killed that may have sent it, in the run itself too, its result is unknown.
  func relatedResults(
    of run: RunNumber, sequence: UInt64
  ) throws(HistoryError) -> [RelatedResult]
  /// Hands out the numbers of those pushes of a resend that have no result, in order.
  func forEachWithoutResult(
    of resend: RunNumber, _ body: (UInt64) throws(HistoryError) -> Void
  ) throws(HistoryError)

  /// Follows what happens from now on.
  ///
  /// - Parameter filter: which runs, and which of their pushes. Its `since`, `until`, `token` and
  ///   `apnsID` only decide on what ``HistoryFollower/begin(last:)`` hands out.
  func follower(_ filter: HistoryFilter) throws(HistoryError) -> any HistoryFollower
}

extension HistoryStore {
  /// Hands out pushes, the newest first, until `body` returns false.
  public func forEachPush(
    _ filter: HistoryFilter, _ body: (PushEntry) throws(HistoryError) -> Bool
  ) throws(HistoryError) {
    try forEachPush(filter, newestFirst: true, body)
  }
}

/// Keeps a run as it is: while this lives, no process can go on with sending it.
public protocol RunHold: AnyObject {
  /// Lets go of it before its time.
  func release()
}

/// What happened in a history.
public enum HistoryEvent: Sendable, Hashable {
  /// A run began, or goes on: then its ``RunEntry/resumptions`` are more than 0.
  case began(RunEntry)
  /// A push got its result.
  case push(PushEntry)
  /// A run ended, or a pass of it, or it was stopped.
  case ended(RunEntry)
  /// A worker began to work on a run, ended, or was lost.
  case worker(WorkerEntry)
}

/// Tells what happens in a history, no matter which process writes it. It belongs to one thread at a
/// time.
///
/// It does not wait: the caller looks as often as it likes. A look when nothing has changed costs
/// next to nothing.
public protocol HistoryFollower: AnyObject {
  /// Whether a run has ended, as it was seen last; false for one that was not seen.
  func hasEnded(_ run: RunNumber) -> Bool
  /// Begins to follow: later looks tell of nothing that is there now.
  ///
  /// - Returns: the newest results that are there, the newest last, at most so many.
  func begin(last count: Int) throws(HistoryError) -> [PushEntry]
  /// Tells what has happened since the last look.
  func look(_ body: (HistoryEvent) -> Void) throws(HistoryError)
}

/// What became of a push in another run that sends it too.
public struct RelatedResult: Sendable, Hashable {
  /// The other run.
  public let run: RunNumber
  /// What became of it there.
  public let outcome: Outcome
  /// How many requests were made for it there.
  public let attempts: Int
  /// When its result came, in milliseconds since 1970 UTC.
  public let at: Int64

  package init(run: RunNumber, outcome: Outcome, attempts: Int, at: Int64) {
    (self.run, self.outcome, self.attempts, self.at) = (run, outcome, attempts, at)
  }
}

/// Results of a run that were written down at once.
public struct RunCommit: Sendable, Hashable {
  /// Its number in the run, from 1.
  public let number: Int64
  /// In which pass of the run it was made, from 0.
  public let pass: Int64
  /// The numbers of its pushes.
  public let sequences: [UInt64]
  /// Its results, in the order of the pushes, without those that a later pass has replaced.
  public let pushes: [PushEntry]

  /// A commit, as a history has it.
  package init(number: Int64, pass: Int64, sequences: [UInt64], pushes: [PushEntry]) {
    (self.number, self.pass, self.sequences, self.pushes) = (number, pass, sequences, pushes)
  }
}
