/// The user's rules for pushes that could not be delivered at once.
public struct RetryRules: Sendable, Hashable {
  /// The number of resends after APNs asked to come back later (5xx); 0 leaves them to
  /// `fanfare resume`.
  public var retries: Int

  /// The wait before the first of these resends, in milliseconds; it doubles each time. Apple asks
  /// for 15 minutes ("Handling notification responses from APNs").
  public var retryDelayMilliseconds: Int

  /// A push that may have been processed is never sent again.
  public var isAtMostOnce: Bool

  /// The first wait between attempts at a device token that gets too many pushes, in milliseconds;
  /// it doubles each time.
  public var slowTokenGapMilliseconds = 10_000

  /// A push waits when its device token gets too many (429). In a run of one push it does not,
  /// since a user is waiting.
  public var waitsForSlowTokens: Bool

  /// A push is rejected, rather than deferred, when APNs refuses the credentials before accepting
  /// any. The push is not at fault, but if it is the only one, a user waits for the answer.
  public var rejectsForCredentials: Bool

  /// Creates rules with the design's defaults.
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
