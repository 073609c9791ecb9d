/// Keeps the results of a run. Nothing counts before it is committed. A ledger belongs to one thread at a
/// time.
///
/// After a failure it keeps the results that it could not commit until ``retry()`` succeeds or
/// ``takeUncommitted()`` hands them out.
public protocol ResultLedger: AnyObject {
  /// The number of the run.
  var run: RunNumber { get }
  /// The run as it began.
  var record: RunRecord { get }
  /// The reason why nothing is committed any more; nil while all is well. A ledger that waits for a
  /// database which is away has not failed.
  var failure: HistoryError? { get }
  /// The number of committed results, in the order in which they were handed in.
  var committed: Int { get }
  /// The outcomes of the committed results, with those of earlier passes.
  var tally: OutcomeTally { get }
  /// The time when the first of the deferred pushes is or was due, in milliseconds since 1970 UTC; nil
  /// when there is none.
  var nextDue: Int64? { get }

  /// The time at which results have to be committed, at the latest.
  ///
  /// - Parameter since: when the first of them came. Both are nanoseconds of the monotonic clock.
  func commitTime(ofResultsSince since: UInt64) -> UInt64
  /// From now on keeps, with each result, the payload that the row made of the template.
  func keepPayloads() throws(HistoryError)
  /// Takes results, and commits all that wait when they are many.
  ///
  /// - Parameter now: the time in milliseconds since 1970 UTC.
  /// - Throws: `HistoryError`; the results are kept even then.
  func record(_ results: [PushResult], now: Int64) throws(HistoryError)
  /// Commits what waits, or puts it off while the database is away.
  func commit() throws(HistoryError)
  /// Ends the run, or this pass or this worker's share of it, and commits what waits. Recipients that
  /// are gone are settled. It waits for a database that is away as long as the ledger does.
  func finish(_ ending: RunEnding) throws(HistoryError)
  /// Tries once more after a failure.
  func retry() throws(HistoryError)
  /// Hands the results out that could not be committed, to be saved elsewhere.
  func takeUncommitted() -> [PushResult]
}

/// Claims the pushes of a run that one process sends alone, as it reads them from lists, before any of
/// them is sent. It takes no more claims after a failure.
public protocol ClaimLedger: AnyObject {
  /// Pushes up to this one are claimed in this pass and may be sent.
  var claimed: UInt64 { get }

  /// Sees to it that pushes up to a number are claimed, before the first of them is sent.
  ///
  /// - Throws: `HistoryError`; then none of them may be sent.
  func claim(upTo sequence: UInt64) throws(HistoryError)
  /// The lists were read so far. The results that are handed in have to be of lines in it.
  func read(_ counts: RecipientCounts)
  /// The lists were read to their end: no push has a higher number.
  func listsEnded(at sequence: UInt64)
  /// Begins to keep how far the pushes of this pass are sent, once the pass has begun. Without a mark
  /// all that are claimed count as sent; nil when none can be kept, or none is needed.
  func keepSentMark() -> (any SentMark)?
}

/// Knows the work of the earlier passes of a run that is resumed. A new run has none.
public protocol ResumeLedger: AnyObject {
  /// The work that was left when the run was resumed.
  var plan: ResumePlan { get }

  /// Writes down that the run is sent again, unless that is done.
  ///
  /// - Throws: `HistoryError`; then nothing may be sent.
  func beginPass() throws(HistoryError)
  /// The standing of each push, for the thread that reads the lists again.
  func standings() throws(HistoryError) -> sending any PushStandings
  /// Goes through the pushes that are in doubt, as ranges of sequence numbers in order. Memory does
  /// not grow with their number.
  func forEachInDoubt(_ body: (ClosedRange<UInt64>) -> Void) throws(HistoryError)
  /// The recipients that earlier passes have read and the lists, which now end with this push, no
  /// longer have; nil when there are none.
  func gone(after sequence: UInt64) throws(HistoryError) -> GoneRecipients?
}

/// The ledger of one run while it is sent, as the engine needs it.
public struct RunLedger {
  /// Keeps the results.
  public let results: any ResultLedger
  /// Claims pushes before they are sent; nil where they are claimed before they are handed out, as in a
  /// queue.
  public let claims: (any ClaimLedger)?
  /// Knows the earlier passes; nil for a new run.
  public let resuming: (any ResumeLedger)?

  /// The ledger of a run.
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

/// Looks up the standing of each push of a resumed run, in the order of the lists.
public protocol PushStandings: AnyObject {
  /// The standing of a push. Sequence numbers must be asked for in ascending order.
  func standing(of sequence: UInt64) throws(HistoryError) -> PushState
}

/// Remembers how far pushes were handed to the network, even if the process is killed at once. Any
/// thread may raise it.
public protocol SentMark: AnyObject, Sendable {
  /// From now on pushes up to this one may have been sent.
  func raise(to sequence: UInt64)
}
