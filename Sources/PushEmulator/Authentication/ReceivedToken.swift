/// A provider token that is well formed and whose signature was found good where its key is known.
/// Whether it is in date is not said here, for that changes while it is used.
struct ReceivedToken: Sendable, Hashable {
  /// What APNs takes although its documentation asks for something else.
  enum Oddity: String, Sendable, Hashable {
    case derSignature = "the signature is DER, not the 64 bytes of RFC 7518"
    case textualIssueTime = "iat is a string, not a number"
    case fractionalIssueTime = "iat has a fraction; Apple documents whole seconds"
    case schemeCase = "the scheme is not lowercase"
  }

  /// The signing key's ID: `kid`, 10 characters.
  let keyID: String
  /// The team's ID: `iss`, 10 characters.
  let teamID: String
  /// When it was issued: `iat`, seconds since 1970, without its fraction.
  let issuedAt: Int
  /// The signature as it was sent: two tokens with the same claims are told apart by it.
  let signature: [UInt8]
  /// Where its key is valid.
  let environments: Set<EmulatorEnvironment>
  /// What is odd about it.
  let oddities: [Oddity]
  /// What is odd about it, for the journal; nil when nothing is.
  let note: String?

  init(
    keyID: String, teamID: String, issuedAt: Int, signature: [UInt8],
    environments: Set<EmulatorEnvironment> = Set(EmulatorEnvironment.allCases), oddities: [Oddity]
  ) {
    self.keyID = keyID
    self.teamID = teamID
    self.issuedAt = issuedAt
    self.signature = signature
    self.environments = environments
    self.oddities = oddities
    note = oddities.isEmpty ? nil : oddities.map(\.rawValue).joined(separator: "; ")
  }
}

/// What is wrong with an `authorization` header. APNs says `InvalidProviderToken` to all of them;
/// the texts are for the journal.
enum TokenFault: String, Error, Sendable, Hashable {
  case notBearer = "the scheme is not bearer"
  case notThreeParts = "the provider token does not have three parts"
  case notBase64 = "a part of the provider token is not base64url"
  case badHeader = "the provider token's header is not a JSON object"
  case badClaims = "the provider token's claims are not a JSON object"
  case wrongAlgorithm = "alg is not ES256"
  case misnamedAlgorithm = """
    the header's alg is not ES256, though the signature is one of P-256, as ES256 makes it
    """
  case badKeyID = "kid is not 10 letters and digits"
  case badTeamID = "iss is not 10 letters and digits"
  case badIssueTime = "iat is not a whole number of seconds"
  case badSignature = "the signature is neither 64 bytes nor DER"
  case unknownKey = "kid is not a trusted key"
  case otherTeam = "iss is not the trusted key's team"
  case wrongSignature = "the signature is not valid"

  /// What to do about it.
  var fix: String {
    switch self {
    case .notBearer: "Write 'bearer', a blank and the provider token."
    case .notThreeParts, .notBase64, .badHeader, .badClaims:
      "Send the provider token whole and unchanged; 'fanfare token' makes a good one."
    case .wrongAlgorithm: "Sign with ES256: the .p8 key and SHA-256."
    case .misnamedAlgorithm:
      "Write \"alg\":\"ES256\" in the header and keep the key: ES256 is the only one Apple documents."
    case .badKeyID: "Use the key's ID, which is in the name of its .p8 file."
    case .badTeamID: "Use the team ID, which is under Membership in the developer account."
    case .badIssueTime: "Set iat to the present in whole seconds since 1970, as a number."
    case .badSignature: "Sign with ES256, and send the signature as the 64 bytes of RFC 7518."
    case .unknownKey, .otherTeam: "Use the key and the team that the emulator was told to trust."
    case .wrongSignature: "Sign header and claims as they are sent, with the trusted key."
    }
  }
}
