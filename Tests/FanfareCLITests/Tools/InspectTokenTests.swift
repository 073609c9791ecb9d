import Foundation
import JSONText
import Reporting
import TestSupport
import Testing

@Suite("A provider token that is inspected")
struct InspectTokenTests {
  static let header = #"{"alg":"ES256","kid":"ABC123DEFG"}"#
  static let claims = #"{"iss":"DEF123GHIJ","iat":1700000000}"#

  private static func encoded(_ text: String) -> String {
    Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// The problems of a token with this header, these claims and 64 bytes of no signature.
  private func problems(_ header: String, _ claims: String) throws -> [String] {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      let signature = String(repeating: "A", count: 86)
      try folder.write("t", "\(Self.encoded(header)).\(Self.encoded(claims)).\(signature)")
      let result = try workshop.inspect("--json", "t")
      #expect(result.code == .success)
      return try #require(result.objects()[0]["problems"]?.array).compactMap(\.string)
    }
  }

  static let mistakes: [(header: String, claims: String, says: String)] = [
    (#"{"alg":"HS256","kid":"ABC123DEFG"}"#, claims, "alg is 'HS256'"),
    (#"{"kid":"ABC123DEFG"}"#, claims, "alg is missing"),
    (#"{"alg":"ES256"}"#, claims, "kid, the key ID, is missing"),
    (#"{"alg":"ES256","kid":"abc"}"#, claims, "kid is not a key ID"),
    (header, #"{"iat":1700000000}"#, "iss, the team ID, is missing"),
    (header, #"{"iss":"com.example","iat":1700000000}"#, "iss is not a team ID"),
    (header, #"{"iss":"ABC123DEFG","iat":1700000000}"#, "are the same"),
    (header, #"{"iss":"DEF123GHIJ"}"#, "iat, the time of issue, is missing"),
    (header, #"{"iss":"DEF123GHIJ","iat":"1700000000"}"#, "without quotes"),
    (header, #"{"iss":"DEF123GHIJ","iat":1700000000000}"#, "milliseconds"),
    (header, #"{"iss":"DEF123GHIJ","iat":1700000000.5}"#, "a fraction"),
    (header, #"{"iss":"DEF123GHIJ","iat":1e999}"#, "iat, the time of issue, is missing"),
  ]

  @Test("has the mistakes of its maker named", arguments: mistakes)
  func flaws(_ row: (header: String, claims: String, says: String)) throws {
    let problems = try problems(row.header, row.claims)
    #expect(problems.count == 1 && problems[0].contains(row.says), "\(problems)")
  }

  @Test("has no problem when there is none")
  func flawless() throws {
    #expect(try problems(Self.header, Self.claims).isEmpty)
  }

  @Test(
    "is valid for an hour",
    arguments: [
      (0, "valid"), (-3600, "valid"), (-3601, "expired"), (1, "future"),
    ])
  func times(_ row: (offset: Int64, state: String)) throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      try folder.write("t", try workshop.token(issuedAt: presentSecond + row.offset))
      let object = try workshop.inspect("--json", "t").objects()[0]
      #expect(object["state"]?.string == row.state)
      #expect(object["ageSeconds"] == .number(-row.offset))
    }
  }

  @Test("is verified with a key, whatever stands around it")
  func signature() throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      let token = try workshop.token()
      try workshop.openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out b.p8")
      try workshop.protect("b.p8")
      for text in [token, "Bearer \(token)\n", "authorization: bearer \(token)", "\"\(token)\""] {
        try folder.write("t", text)
        for (name, isSigner) in [(InspectWorkshop.key, true), ("b.p8", false)] {
          let result = try workshop.inspect("--key=\(folder.file(name))", "--json", "t")
          let object = try result.objects()[0]
          #expect(object["signedByKey"] == .flag(isSigner))
          #expect(object["problems"] == [])
        }
        #expect(try workshop.inspect("--json", "t").objects()[0]["signedByKey"] == nil as JSON)
      }
    }
  }

  @Test("with white space inside is read all the same")
  func whiteSpace() throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      var token = try workshop.token()
      token.insert("\n", at: token.index(token.startIndex, offsetBy: 60))
      try folder.write("t", token)
      let result = try workshop.inspect("--key=\(folder.file(InspectWorkshop.key))", "--json", "t")
      #expect(try result.objects()[0]["signedByKey"] == true)
      #expect(result.output.contains("white space"))
    }
  }
}
