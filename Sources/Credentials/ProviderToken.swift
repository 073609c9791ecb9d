internal import COpenSSL
internal import JSONText

/// The ES256 JWT that stands in the `authorization` header of each push.
///
/// Its text is a secret: it is left out of descriptions.
public struct ProviderToken: Sendable, Hashable {
  /// The whole token: header, claims and signature in base64url, joined by dots.
  public let text: String

  /// The `iat` claim: when it was issued, in whole seconds since 1970 UTC.
  public let issuedAt: Int64

  /// Makes and signs a token.
  ///
  /// - Throws: `SigningKeyError` when OpenSSL cannot sign.
  public init(
    key: borrowing SigningKey, keyID: KeyID, teamID: TeamID, issuedAt: Int64
  ) throws(SigningKeyError) {
    let signed = Self.signedText(keyID, teamID, issuedAt: issuedAt)
    text = signed + "." + base64URL(try key.signature(of: Array(signed.utf8)))
    self.issuedAt = issuedAt
  }

  /// A token that was signed before.
  init(text: String, issuedAt: Int64) {
    self.text = text
    self.issuedAt = issuedAt
  }

  /// Header and claims, which the signature covers.
  static func signedText(_ keyID: KeyID, _ teamID: TeamID, issuedAt: Int64) -> String {
    let header: JSON = ["alg": "ES256", "kid": JSON(.string(keyID.text))]
    let claims: JSON = ["iss": JSON(.string(teamID.text)), "iat": JSON(.number(.init(issuedAt)))]
    return base64URL(header.encoded(.wire)) + "." + base64URL(claims.encoded(.wire))
  }
}

extension ProviderToken: CustomStringConvertible, CustomReflectable {
  /// The age alone.
  public var description: String { "provider token issued at \(issuedAt)" }

  /// The age alone.
  public var customMirror: Mirror { Mirror(self, children: ["issuedAt": issuedAt]) }
}

/// Base64url without padding (RFC 4648 section 5, RFC 7515 section 2).
func base64URL(_ bytes: [UInt8]) -> String {
  var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
  let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
  let digits = text.prefix(Int(count)).filter { $0 != UInt8(ascii: "=") }.map { digit in
    switch digit {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    default: digit
    }
  }
  return String(decoding: digits, as: UTF8.self)
}
