internal import COpenSSL

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
    guard let key = PublicKey(publicKey) else { throw .unreadable }
    guard key.isP256 else { throw .notP256 }
  }

  /// Whether this key made a signature, given in DER.
  func verifies(_ signature: [UInt8], of text: some Collection<UInt8>) -> Bool {
    PublicKey(publicKey)?.verifies(signature, of: Array(text)) ?? false
  }
}

/// The one owner of a public key in OpenSSL's form.
private struct PublicKey: ~Copyable {
  private let pointer: OpaquePointer

  /// Reads a SubjectPublicKeyInfo; nil when the bytes are none, or more than that.
  init?(_ der: [UInt8]) {
    let pointer = der.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      let key = d2i_PUBKEY(nil, &next, bytes.count)
      return next == bytes.baseAddress.map { $0 + bytes.count } ? key : nil
    }
    guard let pointer else {
      ERR_clear_error()
      return nil
    }
    self.pointer = pointer
  }

  deinit { EVP_PKEY_free(pointer) }

  var isP256: Bool {
    var name = [CChar](repeating: 0, count: 64)
    var count = 0
    guard EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else { return false }
    return name.starts(with: "prime256v1".utf8.map { CChar($0) })
  }

  func verifies(_ signature: [UInt8], of text: [UInt8]) -> Bool {
    guard let context = EVP_MD_CTX_new() else { return false }
    defer {
      EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, pointer) == 1
      && EVP_DigestVerify(context, signature, signature.count, text, text.count) == 1
  }
}

/// Which of APNs' two environments the emulator stands for.
public enum EmulatorEnvironment: String, Sendable, Hashable, CaseIterable {
  /// For development builds.
  case sandbox
  /// For TestFlight and the App Store.
  case production
}
