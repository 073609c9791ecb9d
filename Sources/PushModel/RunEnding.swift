/// How a run, or a pass of it, ended.
public struct RunEnding: Sendable, Hashable {
  /// `finished` when the lists were read to the end and each push has a result.
  public var state: RunState
  /// What became of the lists' lines in this pass, up to the last push that was handed on to be sent.
  public var recipients: RecipientCounts
  /// The run's figures as a JSON object.
  public var summary: String
  /// When, in milliseconds since 1970 UTC.
  public var at: Int64

  /// An ending.
  public init(
    _ state: RunState, recipients: RecipientCounts, summary: String = "{}", at time: Int64
  ) {
    (self.state, self.recipients, self.summary, at) = (state, recipients, summary, time)
  }
}
