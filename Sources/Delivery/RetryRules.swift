/// What the user allows a run to do with pushes that could not be delivered at once.
public struct RetryRules: Sendable, Hashable {
  /// How often a push is sent again after APNs asked to come back later (5xx); 0 leaves it to
  /// `fanfare resume`.
  public var retries: Int

  /// How long to wait before the first of these, in milliseconds; each further wait is twice as
  /// long. Apple asks for 15 minutes ("Handling notification responses from APNs").
  public var retryDelayMilliseconds: Int

  /// Whether a push that may have been processed is never sent again.
  public var isAtMostOnce: Bool

  /// The first gap between the tries at a device token that gets too many pushes, in milliseconds;
  /// each further gap is twice as long.
  public var slowTokenGapMilliseconds = 10_000

  /// Whether a push waits when its device token gets too many (429). A run of one push does not:
  /// somebody sits in front of it.
  public var waitsForSlowTokens: Bool

  /// Whether a push is rejected when APNs refuses the credentials before it has taken any. The push
  /// is not to blame, and goes with the next ones; but where it is the only one, somebody waits for
  /// the answer.
  public var rejectsForCredentials: Bool

  /// The rules of the design unless said otherwise.
  public init(
    retries: Int = 0, retryDelayMilliseconds: Int = 15 * 60_000, isAtMostOnce: Bool = false,
    waitsForSlowTokens: Bool = true, rejectsForCredentials: Bool = true
  ) {
    self.retries = retries
    self.retryDelayMilliseconds = retryDelayMilliseconds
    self.isAtMostOnce = isAtMostOnce
    self.waitsForSlowTokens = waitsForSlowTokens
    self.rejectsForCredentials = rejectsForCredentials
  }
}
