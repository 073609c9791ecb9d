public import APNS
public import PushModel

/// A run of the queue that was stopped: no worker takes it until it is named.
public struct QueueStop: Sendable, Hashable {
  /// When, in milliseconds since 1970 by the server's clock.
  public let at: Int64
  /// Why; nil when it was not said.
  public let cause: String?

  package init(at: Int64, cause: String?) { (self.at, self.cause) = (at, cause) }
}

/// What is left of a run in the queue, and who works on it.
public struct QueueStanding: Sendable, Hashable {
  /// When this was so, in milliseconds since 1970 by the server's clock, as all times here are.
  public let now: Int64
  /// How many pushes any worker may take now.
  public let free: Int
  /// How many pushes workers have claimed that are working, and have no last result.
  public let claimed: Int
  /// How many pushes wait because APNs asked to send them, or others of their chunk, later.
  public let deferred: Int
  /// When the first of the deferred pushes is due; nil when there is none.
  public let nextDue: Int64?
  /// How many pushes working workers may have sent that have no result yet.
  public let underway: Int
  /// How many pushes may have been sent by workers that are gone, and have no result.
  public let inDoubt: Int
  /// The workers that have sent some of it, oldest first.
  public let workers: [WorkerEntry]

  /// How many pushes have no last result.
  public var left: Int { free + claimed + deferred }

  package init(
    now: Int64, free: Int, claimed: Int, deferred: Int, nextDue: Int64?, underway: Int,
    inDoubt: Int, workers: [WorkerEntry]
  ) {
    (self.now, self.free, self.claimed, self.deferred) = (now, free, claimed, deferred)
    (self.nextDue, self.underway, self.inDoubt) = (nextDue, underway, inDoubt)
    self.workers = workers
  }
}

/// A worker's time on one run of the queue.
public struct WorkerEntry: Sendable, Hashable {
  /// What has become of it.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// It has chunks, or looks for some.
    case working
    /// It has handed back what it had.
    case ended
    /// It was not heard of for as long as its lease lasted: others take what it had.
    case lost
  }

  /// Its number: no other has it.
  public let number: Int64
  /// The run.
  public let run: RunNumber
  /// What the worker is called.
  public let name: String
  /// The version of this tool that it runs.
  public let version: String
  /// What has become of it.
  public let state: State
  /// When it began, in milliseconds since 1970 by the server's clock.
  public let started: Int64
  /// When it ended, or was found to be lost; nil before that.
  public let ended: Int64?
  /// When it was last heard of.
  public let heard: Int64
  /// The results that it brought. A deferred push counts again when it is sent again.
  public let tally: OutcomeTally

  package init(
    number: Int64, run: RunNumber, name: String, version: String, state: State, started: Int64,
    ended: Int64?, heard: Int64, tally: OutcomeTally
  ) {
    (self.number, self.run, self.name, self.version) = (number, run, name, version)
    (self.state, self.started, self.ended, self.heard) = (state, started, ended, heard)
    self.tally = tally
  }
}

/// A result of a push beside the one that counts: two workers have sent it.
public struct OtherResult: Sendable, Hashable {
  /// The push's number in its run.
  public let sequence: UInt64
  /// What the worker is called that brought it; nil for a result that counted until a better one came.
  public let worker: String?
  /// What became of the push there.
  public let outcome: Outcome
  /// The status of the answer; nil when there was none.
  public let status: Status?
  /// Why APNs refused it.
  public let reason: Reason?
  /// How many requests were made.
  public let attempts: Int
  /// When the result came, in milliseconds since 1970 UTC.
  public let at: Int64

  package init(
    sequence: UInt64, worker: String?, outcome: Outcome, status: Status?, reason: Reason?,
    attempts: Int, at: Int64
  ) {
    (self.sequence, self.worker, self.outcome) = (sequence, worker, outcome)
    (self.status, self.reason, self.attempts, self.at) = (status, reason, attempts, at)
  }
}
