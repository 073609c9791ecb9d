public import APNS
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

  /// The recipients that no pass has read; nil when all were read. Their number is unknown if a
  /// later pass than the one with the figures read further, and was killed or is under way. Those of
  /// a finished run cannot be read any more.
  public var unread: UnreadRecipients? {
    if state == .finished { return figures?.unread }
    if last != nil || state == .enqueued { return nil }
    guard let figures, figures.recipients.lines == recipients.lines else {
      return UnreadRecipients()
    }
    return figures.unread
  }
}

/// A push and its outcome, as the history has them.
public struct PushEntry: Sendable, Hashable {
  /// Its run.
  public let run: RunNumber
  /// Its number in the run, from 1.
  public let sequence: UInt64
  /// The `apns-id`, the same on every attempt.
  public let apnsID: APNSID
  /// The digits of the device token, in lowercase; empty when it goes to a channel.
  public let token: String
  /// The broadcast channel it goes to; nil when it goes to a device.
  public let channel: String?
  /// The list that its recipient came from, as the user named it.
  public let list: String
  /// The line in the list, from 1.
  public let line: Int
  /// The outcome.
  public let outcome: Outcome
  /// The last answer; nil when there was none.
  public let response: Response?
  /// The number of requests made for it.
  public let attempts: Int
  /// It was sent again while an earlier request was in doubt.
  public let wasResentInDoubt: Bool
  /// The time from the last request to its answer, in microseconds; nil without an answer.
  public let latencyMicroseconds: Int?
  /// The time of its result, in milliseconds since 1970 UTC.
  public let at: Int64
  /// The app's registration time from the list, in seconds since 1970; nil when not given.
  public let registered: Int64?
  /// The pass of the run in which the result came, from 0.
  public let pass: Int64

  /// The time of the answer, in milliseconds since 1970 UTC; nil without an answer.
  public var answeredAt: Int64? { response == nil ? nil : at }

  /// Creates an entry.
  package init(
    run: RunNumber, sequence: UInt64, apnsID: APNSID, token: String, channel: String? = nil,
    list: String, line: Int, outcome: Outcome, response: Response?, attempts: Int,
    wasResentInDoubt: Bool,
    latencyMicroseconds: Int?, at: Int64, registered: Int64?, pass: Int64
  ) {
    self.run = run
    self.sequence = sequence
    self.apnsID = apnsID
    self.token = token
    self.channel = channel
    self.list = list
    self.line = line
    self.outcome = outcome
    self.response = response
    self.attempts = attempts
    self.wasResentInDoubt = wasResentInDoubt
    self.latencyMicroseconds = latencyMicroseconds
    self.at = at
    self.registered = registered
    self.pass = pass
  }
}

/// A broadcast channel as the history knows it.
public struct ChannelEntry: Sendable, Hashable {
  /// The channel.
  public let id: ChannelID
  /// The server it exists on: the name of the environment, or a URL.
  public let server: String
  /// The app that owns it.
  public let app: BundleID
  /// The storage policy; nil when it was never read.
  public var policy: StoragePolicy?
  /// The time it was created with this history, in milliseconds since 1970 UTC; nil if it was not.
  public let created: Int64?
  /// The `apns-request-id` of its creation; nil when it was not created with this history.
  public let requestID: APNSID?
  /// The time it was deleted with this history, in milliseconds since 1970 UTC; nil if it was not.
  public let deleted: Int64?

  /// Creates an entry.
  public init(
    _ id: ChannelID, at server: String, of app: BundleID, policy: StoragePolicy? = nil,
    created: Int64? = nil, requestID: APNSID? = nil, deleted: Int64? = nil
  ) {
    (self.id, self.server, self.app, self.policy) = (id, server, app, policy)
    (self.created, self.requestID, self.deleted) = (created, requestID, deleted)
  }
}
