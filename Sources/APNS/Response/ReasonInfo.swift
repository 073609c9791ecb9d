/// What there is to know about one reason: a row of ``Reason/table``.
public struct ReasonInfo: Sendable, Hashable {
  /// The reason.
  public let reason: Reason
  /// The status it comes with.
  public let status: Status
  /// Which requests are refused with it.
  public let scope: RequestScope
  /// When the push may be sent again.
  public let retry: RetryClass
  /// Whether the connection it came on is of no more use.
  public let needsNewConnection: Bool
  /// What it says about the device token.
  public let deadToken: DeadToken
  /// What went wrong, in one line.
  public let meaning: String
  /// What to do about it.
  public let advice: String
  /// The page that says so.
  public let source: String

  init(
    _ reason: Reason, _ status: Status, _ retry: RetryClass, on scope: RequestScope = .device,
    needsNewConnection: Bool = false, deadToken: DeadToken = .no, meaning: String,
    advice: String, source: String = Source.responses
  ) {
    self.reason = reason
    self.status = status
    self.scope = scope
    self.retry = retry
    self.needsNewConnection = needsNewConnection
    self.deadToken = deadToken
    self.meaning = meaning
    self.advice = advice
    self.source = source
  }
}
