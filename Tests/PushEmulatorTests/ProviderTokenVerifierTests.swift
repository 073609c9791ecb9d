import Testing

@testable import PushEmulator

@Suite("ProviderTokenVerifier")
struct ProviderTokenVerifierTests {
  /// A token by its JSON parts, and what is wrong with it.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var header = #"{"alg":"ES256","kid":"ABC123DEFG"}"#
    var claims = #"{"iss":"DEF123GHIJ","iat":1000000}"#
    var fault: TokenFault
    var testDescription: String { name }
  }

  @Test(
    "refuses tokens with bad parts, naming the part",
    arguments: [
      Case(
        name: "another algorithm", header: #"{"alg":"RS256","kid":"ABC123DEFG"}"#,
        fault: .wrongAlgorithm),
      Case(name: "no algorithm", header: #"{"kid":"ABC123DEFG"}"#, fault: .wrongAlgorithm),
      Case(name: "no key id", header: #"{"alg":"ES256"}"#, fault: .badKeyID),
      Case(name: "a short key id", header: #"{"alg":"ES256","kid":"ABC"}"#, fault: .badKeyID),
      Case(name: "a header that is a list", header: "[]", fault: .badHeader),
      Case(
        name: "a key twice", header: #"{"alg":"ES256","alg":"ES256","kid":"ABC123DEFG"}"#,
        fault: .badHeader),
      Case(name: "claims that are no JSON", claims: "iss", fault: .badClaims),
      Case(name: "no team", claims: #"{"iat":1000000}"#, fault: .badTeamID),
      Case(
        name: "a team with a space", claims: #"{"iss":"DEF123GHI ","iat":1000000}"#,
        fault: .badTeamID),
      Case(name: "no issue time", claims: #"{"iss":"DEF123GHIJ"}"#, fault: .badIssueTime),
      Case(
        name: "an issue time beyond all measure", claims: #"{"iss":"DEF123GHIJ","iat":1e300}"#,
        fault: .badIssueTime),
      Case(
        name: "ES512 over a signature of P-256", header: #"{"alg":"ES512","kid":"ABC123DEFG"}"#,
        fault: .misnamedAlgorithm),
    ])
  func refusesBadParts(_ example: Case) throws {
    let text = try TestKey().bearer(header: example.header, claims: example.claims)
    #expect(throws: example.fault) { try ProviderTokenVerifier().verify(text.utf8) }
  }

  @Test(
    "refuses what is not bearer and three parts of base64url",
    arguments: [
      ("", TokenFault.notBearer), ("bearer", .notBearer), ("basic a.b.c", .notBearer),
      ("bearer  a.b.c", .notBearer), ("bearer a.b", .notThreeParts), ("bearer ", .notThreeParts),
      ("bearer a.b.c.d", .notThreeParts), ("bearer a.b.c", .notBase64),
      ("bearer e30=.e30.e30", .notBase64), ("bearer e3+.e30.e30", .notBase64),
    ])
  func refusesBadText(_ text: String, _ fault: TokenFault) {
    #expect(throws: fault) { try ProviderTokenVerifier().verify(text.utf8) }
  }

  @Test("reads key, team and time of a good token")
  func readsGoodToken() throws {
    let key = try TestKey()
    let token = try ProviderTokenVerifier(trusting: [key.trusted()]).verify(key.bearer().utf8)
    #expect(token.keyID == "ABC123DEFG" && token.teamID == "DEF123GHIJ")
    #expect(token.issuedAt == 1_000_000 && token.oddities.isEmpty)
  }

  @Test("takes oddities that APNs takes, and names them")
  func namesOddities() throws {
    let key = try TestKey()
    let verifier = ProviderTokenVerifier(trusting: [try key.trusted()])
    let textual = try key.bearer(
      header: #"{"alg":"ES256","kid":"ABC123DEFG","typ":"JWT"}"#,
      claims: #"{"iss":"DEF123GHIJ","iat":"1000000"}"#)
    #expect(try verifier.verify(textual.utf8).oddities == [.textualIssueTime])
    #expect(try verifier.verify(key.bearer(form: .der).utf8).oddities == [.derSignature])
    let fractional = try key.bearer(
      header: #"{"alg":"ES256","kid":"ABC123DEFG"}"#,
      claims: #"{"iss":"DEF123GHIJ","iat":1000000.75}"#)
    let token = try verifier.verify(fractional.utf8)
    #expect(token.oddities == [.fractionalIssueTime] && token.issuedAt == 1_000_000)
    let shouted = "Bearer" + (try key.bearer()).dropFirst(6)
    #expect(try verifier.verify(shouted.utf8).oddities == [.schemeCase])
  }

  @Test("names ES512 over P-256 with the zeros that pushok puts in front of both numbers")
  func namesPaddedSignature() throws {
    let header = #"{"alg":"ES512","kid":"ABC123DEFG"}"#
    let text = base64URL(Array(header.utf8)) + ".e30."
    let zeros = [UInt8](repeating: 0, count: 34)
    let number = [UInt8](repeating: 7, count: 32)
    let padded = base64URL(zeros + number + zeros + number)
    let genuine = base64URL([UInt8](repeating: 7, count: 132))
    #expect(throws: TokenFault.misnamedAlgorithm) {
      try ProviderTokenVerifier().verify("bearer \(text)\(padded)".utf8)
    }
    #expect(throws: TokenFault.wrongAlgorithm) {
      try ProviderTokenVerifier().verify("bearer \(text)\(genuine)".utf8)
    }
  }

  @Test("refuses a signature that is neither 64 bytes nor DER")
  func refusesOddSignature() throws {
    let text = try TestKey().bearer()
    let parts = text.split(separator: ".")
    for bytes in [[], [UInt8](repeating: 1, count: 63), [0x30, 0x03, 0x02, 0x01, 0x01]] {
      let changed = "\(parts[0]).\(parts[1]).\(base64URL(bytes))"
      #expect(throws: TokenFault.badSignature) {
        try ProviderTokenVerifier().verify(changed.utf8)
      }
    }
  }

  @Test("without trusted keys takes any key's token")
  func takesAnyKey() throws {
    #expect(throws: Never.self) { try ProviderTokenVerifier().verify(TestKey().bearer().utf8) }
  }

  @Test("with trusted keys refuses other keys, teams and signatures")
  func refusesStrangers() throws {
    let (key, second) = (try TestKey(), try TestKey())
    let verifier = ProviderTokenVerifier(trusting: [
      try key.trusted(), try second.trusted(keyID: "SECONDKEY0"),
    ])
    #expect(throws: Never.self) { try verifier.verify(key.bearer(form: .der).utf8) }
    #expect(throws: Never.self) { try verifier.verify(second.bearer(keyID: "SECONDKEY0").utf8) }
    #expect(throws: TokenFault.unknownKey) {
      try verifier.verify(key.bearer(keyID: "DEF123GHIJ", teamID: "ABC123DEFG").utf8)
    }
    #expect(throws: TokenFault.otherTeam) {
      try verifier.verify(key.bearer(teamID: "OTHERTEAM0").utf8)
    }
    #expect(throws: TokenFault.wrongSignature) { try verifier.verify(second.bearer().utf8) }
    #expect(throws: TokenFault.wrongSignature) {
      try verifier.verify(second.bearer(form: .der).utf8)
    }
  }

  @Test("trusts only P-256 keys")
  func trustsOnlyP256() throws {
    #expect(throws: TrustedKey.Failure.unreadable) {
      try TrustedKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", publicKey: [0x30, 0])
    }
    let trailing = try TestKey().publicKey() + [0]
    #expect(throws: TrustedKey.Failure.unreadable) {
      try TrustedKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", publicKey: trailing)
    }
  }
}

@Suite("TokenCache")
struct TokenCacheTests {
  @Test("says what the verifier says, however many tokens come and come back")
  func agreesWithVerifier() throws {
    let (key, stranger) = (try TestKey(), try TestKey())
    let verifier = ProviderTokenVerifier(trusting: [try key.trusted()])
    var cache = TokenCache(verifier)
    let texts = try (0..<6).map { index in
      Array(try (index % 2 == 0 ? key : stranger).bearer(issuedAt: 1_000_000 + index).utf8)
    }
    for text in texts + texts + texts.reversed() {
      let result = text.withUnsafeBufferPointer { cache.verify($0) }
      let expected = Result { () throws(TokenFault) in try verifier.verify(text) }
      #expect(result == expected)
    }
  }
}
