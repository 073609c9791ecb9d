public import APNS
public import JSONText

/// A file that says what to send, to whom, and where. Every part but the notification may be left
/// to options and variables.
public struct Scenario: Sendable {
  /// Where a scenario's key is kept.
  public enum Key: Sendable, Hashable {
    /// A `.p8` file.
    case file(String)
    /// An environment variable that holds what `FANFARE_KEY` may hold.
    case variable(String)
  }

  /// Who is sending.
  public struct Credentials: Sendable, Hashable {
    /// Where the key is kept.
    public var key: Key
    /// The key's id; nil takes it from the file's name.
    public var keyID: String?
    /// The team's id; nil when the scenario does not say.
    public var teamID: String?
  }

  /// The scenario's file, as the user named it.
  public var file: String

  /// What it is called; nil when it does not say.
  public var name: String?

  /// The app, as it was written; nil when the scenario does not say.
  public var bundleID: DraftField?

  /// The service; nil when the scenario does not say.
  public var environment: PushEnvironment?

  /// A PEM file of certificates to trust; nil adds none.
  public var roots: String?

  /// Who is sending; nil when the scenario does not say.
  public var credentials: Credentials?

  /// Who to send to.
  public var recipients: [RecipientSource] = []

  /// What placeholders of the payload take where a recipient has no value; JSON types are kept.
  public var variables: [String: JSON] = [:]

  /// The headers that the notification gives, as written. `apns-expiration` may hold a time span.
  public var fields: [DraftField] = []

  /// The payload; nil when the notification has none.
  public var payload: DraftPayload?
}
