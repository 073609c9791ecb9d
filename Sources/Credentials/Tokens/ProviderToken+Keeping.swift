internal import JSONText
internal import PlainText

extension ProviderToken {
  /// The text and its digest, a line each: a file that lost a part is told from a whole one.
  var keptForm: [UInt8] { Array("\(text)\n\(hexadecimal(sha256(Array(text.utf8))))\n".utf8) }

  /// A token that was kept, if it is whole, and of this key ID and team. Its signature was made by
  /// whoever could write the file.
  init?(kept bytes: [UInt8], keyID: KeyID, teamID: TeamID) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count == 3, lines[1].elementsEqual(hexadecimal(sha256(Array(lines[0]))).utf8),
      let issuedAt = Self.issueTime(in: lines[0])
    else { return nil }
    let text = String(decoding: lines[0], as: UTF8.self)
    let signed = Self.signedText(keyID, teamID, issuedAt: issuedAt)
    // 64 bytes in base64url are 86 characters.
    guard text.hasPrefix(signed + "."), text.utf8.count == signed.utf8.count + 87 else {
      return nil
    }
    self.init(text: text, issuedAt: issuedAt)
  }

  /// The `iat` claim.
  private static func issueTime(in token: ArraySlice<UInt8>) -> Int64? {
    let claims = try? JSONWebToken(Array(token)).object(in: .claims)
    return (claims?["iat"]?.number?.int).map { Int64($0) }
  }
}
