/// Records the results of a run. A result counts once it is committed. A ledger belongs to one
/// thread at a time.
///
/// After a failure, it keeps the results that it could not commit until ``retry()`` succeeds or
/// ``takeUncommitted()`` returns them.
public protocol ResultLedger: AnyObject {
  /// The number of the run.
  var run: RunNumber { get }
  /// The run as it began.
  var record: RunRecord { get }
  /// The failure that ended commits; nil if there was none. A ledger that waits for a database
  /// which is away has not failed.
  var failure: HistoryError? { get }
  /// The number of committed results, in the order in which they were recorded.
  var committed: Int { get }
  /// The outcomes of the committed results, with those of earlier passes.
  var tally: OutcomeTally { get }
  /// The time when the first deferred push is or was due, in milliseconds since 1970 UTC; nil if
  /// there is none.
  var nextDue: Int64? { get }

  /// The latest time at which results must be committed.
  ///
  /// - Parameter since: the arrival of the first of them. Both are nanoseconds of the monotonic
  ///   clock.
  func commitTime(ofResultsSince since: UInt64) -> UInt64
  /// Stores, with each further result, the payload rendered for the recipient.
  func keepPayloads() throws(HistoryError)
  /// Takes results, and commits all pending ones once they are many.
  ///
  /// - Parameter now: the time in milliseconds since 1970 UTC.
  /// - Throws: `HistoryError`. The results are kept nevertheless.
  func record(_ results: PushResults, now: Int64) throws(HistoryError)
  /// Commits everything pending, or postpones that while the database is away.
  func commit() throws(HistoryError)
  /// Ends the run, or this pass or this worker's share of it, and commits everything pending.
  /// Recipients that are gone are settled. It waits for a database that is away as long as the
  /// ledger does.
  func finish(_ ending: RunEnding) throws(HistoryError)
  /// Retries after a failure.
  func retry() throws(HistoryError)
  /// Takes the results that could not be committed, to be saved elsewhere.
  func takeUncommitted() -> [PushResult]
  /// Begins to keep notes of what is sent and answered, once the pass has begun; nil if that is not
  /// needed, or there is no place for them. Without notes, all claimed pushes count as sent, and
  /// those without a committed result as not answered.
  func keepNotes() -> (any RunNotes)?
}

extension ResultLedger {
  /// Takes whole results, as the other `record` does.
  public func record(_ results: [PushResult], now: Int64) throws(HistoryError) {
    try record(PushResults(results), now: now)
  }
}

/// Claims the pushes of a run that one process sends alone, as it reads them from lists, before any of
/// them is sent. It takes no more claims after a failure.
public protocol ClaimLedger: AnyObject {
  /// The last push that is claimed in this pass and may be sent.
  var claimed: UInt64 { get }

  /// Claims pushes up to a number, before the first of them is sent.
  ///
  /// - Throws: `HistoryError`. None of the pushes may then be sent.
  func claim(upTo sequence: UInt64) throws(HistoryError)
  /// Records the counts of the list lines read. All results must belong to lines within them.
  func read(_ counts: RecipientCounts)
  /// Records that the lists were read to their end: no push has a higher number.
  func listsEnded(at sequence: UInt64)
}

/// Provides the work of the earlier passes of a resumed run.
public protocol ResumeLedger: AnyObject {
  /// The work that was left when the run was resumed.
  var plan: ResumePlan { get }

  /// Records the start of the pass, unless that is done.
  ///
  /// - Throws: `HistoryError`. Nothing may then be sent.
  func beginPass() throws(HistoryError)
  /// The state of each push, for the thread that reads the lists again.
  func standings() throws(HistoryError) -> sending any PushStandings
  /// Passes the pushes in doubt, as ranges of sequence numbers in order. Memory does not grow with
  /// their number.
  func forEachInDoubt(_ body: (ClosedRange<UInt64>) -> Void) throws(HistoryError)
  /// The recipients that earlier passes have read but the lists, which now end with this push, no
  /// longer contain; nil if there are none.
  func gone(after sequence: UInt64) throws(HistoryError) -> GoneRecipients?
}

/// The ledger of one run while it is sent, as the engine needs it.
public struct RunLedger {
  /// The ledger that records the results.
  public let results: any ResultLedger
  /// The ledger that claims pushes before they are sent; nil if the source has claimed them
  /// already, as in a queue.
  public let claims: (any ClaimLedger)?
  /// The ledger of the earlier passes; nil for a new run.
  public let resuming: (any ResumeLedger)?

  /// Creates the ledger of a run.
  public init(
    _ results: any ResultLedger, claims: (any ClaimLedger)? = nil,
    resuming: (any ResumeLedger)? = nil
  ) {
    (self.results, self.claims, self.resuming) = (results, claims, resuming)
  }

  /// The number of the run.
  public var run: RunNumber { results.run }

  /// The run as it began.
  public var record: RunRecord { results.record }
}

/// Looks up the state of each push of a resumed run, in the order of the lists.
public protocol PushStandings: AnyObject {
  /// Returns the state of a push. Sequence numbers must be asked for in ascending order.
  func standing(of sequence: UInt64) throws(HistoryError) -> PushState
}

/// Notes of what a run has handed to the network and what was answered, which survive a kill of the
/// process.
public protocol RunNotes: AnyObject, Sendable {
  /// The error code of the system for the first note that could not be written; nil if there was
  /// none. There are no notes then.
  var failure: Int32? { get }
  /// The notes of one more connection.
  func newConnection() -> any ConnectionNotes
}

/// The notes of one connection. Its thread writes them; another one forgets them.
public protocol ConnectionNotes: AnyObject, Sendable {
  /// Writes answers, and that pushes up to a number may have been sent, before the first of them
  /// goes out and before an answered push makes room for another.
  ///
  /// - Parameters:
  ///   - answers: empty afterwards.
  ///   - sequence: the last push about to be sent; 0 for none.
  func write(_ answers: inout [AnswerNote], sentUpTo sequence: UInt64)
  /// Forgets the oldest answers: so many of their results are committed.
  func forget(_ count: Int)
}
