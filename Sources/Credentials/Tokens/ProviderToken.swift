public import HTTP2
internal import JSONText
internal import POSIX
internal import PlainText

/// The ES256 JWT in the `authorization` header of each push.
///
/// The text is a secret and left out of descriptions.
public struct ProviderToken: Sendable, Hashable {
  /// The whole token: header, claims and signature in base64url, joined by dots.
  public let text: String

  /// The `iat` claim: the time of issue, in whole seconds since 1970 UTC.
  public let issuedAt: Int64

  /// Creates and signs a token.
  ///
  /// - Throws: `SigningKeyError` if OpenSSL cannot sign.
  public init(
    key: borrowing SigningKey, keyID: KeyID, teamID: TeamID, issuedAt: Int64
  ) throws(SigningKeyError) {
    let signed = Self.signedText(keyID, teamID, issuedAt: issuedAt)
    text = signed + "." + Base64URL.encode(try key.signature(of: Array(signed.utf8)))
    self.issuedAt = issuedAt
  }

  /// Wraps an already signed token.
  init(text: String, issuedAt: Int64) {
    self.text = text
    self.issuedAt = issuedAt
  }

  /// The header and claims, which the signature covers.
  static func signedText(_ keyID: KeyID, _ teamID: TeamID, issuedAt: Int64) -> String {
    let header: JSON = ["alg": "ES256", "kid": JSON(.string(keyID.text))]
    let claims: JSON = ["iss": JSON(.string(teamID.text)), "iat": JSON(.number(.init(issuedAt)))]
    return JSONWebToken.signedText(header: header, claims: claims)
  }
}

extension ProviderToken: CustomStringConvertible, CustomReflectable {
  /// The time of issue only.
  public var description: String { "provider token issued at \(issuedAt)" }

  /// The time of issue only.
  public var customMirror: Mirror { Mirror(self, children: ["issuedAt": issuedAt]) }
}

extension ProviderToken {
  /// Verifies the ES256 signature with a public key (RFC 7518 section 3.4).
  ///
  /// - Parameter publicKey: SubjectPublicKeyInfo in DER (RFC 5480).
  package func isVerified(by publicKey: [UInt8]) -> Bool {
    guard let token = try? JSONWebToken(Array(text.utf8)),
      let raw = try? token.bytes(of: .signature), let signature = ECDSASignature.der(ofRaw: raw)
    else { return false }
    return ECDSASignature.isValid(signature, of: token.signed, publicKey)
  }
}

extension ProviderToken {
  /// The header field that authenticates a request with this token.
  public var authorization: Field {
    Field("authorization", "bearer " + text, indexing: .never)
  }
}

extension ProviderToken {
  /// The text and its digest, one per line, which reveals a truncated file.
  var keptForm: [UInt8] { Array("\(text)\n\(hexadecimal(sha256(Array(text.utf8))))\n".utf8) }

  /// Reads a cached token; nil unless it is complete and for this key ID and team. Its signature is
  /// not verified: whoever could write the file is trusted.
  init?(kept bytes: [UInt8], keyID: KeyID, teamID: TeamID) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count == 3, lines[1].elementsEqual(hexadecimal(sha256(Array(lines[0]))).utf8),
      let issuedAt = Self.issueTime(in: lines[0])
    else { return nil }
    let text = String(decoding: lines[0], as: UTF8.self)
    let signed = Self.signedText(keyID, teamID, issuedAt: issuedAt)
    // 64 bytes are 86 characters in base64url.
    guard text.hasPrefix(signed + "."), text.utf8.count == signed.utf8.count + 87 else {
      return nil
    }
    self.init(text: text, issuedAt: issuedAt)
  }

  /// Reads the `iat` claim.
  private static func issueTime(in token: ArraySlice<UInt8>) -> Int64? {
    let claims = try? JSONWebToken(Array(token)).object(in: .claims)
    return (claims?["iat"]?.number?.int).map { Int64($0) }
  }
}

/// A cache of provider tokens on disk, so that successive commands share one for as long as Apple
/// wants it used. APNs answers a new token per command with `TooManyProviderTokenUpdates`.
///
/// The files (0600) are in one folder (0700), one per key, key ID and team. Files that other users
/// own or can read are ignored. If several processes ask at once, one creates the token and the
/// others wait. A failure of the cache costs one extra signature and nothing else.
public struct ProviderTokenCache: Sendable {
  private let folder: String
  private let patience: Int

  /// - Parameters:
  ///   - folder: an absolute path. The folder and its parents are created if missing.
  ///   - patience: the maximum wait for another process, in milliseconds.
  public init(folder: String, patienceMilliseconds patience: Int = 2000) {
    self.folder = folder
    self.patience = patience
  }

  /// Returns the cached token if it is still good, else a new one, which is cached if possible.
  func token(
    _ name: String, keyID: KeyID, teamID: TeamID, isGood: (ProviderToken) -> Bool,
    make: () throws(SigningKeyError) -> ProviderToken
  ) throws(SigningKeyError) -> ProviderToken {
    guard let folder = PrivateFolder(folder) else { return try make() }
    func kept() -> ProviderToken? {
      let token = folder.read(name, limit: 4096).flatMap {
        ProviderToken(kept: $0, keyID: keyID, teamID: teamID)
      }
      return token.flatMap { isGood($0) ? $0 : nil }
    }
    if let token = kept() { return token }
    guard let lock = folder.lock("lock", patience: patience) else { return try make() }
    defer { withExtendedLifetime(lock) {} }
    // Another process may have created one in the meantime.
    if let token = kept() { return token }
    let token = try make()
    folder.replace(name, with: token.keptForm)
    return token
  }
}
