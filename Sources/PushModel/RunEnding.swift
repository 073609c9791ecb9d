/// How a run, or a pass of it, ended.
public struct RunEnding: Sendable, Hashable {
  /// `finished` when the lists were read to the end and each push has a result.
  public var state: RunState
  /// What became of the lists' lines in this pass, up to the last push that was handed on to be sent.
  public var recipients: RecipientCounts
  /// What it came to; nil keeps no figures.
  public var figures: RunFigures?
  /// How often each reason came in this pass.
  public var reasons: [ReasonCount]
  /// What each environment answered that was asked, in order; nothing where it was known where to send.
  public var asked: [EnvironmentAnswer]
  /// When, in milliseconds since 1970 UTC.
  public var at: Int64

  /// An ending.
  public init(
    _ state: RunState, recipients: RecipientCounts, figures: RunFigures? = nil,
    reasons: [ReasonCount] = [], asked: [EnvironmentAnswer] = [], at time: Int64
  ) {
    (self.state, self.recipients, self.figures) = (state, recipients, figures)
    (self.reasons, self.asked, at) = (reasons, asked, time)
  }
}
