public import PushModel

/// A run as the history has it.
public struct RunEntry: Sendable, Hashable {
  /// Its number.
  public let run: RunNumber
  /// What was kept of it when it began.
  public let record: RunRecord
  /// How far it has come; nil when a newer version of this tool said it in another way.
  public let state: RunState?
  /// When it ended, or its last pass did, in milliseconds since 1970 UTC; nil while it goes on, and
  /// when its process was killed.
  public let ended: Int64?
  /// The pushes that have a result.
  public let tally: OutcomeTally
  /// What became of the lists' lines, as far as they were read.
  public let recipients: RecipientCounts
  /// The number of pushes that may have been sent. Those without a result are in doubt. Claims are
  /// made ahead: as long as ``last`` is not known, there may be fewer pushes than this.
  public let claimed: Int
  /// The number of the last push; nil when the lists were not read to their end.
  public let last: Int?
  /// The figures that its last pass ended with; nil before one has ended.
  public let figures: RunFigures?
  /// How often it was resumed.
  public let resumptions: Int
  /// That it is in the queue and was stopped; nil for one that was not, or was never in it.
  public let stop: QueueStop?

  /// A run, as a history has it.
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
  /// What became of all pushes that were read. Those that were never claimed when the run was stopped
  /// have no result, and were not attempted.
  public var completeTally: OutcomeTally {
    var complete = tally
    guard ended != nil else { return complete }
    let accounted = tally.total + claimedWithoutResult
    complete.add(max(0, recipients.pushes - accounted), to: .notAttempted)
    return complete
  }

  /// How many pushes may have been sent and have no result; more than there are, perhaps, as long as
  /// ``last`` is not known.
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
