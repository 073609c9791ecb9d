internal import JSONText

/// Reads and verifies the `authorization` header (Apple: Establishing a token-based connection to
/// APNs).
struct ProviderTokenVerifier: Sendable {
  /// The keys whose tokens are taken; with none, any key's are, and no signature is verified.
  let trustedKeys: [TrustedKey]

  /// A verifier that trusts these keys.
  init(trusting trustedKeys: [TrustedKey] = []) { self.trustedKeys = trustedKeys }

  /// Reads the value of an `authorization` header.
  func verify(_ authorization: some Collection<UInt8>) throws(TokenFault) -> ReceivedToken {
    let words = authorization.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 2, let scheme = words.first, let text = words.last,
      scheme.lowercased == Array("bearer".utf8)
    else { throw .notBearer }
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .notThreeParts }
    let (keyID, claims) = (try Self.keyID(parts[0]), try Self.claims(parts[1]))
    guard let bytes = Base64URL.decode(parts[2]) else { throw .notBase64 }
    guard let signature = TokenSignature(bytes) else { throw .badSignature }
    let environments = try environments(
      ofKey: keyID, claims.teamID, signature, of: text.dropLast(parts[2].count + 1))
    return ReceivedToken(
      keyID: keyID, teamID: claims.teamID, issuedAt: claims.issuedAt, signature: bytes,
      environments: environments,
      oddities: [
        signature.cameInDER ? .derSignature : nil, claims.isTextual ? .textualIssueTime : nil,
        scheme.elementsEqual("bearer".utf8) ? nil : .schemeCase,
      ].compactMap(\.self))
  }

  /// Verifies a signature; says where the key that made it is valid.
  private func environments(
    ofKey keyID: String, _ teamID: String, _ signature: TokenSignature,
    of text: some Collection<UInt8>
  ) throws(TokenFault) -> Set<EmulatorEnvironment> {
    guard !trustedKeys.isEmpty else { return Set(EmulatorEnvironment.allCases) }
    guard let key = trustedKeys.first(where: { $0.keyID == keyID }) else { throw .unknownKey }
    guard key.teamID == teamID else { throw .otherTeam }
    guard key.verifies(signature.der, of: text) else { throw .wrongSignature }
    return key.environments
  }
}

extension ProviderTokenVerifier {
  private static func keyID(_ part: some Collection<UInt8>) throws(TokenFault) -> String {
    let header = try object(part, else: .badHeader)
    guard header["alg"]?.string == "ES256" else { throw .wrongAlgorithm }
    guard let keyID = header["kid"]?.string, keyID.isIdentifier else { throw .badKeyID }
    return keyID
  }

  private static func claims(
    _ part: some Collection<UInt8>
  ) throws(TokenFault) -> (teamID: String, issuedAt: Int, isTextual: Bool) {
    let claims = try object(part, else: .badClaims)
    guard let teamID = claims["iss"]?.string, teamID.isIdentifier else { throw .badTeamID }
    let text = claims["iat"]?.string
    guard let issuedAt = claims["iat"]?.number?.int ?? text.flatMap({ Int($0) }) else {
      throw .badIssueTime
    }
    return (teamID, issuedAt, text != nil)
  }

  private static func object(
    _ part: some Collection<UInt8>, else fault: TokenFault
  ) throws(TokenFault) -> JSONObject {
    guard let bytes = Base64URL.decode(part) else { throw .notBase64 }
    guard let object = (try? JSONReader().read(bytes))?.object else { throw fault }
    return object
  }
}

extension String {
  /// Whether this has the form of a key ID or a team ID.
  fileprivate var isIdentifier: Bool {
    utf8.count == 10 && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}

extension Collection<UInt8> {
  fileprivate var lowercased: [UInt8] {
    map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
  }
}
