/// A well-formed provider token, with a valid signature if its key is known. Its age is checked
/// elsewhere, since it changes during use.
struct ReceivedToken: Sendable, Hashable {
  /// A deviation from Apple's documentation that APNs accepts.
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
  /// The time of issue: `iat`, in seconds since 1970, without its fraction.
  let issuedAt: Int
  /// The signature as sent, which distinguishes two tokens with the same claims.
  let signature: [UInt8]
  /// The environments its key is valid in.
  var environments = Set(EmulatorEnvironment.allCases)
  /// The deviations found.
  let oddities: [Oddity]
  /// The deviations as a journal note; nil if there are none.
  var note: String? {
    oddities.isEmpty ? nil : oddities.map(\.rawValue).joined(separator: "; ")
  }
}

/// A defect of an `authorization` header. APNs answers `InvalidProviderToken` to all of them; the
/// texts are for the journal.
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

  /// The way to repair it.
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
