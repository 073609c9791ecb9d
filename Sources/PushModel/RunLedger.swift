/// The books of one run while it is being sent: which pushes may have been sent, and what became of
/// them. Nothing counts before it is committed. It belongs to one thread at a time.
///
/// After a failure it takes no more claims, and keeps the results that it could not commit until
/// ``retry()`` succeeds or ``takeUncommitted()`` hands them out.
public protocol RunLedger: AnyObject {
  /// The number of the run.
  var run: RunNumber { get }
  /// What is kept of the run.
  var record: RunRecord { get }
  /// What was left to do when the run was resumed; nil for a new run.
  var plan: ResumePlan? { get }
  /// Why nothing is committed any more; nil while all is well.
  var failure: HistoryError? { get }
  /// How many of the results that were handed in are committed, in the order they came.
  var committed: Int { get }
  /// What the committed results are, with those of earlier passes.
  var tally: OutcomeTally { get }
  /// Pushes up to this one are claimed in this pass and may be sent.
  var claimed: UInt64 { get }
  /// When the first of the deferred pushes is or was due, in milliseconds since 1970 UTC; nil when
  /// there is none.
  var nextDue: Int64? { get }
  /// How long results may wait to be committed, in milliseconds.
  var longestWait: Int { get }
  /// When a ledger whose database is away tries again, in nanoseconds of the monotonic clock; nil
  /// while it is there. Until then it keeps what it is given, and does not fail.
  var retryAt: UInt64? { get }

  /// Writes down that the run is sent again, unless that is done.
  ///
  /// - Throws: `HistoryError`; then nothing may be sent.
  func beginPass() throws(HistoryError)
  /// Begins to keep how far the pushes of this pass are sent, once the pass has begun. Without a mark
  /// all that are claimed count as sent; nil when none can be kept, or none is needed.
  func keepSentMark() -> (any SentMark)?
  /// The standing of each push of a resumed run, for the thread that reads the lists again; nil for
  /// a new run.
  func standings() throws(HistoryError) -> sending (any PushStandings)?
  /// Goes through the pushes that are in doubt, as ranges of sequence numbers in order. Memory does
  /// not grow with their number.
  func forEachInDoubt(_ body: (ClosedRange<UInt64>) -> Void) throws(HistoryError)
  /// From now on keeps, with each result, the payload that the row made of the template.
  func keepPayloads() throws(HistoryError)
  /// Sees to it that pushes up to a number are claimed, before the first of them is sent.
  ///
  /// - Throws: `HistoryError`; then none of them may be sent.
  func claim(upTo sequence: UInt64) throws(HistoryError)
  /// The lists were read so far. The results that are handed in have to be of lines in it.
  func read(_ counts: RecipientCounts)
  /// Takes results, and commits all that wait when they are many.
  ///
  /// - Parameter now: the time in milliseconds since 1970 UTC.
  /// - Throws: `HistoryError`; the results are kept even then.
  func record(_ results: [PushResult], now: Int64) throws(HistoryError)
  /// Commits what waits.
  func commit() throws(HistoryError)
  /// The lists were read to their end: no push has a higher number.
  func listsEnded(at sequence: UInt64)
  /// Who was read by earlier passes and is not in the lists any more, which now end with a push; nil
  /// when all are, as they are in a new run.
  func gone(after sequence: UInt64) throws(HistoryError) -> GoneRecipients?
  /// Ends the run, or this pass of it, and commits what waits. Recipients that are gone are settled.
  ///
  /// - Parameters:
  ///   - state: `finished` when the lists were read to the end and each push has a result.
  ///   - counts: what became of the lists' lines in this pass.
  ///   - summary: the run's figures as a JSON object.
  ///   - now: the time in milliseconds since 1970 UTC.
  func finish(
    _ state: RunState, recipients counts: RecipientCounts, summary: String, now: Int64
  ) throws(HistoryError)
  /// Tries once more after a failure.
  func retry() throws(HistoryError)
  /// Waits until ``retryAt``, or less long.
  func awaitRetry()
  /// Hands the results out that could not be committed, to be saved elsewhere.
  func takeUncommitted() -> [PushResult]
}

extension RunLedger {
  /// A ledger that fails when its database is away.
  public var retryAt: UInt64? { nil }

  /// Not at all.
  public func awaitRetry() {}
}

/// Looks up the standing of each push of a resumed run, in the order of the lists.
public protocol PushStandings: AnyObject {
  /// The standing of a push. Sequence numbers must be asked for in ascending order.
  func standing(of sequence: UInt64) throws(HistoryError) -> Standing
}

/// Remembers how far pushes were handed to the network, even if the process is killed at once. Any
/// thread may raise it.
public protocol SentMark: AnyObject, Sendable {
  /// From now on pushes up to this one may have been sent.
  func raise(to sequence: UInt64)
}
