package import JSONText

/// A JSON Web Token in compact form (RFC 7515 section 7.1): header, claims and signature in
/// base64url, joined by dots. The parts are decoded only on request.
package struct JSONWebToken: Sendable {
  /// The signed text: header and claims as written.
  package let signed: [UInt8]

  private let parts: [ArraySlice<UInt8>]
  private let takesPlainBase64: Bool

  /// Splits a token into its parts.
  ///
  /// - Parameters:
  ///   - text: the whole token, with nothing around it.
  ///   - takesPlainBase64: also accepts plain base64, with or without padding.
  /// - Throws: `ProviderTokenFault.parts` unless there are exactly three.
  package init(
    _ text: [UInt8], takesPlainBase64: Bool = false
  ) throws(ProviderTokenFault) {
    parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .parts(parts.count) }
    signed = Array(text.prefix(parts[0].count + 1 + parts[1].count))
    self.takesPlainBase64 = takesPlainBase64
  }

  /// Encodes header and claims as the text to sign.
  package static func signedText(header: JSON, claims: JSON) -> String {
    Base64URL.encode(header.encoded(.wire)) + "." + Base64URL.encode(claims.encoded(.wire))
  }

  /// Decodes a part.
  ///
  /// - Throws: `ProviderTokenFault.notBase64`.
  package func bytes(of part: ProviderTokenFault.Part) throws(ProviderTokenFault) -> [UInt8] {
    let text = parts[part.place]
    let bytes = takesPlainBase64 ? Base64URL.decodeLoosely(text) : Base64URL.decode(text)
    guard let bytes else { throw .notBase64(part) }
    return bytes
  }

  /// Decodes the header or the claims as an object.
  ///
  /// - Throws: `ProviderTokenFault.notBase64`, or `.notJSON` for anything but an object.
  package func object(in part: ProviderTokenFault.Part) throws(ProviderTokenFault) -> JSONObject {
    let bytes = try bytes(of: part)
    guard let object = (try? JSONReader().read(bytes))?.object else { throw .notJSON(part) }
    return object
  }
}

extension ProviderTokenFault.Part {
  fileprivate var place: Int {
    switch self {
    case .header: 0
    case .claims: 1
    case .signature: 2
    }
  }
}

/// The text of a provider token, stripped of what was pasted around it.
package struct TokenText {
  private(set) var characters: [UInt8]
  private(set) var flaws: [ProviderTokenFacts.Flaw] = []

  init(_ contents: SecretBytes) {
    var text = contents.withBytes { Array($0.trimmed) }[...]
    for word in ["authorization:", "\"", "'", "bearer "] { Self.drop(word, from: &text) }
    while let last = text.last, "\"' \t".utf8.contains(last) { text.removeLast() }
    characters = text.filter { !isBlankOrMark($0) }
    if characters.count < text.count { flaws.append(.whiteSpace) }
    if characters.contains(where: "+/=".utf8.contains) { flaws.append(.plainBase64) }
  }

  /// Returns true if the bytes start like a token.
  package static func begins(_ contents: SecretBytes) -> Bool {
    TokenText(contents).characters.starts(with: "eyJ".utf8)
  }

  private static func drop(_ word: String, from text: inout ArraySlice<UInt8>) {
    let start = text.prefix(word.utf8.count).map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    if start.elementsEqual(word.utf8) { text = text.dropFirst(start.count) }
    text = text.drop(while: isBlankOrMark)
  }
}

/// The header of a provider token.
struct TokenHeader {
  let algorithm: String?
  private(set) var keyID: KeyID?
  let others: [String]
  private(set) var flaws: [ProviderTokenFacts.Flaw] = []

  init(_ header: JSONObject) {
    algorithm = header["alg"]?.string
    others = header.keys.filter { !["alg", "kid", "typ"].contains($0) }
    if algorithm != "ES256" { flaws.append(.algorithm(algorithm)) }
    guard let kid = header["kid"]?.string else {
      flaws.append(.noKeyID)
      return
    }
    do throws(IdentifierError) {
      keyID = try KeyID(kid)
    } catch {
      flaws.append(.keyID(error))
    }
  }
}

/// The claims of a provider token.
struct TokenClaims {
  private(set) var teamID: TeamID?
  private(set) var issuedAt: Int64?
  let others: [String]
  private(set) var flaws: [ProviderTokenFacts.Flaw] = []

  init(_ claims: JSONObject) {
    others = claims.keys.filter { !["iss", "iat"].contains($0) }
    readTeamID(claims["iss"]?.string)
    readIssueTime(claims["iat"])
  }

  private mutating func readTeamID(_ text: String?) {
    guard let text else {
      flaws.append(.noTeamID)
      return
    }
    do throws(IdentifierError) {
      teamID = try TeamID(text)
    } catch {
      flaws.append(.teamID(error))
    }
  }

  private mutating func readIssueTime(_ value: JSON?) {
    let text = value?.number?.text ?? value?.string
    guard let seconds = text.flatMap(Double.init), abs(seconds) < 1e15 else {
      flaws.append(.noIssueTime)
      return
    }
    if value?.string != nil { flaws.append(.textualIssueTime) }
    if text.flatMap({ Int64($0) }) == nil { flaws.append(.fractionalIssueTime) }
    // In seconds, this number is reached only in the year 5138.
    let isMilliseconds = seconds >= 1e11
    if isMilliseconds { flaws.append(.issueTimeInMilliseconds) }
    issuedAt = Int64(isMilliseconds ? seconds / 1000 : seconds)
  }
}
