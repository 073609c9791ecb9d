/// The facts about one reason: a row of ``Reason/table``.
public struct ReasonInfo: Sendable, Hashable {
  /// The reason.
  public let reason: Reason
  /// The status it comes with.
  public let status: Status
  /// The requests that are rejected with it.
  public let scope: RequestScope
  /// The condition for resending the push.
  public let retry: RetryClass
  /// True if the connection is no longer usable.
  public let needsNewConnection: Bool
  /// The verdict on the device token.
  public let deadToken: DeadToken
  /// The meaning, in one line.
  public let meaning: String
  /// The advice on it.
  public let advice: String
  /// The Apple page that documents it.
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
