public import PushModel

/// What became of a push in another run that sends it too.
public struct RelatedResult: Sendable, Hashable {
  /// The other run.
  public let run: RunNumber
  /// What became of it there.
  public let outcome: Outcome
  /// How many requests were made for it there.
  public let attempts: Int
  /// When its result came, in milliseconds since 1970 UTC.
  public let at: Int64

  package init(run: RunNumber, outcome: Outcome, attempts: Int, at: Int64) {
    (self.run, self.outcome, self.attempts, self.at) = (run, outcome, attempts, at)
  }
}
