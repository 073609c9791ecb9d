/// The contents of a provider token. They include neither its text nor its signature.
public struct ProviderTokenFacts: Sendable {
  /// The format of a signature.
  public enum SignatureForm: String, Sendable, Hashable {
    /// The 64 bytes of RFC 7518 section 3.4.
    case raw
    /// A DER sequence of two integers, as OpenSSL writes it. APNs accepts it too.
    case der = "DER"
  }

  /// A defect that does not depend on the time or the key.
  public enum Flaw: Sendable, Hashable {
    /// It contains white space.
    case whiteSpace
    /// It is in plain base64, with `+`, `/` or `=`.
    case plainBase64
    /// `alg` is not `ES256` but this; nil if it is missing or not a string.
    case algorithm(String?)
    /// `kid` is missing from the header or not a string.
    case noKeyID
    /// `kid` is not a key ID.
    case keyID(IdentifierError)
    /// `iss` is missing or not a string.
    case noTeamID
    /// `iss` is not a team ID.
    case teamID(IdentifierError)
    /// `kid` and `iss` are equal.
    case sameIDs
    /// `iat` is missing or not a number.
    case noIssueTime
    /// `iat` is a number in quotes.
    case textualIssueTime
    /// `iat` has a fraction or an exponent.
    case fractionalIssueTime
    /// `iat` is in milliseconds.
    case issueTimeInMilliseconds
    /// The signature has this many bytes and is neither 64 bytes nor DER.
    case signature(bytes: Int)
  }

  /// The seconds for which APNs accepts a token (Apple: Establishing a token-based connection to
  /// APNs).
  public static let lifetime: Int64 = 3600

  /// `alg`, which must be `ES256`; nil if missing.
  public let algorithm: String?
  /// `kid`, if it is a valid key ID.
  public let keyID: KeyID?
  /// `iss`, if it is a valid team ID.
  public let teamID: TeamID?
  /// `iat` in seconds since 1970 UTC, converted from milliseconds if necessary; nil if missing.
  public let issuedAt: Int64?
  /// The names of members that APNs does not use, from the header and then the claims.
  public let otherMembers: [String]
  /// The format of the signature; nil if invalid.
  public let signatureForm: SignatureForm?
  /// The defects that do not depend on the time or the key.
  public let flaws: [Flaw]

  private let signed: [UInt8]
  private let signature: [UInt8]

  /// Verifies the signature.
  ///
  /// - Parameter key: the public half as SubjectPublicKeyInfo in DER.
  public func isSigned(byKey key: [UInt8]) -> Bool {
    guard let signatureForm else { return false }
    return ECDSASignature.isValid(signature, signatureForm, of: signed, key)
  }
}

/// The reason a text cannot be read as a provider token.
public enum ProviderTokenFault: Error, Sendable, Hashable {
  /// A part of the text.
  public enum Part: String, Sendable, Hashable {
    case header, claims, signature
  }

  /// It has this many parts between dots instead of three.
  case parts(Int)
  /// A part is not base64.
  case notBase64(Part)
  /// A part is not a JSON object.
  case notJSON(Part)
}

extension ProviderTokenFacts {
  /// Reads a token, with or without `authorization:`, `bearer` and quotes around it.
  ///
  /// - Throws: `ProviderTokenFault` if it is not a token.
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
  /// Recognizes the format of a signature; nil if the bytes are not a signature.
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
