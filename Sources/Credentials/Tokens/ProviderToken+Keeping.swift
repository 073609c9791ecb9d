internal import JSONText
internal import PlainText

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
