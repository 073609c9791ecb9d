/// What a person says about who is sending, not looked at yet.
public enum CredentialsSetting: Sendable, Hashable {
  /// With provider tokens.
  case key(KeySetting)
  /// With a client certificate.
  case certificate(CertificateSetting)
  /// As a profile says, which has this name.
  case profile(String)
}

/// What a person says about a signing key.
public struct KeySetting: Sendable, Hashable {
  /// Where the `.p8` file's contents are.
  public var key: SecretPlace
  /// The key's id; nil takes it from the file's name.
  public var keyID: String?
  /// The team's id; nil when nobody says it here.
  public var teamID: String?
  /// Where the password of a locked key is; nil when nobody says it here.
  public var password: SecretPlace?
}

/// What a person says about a client certificate.
public struct CertificateSetting: Sendable, Hashable {
  /// Where the certificate is, with its key unless that has a file of its own.
  public var certificate: SecretPlace
  /// The file with the key; nil when it is with the certificate.
  public var key: String?
  /// Where the password is; nil when nobody says it here.
  public var password: SecretPlace?
}
