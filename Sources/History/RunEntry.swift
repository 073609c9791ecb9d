public import PushModel

/// A run as the history has it.
public struct RunEntry: Sendable, Hashable {
  /// Its number.
  public let run: RunNumber
  /// The record from when it began.
  public let record: RunRecord
  /// The state; nil when a newer version of this tool recorded one unknown here.
  public let state: RunState?
  /// The time it or its last pass ended, in milliseconds since 1970 UTC; nil while it goes on, and
  /// when its process was killed.
  public let ended: Int64?
  /// The pushes that have a result.
  public let tally: OutcomeTally
  /// The counts of the lists' lines, as far as they were read.
  public let recipients: RecipientCounts
  /// The number of pushes that may have been sent; those without a result are in doubt. Claims are
  /// made ahead, so there may be fewer pushes than this while ``last`` is unknown.
  public let claimed: Int
  /// The number of the last push; nil when the lists were not read to their end.
  public let last: Int?
  /// The figures that its last pass ended with; nil before one has ended.
  public let figures: RunFigures?
  /// The number of times it was resumed.
  public let resumptions: Int
  /// The stop of a queued run; nil when it was not stopped, or was never queued.
  public let stop: QueueStop?

  /// Creates an entry.
  package init(
    run: RunNumber, record: RunRecord, state: RunState?, ended: Int64?, tally: OutcomeTally,
    recipients: RecipientCounts, claimed: Int, last: Int?, figures: RunFigures? = nil,
    resumptions: Int, stop: QueueStop? = nil
  ) {
    self.run = run
    self.record = record
    self.state = state
    self.ended = ended
    self.tally = tally
    self.recipients = recipients
    self.claimed = claimed
    self.last = last
    self.figures = figures
    self.resumptions = resumptions
    self.stop = stop
  }
}

extension RunEntry {
  /// The outcomes of all pushes that were read. Pushes never claimed when the run was stopped have
  /// no result and count as not attempted.
  public var completeTally: OutcomeTally {
    var complete = tally
    guard ended != nil else { return complete }
    let accounted = tally.total + claimedWithoutResult
    complete.add(max(0, recipients.pushes - accounted), to: .notAttempted)
    return complete
  }

  /// The number of pushes without a result that may have been sent; possibly more than exist while
  /// ``last`` is unknown.
  public var claimedWithoutResult: Int {
    state == .finished ? 0 : max(0, min(claimed, last ?? claimed) - tally.total)
  }

  /// The recipients that no pass has read; nil when all were read. Nothing is known of them when a pass
  /// read further than the one whose figures there are, because it was killed or goes on.
  public var unread: UnreadRecipients? {
    if last != nil || state == .finished || state == .enqueued { return nil }
    guard let figures, figures.recipients.lines == recipients.lines else {
      return UnreadRecipients()
    }
    return figures.unread
  }
}
