internal import Credentials

/// A public key whose provider tokens the emulator accepts.
public struct TrustedKey: Sendable, Hashable {
  /// The reason the bytes are not a key that can sign provider tokens.
  public enum Failure: Error, Sendable, Hashable {
    /// They are not a SubjectPublicKeyInfo.
    case unreadable
    /// The key is not an EC key on curve P-256, which ES256 needs (RFC 7518 section 3.4).
    case notP256
  }

  /// The key's ID, as in `kid`.
  public let keyID: String
  /// The ID of the team the key belongs to, as in `iss`.
  public let teamID: String
  /// The environments the key is valid in. Older keys are valid in both (Apple: Establishing a
  /// token-based connection to APNs); others get `BadEnvironmentKeyInToken` elsewhere.
  public let environments: Set<EmulatorEnvironment>
  private let publicKey: [UInt8]

  /// Creates a trusted key.
  ///
  /// - Parameters:
  ///   - keyID: The key's ID, 10 characters.
  ///   - teamID: The team's ID, 10 characters.
  ///   - publicKey: The public key as SubjectPublicKeyInfo in DER (RFC 5280 section 4.1.2.7).
  ///   - environments: The environments the key is valid in; both by default.
  /// - Throws: `Failure` if the bytes are not a key that can sign provider tokens.
  public init(
    keyID: String, teamID: String, publicKey: [UInt8],
    environments: Set<EmulatorEnvironment> = Set(EmulatorEnvironment.allCases)
  ) throws(Failure) {
    self.keyID = keyID
    self.teamID = teamID
    self.publicKey = publicKey
    self.environments = environments
    guard let kind = ECDSASignature.keyKind(of: publicKey) else { throw .unreadable }
    guard kind == ECDSASignature.usableKeyKind else { throw .notP256 }
  }

  /// Returns true if this key made the signature.
  func verifies(
    _ signature: [UInt8], _ form: ProviderTokenFacts.SignatureForm, of text: [UInt8]
  ) -> Bool {
    ECDSASignature.isValid(signature, form, of: text, publicKey)
  }
}

/// The APNs environment that the emulator stands for.
public enum EmulatorEnvironment: String, Sendable, Hashable, CaseIterable {
  /// For TestFlight and the App Store.
  case production
  /// For development builds.
  case sandbox
}
