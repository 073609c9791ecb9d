internal import JSONText

/// What a provider token says about itself. Neither its text nor its signature can be asked for.
public struct ProviderTokenFacts: Sendable {
  /// How the signature is written.
  public enum SignatureForm: String, Sendable, Hashable {
    /// The 64 bytes of RFC 7518 section 3.4.
    case raw
    /// A sequence of two numbers, as OpenSSL writes it. APNs takes it too.
    case der = "DER"
  }

  /// What a token does not have to be kept for to be wrong.
  public enum Flaw: Sendable, Hashable {
    /// There is white space inside.
    case whiteSpace
    /// It is written in plain base64, with `+`, `/` or `=`.
    case plainBase64
    /// `alg` is this; nil when there is none, or it is no text.
    case algorithm(String?)
    /// There is no `kid` in the header, or it is no text.
    case noKeyID
    /// `kid` is not a key ID.
    case keyID(IdentifierError)
    /// There is no `iss`, or it is no text.
    case noTeamID
    /// `iss` is not a team ID.
    case teamID(IdentifierError)
    /// `kid` and `iss` are the same.
    case sameIDs
    /// There is no `iat`, or it is no number.
    case noIssueTime
    /// `iat` is a number in quotes.
    case textualIssueTime
    /// `iat` has a fraction or an exponent.
    case fractionalIssueTime
    /// `iat` counts milliseconds.
    case issueTimeInMilliseconds
    /// The signature is neither 64 bytes nor DER, but this many bytes.
    case signature(bytes: Int)
  }

  /// For how many seconds APNs takes a token (Apple: Establishing a token-based connection to
  /// APNs).
  public static let lifetime: Int64 = 3600

  /// `alg`, of which only `ES256` is taken; nil when there is none.
  public let algorithm: String?
  /// `kid`, when it has the form of a key ID.
  public let keyID: KeyID?
  /// `iss`, when it has the form of a team ID.
  public let teamID: TeamID?
  /// `iat` in seconds since 1970 UTC, milliseconds made seconds; nil when there is none.
  public let issuedAt: Int64?
  /// Names of members that APNs does not ask for, of the header and then of the claims.
  public let otherMembers: [String]
  /// How the signature is written; nil when it cannot be one.
  public let signatureForm: SignatureForm?
  /// What is wrong with it at any time.
  public let flaws: [Flaw]

  private let signed: [UInt8]
  private let signature: [UInt8]

  /// Whether the key signed it.
  ///
  /// - Parameter key: the public half as SubjectPublicKeyInfo in DER.
  public func isSigned(byKey key: [UInt8]) -> Bool {
    guard let signatureForm else { return false }
    return ECDSASignature.isValid(signature, signatureForm, of: signed, key)
  }
}

/// Why a text cannot be read as a provider token.
public enum ProviderTokenFault: Error, Sendable, Hashable {
  /// A part of the text.
  public enum Part: String, Sendable, Hashable {
    case header, claims, signature
  }

  /// It has this many parts between dots instead of three.
  case parts(Int)
  /// A part is no base64.
  case notBase64(Part)
  /// A part is no JSON object.
  case notJSON(Part)
}

extension ProviderTokenFacts {
  /// Reads a token with or without `authorization:`, `bearer`, and quotes around it.
  ///
  /// - Throws: `ProviderTokenFault` when it is none.
  public init(_ contents: SecretBytes) throws(ProviderTokenFault) {
    let text = TokenText(contents)
    let token = try JSONWebToken(text.characters, takesPlainBase64: true)
    let header = try token.object(in: .header)
    let claims = try token.object(in: .claims)
    let signature = try token.bytes(of: .signature)
    let form = SignatureForm(of: signature)
    self.init(
      header: TokenHeader(header), claims: TokenClaims(claims), form,
      flaws: text.flaws + (form == nil ? [.signature(bytes: signature.count)] : []),
      signed: token.signed, signature)
  }

  private init(
    header: TokenHeader, claims: TokenClaims, _ form: SignatureForm?, flaws: [Flaw],
    signed: [UInt8], _ signature: [UInt8]
  ) {
    let hasSameIDs = header.keyID != nil && header.keyID?.text == claims.teamID?.text
    (algorithm, keyID) = (header.algorithm, header.keyID)
    (teamID, issuedAt) = (claims.teamID, claims.issuedAt)
    otherMembers = header.others + claims.others
    signatureForm = form
    self.flaws = header.flaws + claims.flaws + (hasSameIDs ? [.sameIDs] : []) + flaws
    (self.signed, self.signature) = (signed, signature)
  }
}

extension ProviderTokenFacts.SignatureForm {
  /// The form of these bytes; nil when they are no signature.
  package init?(of signature: [UInt8]) {
    if signature.count == 64 {
      self = .raw
    } else if ECDSASignature.isDER(signature) {
      self = .der
    } else {
      return nil
    }
  }
}
