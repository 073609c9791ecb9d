/// The end of a run, or of a pass of it.
public struct RunEnding: Sendable, Hashable {
  /// `finished` when the lists were read to the end and each push has a result.
  public var state: RunState
  /// Counts of the lists' lines in this pass, up to the last push that was handed on to be sent.
  public var recipients: RecipientCounts
  /// The figures to keep; nil keeps none.
  public var figures: RunFigures?
  /// The reasons of this pass, each with its count.
  public var reasons: [ReasonCount]
  /// The answers of the environments that were asked, in order; none where the right one was known.
  public var asked: [EnvironmentAnswer]
  /// The time, in milliseconds since 1970 UTC.
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
