public import HTTP2
internal import JSONText

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
