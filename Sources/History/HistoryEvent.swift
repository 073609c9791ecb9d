public import PushModel

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
