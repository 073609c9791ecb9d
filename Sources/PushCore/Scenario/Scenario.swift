public import APNS
public import JSONText

/// A file that says what to send, to whom, and where. Every part but the notification may be left
/// to options and variables.
public struct Scenario: Sendable {
  /// Who is sending: one of the two ways of signing in.
  public enum Credentials: Sendable, Hashable {
    /// With provider tokens.
    case key(KeyCredentials)
    /// With a client certificate.
    case certificate(CertificateCredentials)
  }

  /// A signing key.
  public struct KeyCredentials: Sendable, Hashable {
    /// Where the `.p8` file's contents are.
    public var key: SecretPlace
    /// The key's id; nil takes it from the file's name.
    public var keyID: String?
    /// The team's id; nil when the scenario does not say.
    public var teamID: String?
    /// Where the password of a locked key is; nil when the scenario does not say.
    public var password: SecretPlace?
  }

  /// A client certificate.
  public struct CertificateCredentials: Sendable, Hashable {
    /// Where the certificate is, with its key unless that has a file of its own.
    public var certificate: SecretPlace
    /// The file with the key; nil when it is with the certificate.
    public var key: String?
    /// Where the password is; nil when the scenario does not say.
    public var password: SecretPlace?
  }

  /// The scenario's file, as the user named it.
  public var file: String

  /// What it is called; nil when it does not say.
  public var name: String?

  /// The app, as it was written; nil when the scenario does not say.
  public var bundleID: DraftField?

  /// The service; nil when the scenario does not say.
  public var environment: EnvironmentSetting?

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
