public import APNS
public import PushModel

/// The stop of a queued run. No worker takes the run again until a user names it.
public struct QueueStop: Sendable, Hashable {
  /// The time of the stop, in milliseconds since 1970 by the server's clock.
  public let at: Int64
  /// The reason for the stop; nil when none was given.
  public let cause: String?

  package init(at: Int64, cause: String?) { (self.at, self.cause) = (at, cause) }
}

/// The rest of a run in the queue, and the workers on it.
public struct QueueState: Sendable, Hashable {
  /// The time of this standing, in milliseconds since 1970 by the server's clock, as are all here.
  public let now: Int64
  /// The number of pushes that any worker may take now.
  public let free: Int
  /// The number of pushes without a final result that active workers have claimed.
  public let claimed: Int
  /// The number of pushes that wait because APNs deferred them or others in their chunk.
  public let deferred: Int
  /// The due time of the first deferred push; nil when there is none.
  public let nextDue: Int64?
  /// The number of pushes without a result that active workers may have sent.
  public let underway: Int
  /// The number of pushes without a result that may have been sent by workers that are gone.
  public let inDoubt: Int
  /// The workers that have sent part of it, oldest first.
  public let workers: [WorkerEntry]

  /// The number of pushes without a final result.
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

/// A worker's time on one queued run.
public struct WorkerEntry: Sendable, Hashable {
  /// The state of a worker.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// It has chunks, or is looking for some.
    case working
    /// It has returned its chunks.
    case ended
    /// It was silent for the length of its lease: others take over its chunks.
    case lost
  }

  /// The unique number of this entry.
  public let number: Int64
  /// The run.
  public let run: RunNumber
  /// The worker's name.
  public let name: String
  /// The version of this tool that the worker runs.
  public let version: String
  /// The state of the worker.
  public let state: State
  /// The start time, in milliseconds since 1970 by the server's clock.
  public let started: Int64
  /// The time it ended or was found lost; nil before that.
  public let ended: Int64?
  /// The time it was last heard from.
  public let heard: Int64
  /// The results it brought. A deferred push counts again when it is sent again.
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

/// A result other than the one that counts, of a push that two workers have sent.
public struct OtherResult: Sendable, Hashable {
  /// The push's number in its run.
  public let sequence: UInt64
  /// The name of the worker that sent it; nil for a result that counted until a better one came.
  public let worker: String?
  /// The outcome there.
  public let outcome: Outcome
  /// The status of the answer; nil when there was none.
  public let status: Status?
  /// The reason APNs refused it.
  public let reason: Reason?
  /// The number of requests made.
  public let attempts: Int
  /// The time of the result, in milliseconds since 1970 UTC.
  public let at: Int64

  package init(
    sequence: UInt64, worker: String?, outcome: Outcome, status: Status?, reason: Reason?,
    attempts: Int, at: Int64
  ) {
    (self.sequence, self.worker, self.outcome) = (sequence, worker, outcome)
    (self.status, self.reason, self.attempts, self.at) = (status, reason, attempts, at)
  }
}
