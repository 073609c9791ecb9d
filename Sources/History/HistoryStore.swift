public import APNS
public import PushModel

/// A history opened for queries. Belongs to one thread at a time.
public protocol HistoryStore: AnyObject {
  /// The location: the path of a file, or a PostgreSQL URL.
  var path: String { get }
  /// The history is read-only here, and no process was writing to it when it was opened: later
  /// writes by others are not seen.
  var isAtRest: Bool { get }

  /// Returns a run; nil when the history does not hold it.
  func run(_ number: RunNumber) throws(HistoryError) -> RunEntry?
  /// Returns the newest run; nil when there is none.
  func newestRun() throws(HistoryError) -> RunEntry?
  /// Passes runs to `body`, newest first, until it returns false.
  ///
  /// - Parameter filter: conditions on pushes exclude runs that cannot have a matching one.
  func forEachRun(
    _ filter: HistoryFilter, _ body: (RunEntry) throws(HistoryError) -> Bool
  ) throws(HistoryError)
  /// The reasons of the last pass of a run that has ended, the most frequent first.
  func reasons(of run: RunNumber) throws(HistoryError) -> [ReasonCount]
  /// The answers of the environments that were asked for the device token of a run, in order; none where
  /// the right one was known.
  func answers(of run: RunNumber) throws(HistoryError) -> [EnvironmentAnswer]
  /// Checks whether a process is sending, resuming or enqueuing the run, or a worker is on it.
  func isBeingSent(_ run: RunNumber) -> Bool
  /// Holds a run that no process is sending.
  ///
  /// - Throws: `HistoryError.owned` when a process is sending it, and `inQueue` while it is in the
  ///   queue.
  func hold(_ run: RunNumber) throws(HistoryError) -> any RunHold

  /// Returns the environments of all runs.
  func environments() throws(HistoryError) -> [String]
  /// Returns the scenarios of all runs.
  func scenarios() throws(HistoryError) -> [String]
  /// Returns the reasons of all answers.
  func allReasons() throws(HistoryError) -> [String]

  /// Passes pushes to `body` until it returns false.
  ///
  /// - Parameter newestFirst: whether to start with the newest run and its highest push numbers,
  ///   instead of the oldest run and its lowest.
  func forEachPush(
    _ filter: HistoryFilter, newestFirst: Bool,
    _ body: (PushEntry) throws(HistoryError) -> Bool
  ) throws(HistoryError)
  /// Returns the push with this `apns-id`; nil when the history holds no result of it.
  func push(_ id: APNSID) throws(HistoryError) -> PushEntry?
  /// Returns the runs that have or would have a push with this `apns-id`, and its number in each,
  /// newest last.
  func places(of id: APNSID) throws(HistoryError) -> [(run: RunNumber, sequence: UInt64)]
  /// Returns the last commit of a run up to a number; nil when there is none.
  func commit(of run: RunNumber, upTo number: Int64) throws(HistoryError) -> RunCommit?
  /// Returns the payload kept for a push; nil when none was.
  func keptPayload(of push: PushEntry) throws(HistoryError) -> [UInt8]?
  /// Counts the matching pushes.
  ///
  /// - Returns: the groups that have pushes.
  func statistics(
    _ filter: HistoryFilter, by grouping: PushGrouping
  ) throws(HistoryError) -> PushStatistics

  /// Returns the progress of a run sent by workers; nil for any other run.
  func queueStanding(of run: RunNumber) throws(HistoryError) -> QueueState?
  /// Returns the results of a run's pushes other than those that count, in order.
  ///
  /// - Parameter sequence: the push to look up; nil for all.
  func otherResults(
    of run: RunNumber, sequence: UInt64?
  ) throws(HistoryError) -> [OtherResult]
  /// Returns the pushes of a run that were sent again while an earlier attempt was in doubt: each
  /// may have arrived twice.
  func resentInDoubt(of run: RunNumber) throws(HistoryError) -> PushRanges
  /// Checks whether a worker may have sent this push, which is still in the queue.
  func isMarked(_ sequence: UInt64, of run: RunNumber) throws(HistoryError) -> Bool

  /// Returns all runs that send the same pushes as this run, including itself, oldest first.
  func family(of run: RunNumber) throws(HistoryError) -> [RunEntry]
  /// Returns the results of a push in the other runs of its family, oldest first. If a pass that
  /// may have sent it was killed, even in this run, the result there is unknown.
  func relatedResults(
    of run: RunNumber, sequence: UInt64
  ) throws(HistoryError) -> [RelatedResult]
  /// Passes the numbers of a resend's pushes that have no result to `body`, in order.
  func forEachWithoutResult(
    of resend: RunNumber, _ body: (UInt64) throws(HistoryError) -> Void
  ) throws(HistoryError)

  /// Follows events from now on.
  ///
  /// - Parameter filter: the runs and pushes to follow. Its `since`, `until`, `token` and `apnsID`
  ///   apply only to the results of ``HistoryFollower/begin(last:)``.
  func follower(_ filter: HistoryFilter) throws(HistoryError) -> any HistoryFollower
}

extension HistoryStore {
  /// Passes pushes to `body`, newest first, until it returns false.
  public func forEachPush(
    _ filter: HistoryFilter, _ body: (PushEntry) throws(HistoryError) -> Bool
  ) throws(HistoryError) {
    try forEachPush(filter, newestFirst: true, body)
  }
}

/// Holds a run as it is: while this object lives, no process can resume it.
public protocol RunHold: AnyObject {
  /// Releases the hold early.
  func release()
}

/// An event in a history.
public enum HistoryEvent: Sendable, Hashable {
  /// A run began, or was resumed if its ``RunEntry/resumptions`` are more than 0.
  case began(RunEntry)
  /// A push got its result.
  case push(PushEntry)
  /// A run or one of its passes ended, or it was stopped.
  case ended(RunEntry)
  /// A worker started on a run, ended, or was lost.
  case worker(WorkerEntry)
}

/// Reports the events in a history, whichever process writes it. Belongs to one thread at a time.
///
/// It does not wait: the caller polls as often as it likes. Polling costs next to nothing when
/// nothing has changed.
public protocol HistoryFollower: AnyObject {
  /// Checks whether the run had ended when last seen; false for a run not seen.
  func hasEnded(_ run: RunNumber) -> Bool
  /// Starts following: later polls do not report what is already there.
  ///
  /// - Returns: the newest results already there, at most `count`, newest last.
  func begin(last count: Int) throws(HistoryError) -> [PushEntry]
  /// Reports the events since the last poll.
  func look(_ body: (HistoryEvent) -> Void) throws(HistoryError)
}

/// The result of a push in another run that sends it too.
public struct RelatedResult: Sendable, Hashable {
  /// The other run.
  public let run: RunNumber
  /// The outcome there.
  public let outcome: Outcome
  /// The number of requests made for it there.
  public let attempts: Int
  /// The time of its result, in milliseconds since 1970 UTC.
  public let at: Int64

  package init(run: RunNumber, outcome: Outcome, attempts: Int, at: Int64) {
    (self.run, self.outcome, self.attempts, self.at) = (run, outcome, attempts, at)
  }
}

/// Results of a run that were committed together.
public struct RunCommit: Sendable, Hashable {
  /// Its number in the run, from 1.
  public let number: Int64
  /// The pass of the run that made it, from 0.
  public let pass: Int64
  /// The numbers of its pushes.
  public let sequences: [UInt64]
  /// Its results, in push order, without those that a later pass replaced.
  public let pushes: [PushEntry]

  /// Creates a commit.
  package init(number: Int64, pass: Int64, sequences: [UInt64], pushes: [PushEntry]) {
    (self.number, self.pass, self.sequences, self.pushes) = (number, pass, sequences, pushes)
  }
}
