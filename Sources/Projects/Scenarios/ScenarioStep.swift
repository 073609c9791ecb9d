public import APNS
public import Recipients

/// One notification of a scenario, to whom it goes, and what must come back.
public struct ScenarioStep: Sendable {
  /// Its number among the notifications of its scenario, from 1.
  public var number: Int

  /// What it is called; nil when it does not say.
  public var name: String?

  /// Where it is written.
  public var origin: Origin

  /// How long to wait before it, from the end of the step before, in milliseconds.
  public var pauseMilliseconds: Int

  /// The headers that the notification gives, as written. `apns-expiration` may hold a time span.
  public var fields: [DraftField]

  /// The payload; nil when the notification has none.
  public var payload: DraftPayload?

  /// Who to send to: its own recipients, else the scenario's.
  public var recipients: [RecipientSource]

  /// What must come back; nil wants every push accepted, and no more.
  public var expectation: Expectation?
}
