internal import Credentials
internal import JSONText
internal import POSIX

/// Reads and verifies the `authorization` header (Apple: Establishing a token-based connection to
/// APNs).
struct ProviderTokenVerifier: Sendable {
  /// The keys whose tokens are accepted; if empty, any key's are, without verifying signatures.
  let trustedKeys: [TrustedKey]

  /// Creates a verifier that trusts these keys.
  init(trusting trustedKeys: [TrustedKey] = []) { self.trustedKeys = trustedKeys }

  /// Reads the value of an `authorization` header.
  func verify(_ authorization: some Collection<UInt8>) throws(TokenFault) -> ReceivedToken {
    let words = authorization.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 2, let scheme = words.first, let text = words.last,
      scheme.lowercased == Array("bearer".utf8)
    else { throw .notBearer }
    let token = try read { () throws(ProviderTokenFault) in try JSONWebToken(Array(text)) }
    let (keyID, claims) = (try Self.keyID(in: token), try Self.claims(in: token))
    let signature = try read { () throws(ProviderTokenFault) in try token.bytes(of: .signature) }
    guard let form = ProviderTokenFacts.SignatureForm(of: signature) else { throw .badSignature }
    let key = try key(keyID, claims.teamID)
    guard key?.verifies(signature, form, of: token.signed) ?? true else { throw .wrongSignature }
    return ReceivedToken(
      keyID: keyID, teamID: claims.teamID, issuedAt: claims.issuedAt, signature: signature,
      environments: key?.environments ?? Set(EmulatorEnvironment.allCases),
      oddities: [
        form == .der ? .derSignature : nil, claims.oddity,
        scheme.elementsEqual("bearer".utf8) ? nil : .schemeCase,
      ].compactMap(\.self))
  }

  /// The trusted key that must have signed a token; nil if any key is accepted.
  private func key(_ keyID: String, _ teamID: String) throws(TokenFault) -> TrustedKey? {
    if trustedKeys.isEmpty { return nil }
    guard let key = trustedKeys.first(where: { $0.keyID == keyID }) else { throw .unknownKey }
    guard key.teamID == teamID else { throw .otherTeam }
    return key
  }
}

extension ProviderTokenVerifier {
  private static func keyID(in token: JSONWebToken) throws(TokenFault) -> String {
    let header = try read { () throws(ProviderTokenFault) in try token.object(in: .header) }
    let algorithm = header["alg"]?.string
    guard algorithm == "ES256" else {
      let isMisnamed = algorithm?.hasPrefix("ES") ?? false && hasSignatureOfP256(token)
      throw isMisnamed ? .misnamedAlgorithm : .wrongAlgorithm
    }
    guard let keyID = header["kid"]?.string, keyID.isIdentifier else { throw .badKeyID }
    return keyID
  }

  /// Returns true if both numbers of a signature fit in 32 bytes, ignoring leading zeros: pushok
  /// pads those of a P-256 key to the length of ES512.
  private static func hasSignatureOfP256(_ token: JSONWebToken) -> Bool {
    guard let bytes = try? token.bytes(of: .signature), bytes.count >= 64 else { return false }
    let half = bytes.count / 2
    return [bytes.prefix(half), bytes.dropFirst(half)].allSatisfy { number in
      number.drop { $0 == 0 }.count <= 32
    }
  }

  private static func claims(
    in token: JSONWebToken
  ) throws(TokenFault) -> (teamID: String, issuedAt: Int, oddity: ReceivedToken.Oddity?) {
    let claims = try read { () throws(ProviderTokenFault) in try token.object(in: .claims) }
    guard let teamID = claims["iss"]?.string, teamID.isIdentifier else { throw .badTeamID }
    guard let (issuedAt, oddity) = claims["iat"].flatMap(issueTime) else { throw .badIssueTime }
    return (teamID, issuedAt, oddity)
  }

  /// PyAPNs2 issues tokens with a fraction, and APNs accepts them.
  private static func issueTime(_ iat: JSON) -> (Int, ReceivedToken.Oddity?)? {
    if let seconds = iat.number?.int { return (seconds, nil) }
    if let text = iat.string { return Int(text).map { ($0, .textualIssueTime) } }
    return (iat.number?.double.rounded(.down)).flatMap { Int(exactly: $0) }
      .map { ($0, .fractionalIssueTime) }
  }
}

/// Reads a part of a token, translating faults into the emulator's own.
private func read<Value>(
  _ body: () throws(ProviderTokenFault) -> Value
) throws(TokenFault) -> Value {
  do throws(ProviderTokenFault) {
    return try body()
  } catch {
    switch error {
    case .parts: throw .notThreeParts
    case .notBase64: throw .notBase64
    case .notJSON(.header): throw .badHeader
    case .notJSON: throw .badClaims
    }
  }
}

extension String {
  /// The text has the form of a key ID or team ID.
  fileprivate var isIdentifier: Bool {
    utf8.count == 10 && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}

extension Collection<UInt8> {
  fileprivate var lowercased: [UInt8] {
    map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
  }
}

/// The most recent tokens of a connection, so a million pushes with one provider token cost only
/// one verification.
struct TokenCache {
  private static let capacity = 4
  private let verifier: ProviderTokenVerifier
  private var entries: [(header: [UInt8], result: Result<ReceivedToken, TokenFault>)] = []

  /// Creates an empty cache in front of a verifier.
  init(_ verifier: ProviderTokenVerifier) { self.verifier = verifier }

  /// Verifies the value of an `authorization` header, from the cache if possible.
  mutating func verify(
    _ header: UnsafeBufferPointer<UInt8>
  ) -> Result<ReceivedToken, TokenFault> {
    if let known = entries.first(where: { $0.header.isSame(as: header) }) { return known.result }
    let result = Result { () throws(TokenFault) in try verifier.verify(header) }
    if entries.count == Self.capacity { entries.removeFirst() }
    entries.append((Array(header), result))
    return result
  }
}

extension [UInt8] {
  /// Compares with `memcmp`. `==` compares one byte at a time.
  func isSame(as other: [UInt8]) -> Bool {
    other.withUnsafeBufferPointer { isSame(as: $0) }
  }

  /// Compares with the bytes of a buffer.
  func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    withUnsafeBufferPointer { $0.isSame(as: other) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Compares with the bytes of another buffer.
  func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count, let start = baseAddress, let otherStart = other.baseAddress else {
      return isEmpty && other.isEmpty
    }
    return memcmp(start, otherStart, count) == 0
  }
}
