internal import Credentials

/// A public key whose provider tokens the emulator takes.
public struct TrustedKey: Sendable, Hashable {
  /// Why the bytes are no key that can sign provider tokens.
  public enum Failure: Error, Sendable, Hashable {
    /// They are not a SubjectPublicKeyInfo.
    case unreadable
    /// The key is not an EC key on curve P-256, which ES256 needs (RFC 7518 section 3.4).
    case notP256
  }

  /// The key's ID, as in `kid`.
  public let keyID: String
  /// The team the key belongs to, as in `iss`.
  public let teamID: String
  /// Where the key is valid. An older key is valid everywhere (Apple: Establishing a token-based
  /// connection to APNs); the others are answered with `BadEnvironmentKeyInToken` elsewhere.
  public let environments: Set<EmulatorEnvironment>
  private let publicKey: [UInt8]

  /// A key to trust.
  ///
  /// - Parameters:
  ///   - keyID: The key's ID, 10 characters.
  ///   - teamID: The team's ID, 10 characters.
  ///   - publicKey: The public key as SubjectPublicKeyInfo in DER (RFC 5280 section 4.1.2.7).
  ///   - environments: Where the key is valid; everywhere unless said otherwise.
  /// - Throws: `Failure` when the bytes are no key that can sign provider tokens.
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

  /// Whether this key made a signature.
  func verifies(
    _ signature: [UInt8], _ form: ProviderTokenFacts.SignatureForm, of text: [UInt8]
  ) -> Bool {
    ECDSASignature.isValid(signature, form, of: text, publicKey)
  }
}

/// Which of APNs' two environments the emulator stands for.
public enum EmulatorEnvironment: String, Sendable, Hashable, CaseIterable {
  /// For TestFlight and the App Store.
  case production
  /// For development builds.
  case sandbox
}
