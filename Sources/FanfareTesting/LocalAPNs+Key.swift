internal import Credentials
public import Fanfare
internal import PushEmulator

extension LocalAPNs {
  /// A signing key for provider tokens. No description shows it.
  public struct Key: Sendable {
    /// The key ID.
    public let keyID: String

    /// The team ID.
    public let teamID: String

    /// The private key in PEM, as a `.p8` file has it, for any client.
    public let pem: String

    /// The credentials for a `PushClient`.
    public let credentials: PushClient.Credentials

    /// Makes a key that exists in this process only.
    ///
    /// - Parameters:
    ///   - keyID: 10 letters and digits.
    ///   - teamID: 10 letters and digits.
    /// - Throws: `CredentialsError`.
    public init(
      keyID: String = "ABC123DEFG", teamID: String = "DEF123GHIJ"
    ) throws(CredentialsError) {
      try self.init(pem: Self.newPEM(), keyID: keyID, teamID: teamID)
    }

    /// Takes a key in PEM, such as one that the app's configuration for tests names.
    ///
    /// - Throws: `CredentialsError`.
    public init(pem: String, keyID: String, teamID: String) throws(CredentialsError) {
      credentials = try .signingKey(pem: pem, keyID: keyID, teamID: teamID)
      (self.pem, self.keyID, self.teamID) = (pem, keyID, teamID)
    }

    /// A new key; empty text, which is none, when OpenSSL has no random numbers.
    private static func newPEM() -> String {
      (try? SigningKey.generate().pem()) ?? ""
    }

    func trusted() throws -> TrustedKey {
      let key = try SigningKey(contents: SecretBytes(pem))
      return try TrustedKey(keyID: keyID, teamID: teamID, publicKey: try key.publicKeyDER())
    }
  }
}

extension LocalAPNs.Key: CustomStringConvertible, CustomReflectable {
  /// The key ID.
  public var description: String { keyID }

  /// Only the IDs, so that `dump` does not print the key either.
  public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID, "teamID": teamID]) }
}
