import Credentials
import Foundation
import JSONText
import Synchronization
import TestSupport
import Testing

@Suite("Provider tokens", .timeLimit(.minutes(15)))
struct ProviderTokenTests {
  @Test("Header, claims and signature are as RFC 7515 and RFC 7518 write them")
  func form() throws {
    let folder = try KeptFolder.withKey()
    let token = try ProviderToken(
      key: SigningKey(contents: SecretBytes(bytes: folder.bytes("AuthKey.p8"))),
      keyID: KeyID("ABC123DEFG"), teamID: TeamID("DEF123GHIJ"), issuedAt: 1_700_000_000)
    let parts = token.text.split(separator: ".", omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    #expect(try text(parts[0]) == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
    #expect(try text(parts[1]) == #"{"iss":"DEF123GHIJ","iat":1700000000}"#)
    let signature = try bytes(parts[2])
    #expect(signature.count == 64)
    try verify(signature, of: Array("\(parts[0]).\(parts[1])".utf8), in: folder)
  }

  @Test("A token holds nothing but base64url and two dots")
  func alphabet() throws {
    let key = try SigningKey.generate()
    for issuedAt in 0..<50 {
      let token = try ProviderToken(
        key: key, keyID: KeyID("ABC123DEFG"), teamID: TeamID("DEF123GHIJ"),
        issuedAt: Int64(issuedAt))
      let isPlain = token.text.utf8.allSatisfy { byte in
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.".utf8.contains(byte)
      }
      #expect(isPlain)
    }
  }

  @Test("However a token is printed, its text is not")
  func secrecy() throws {
    let token = try ProviderToken(
      key: SigningKey.generate(), keyID: KeyID("ABC123DEFG"), teamID: TeamID("DEF123GHIJ"),
      issuedAt: 1_700_000_000)
    var dumped = ""
    dump([token], to: &dumped)
    let printed = [
      "\(token)", String(describing: token), String(reflecting: token), dumped,
      String(reflecting: [Optional(token)]), "\(Mirror(reflecting: token).children.map(\.value))",
    ]
    let secrets = token.text.split(separator: ".")
    for text in printed {
      #expect(text.contains("1700000000"))
      for secret in secrets { #expect(!text.contains(secret)) }
    }
  }

  private func bytes(_ part: Substring) throws -> [UInt8] {
    #expect(!part.contains("="))
    let plain = part.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
    return [UInt8](try #require(Data(base64Encoded: plain + padding)))
  }

  private func text(_ part: Substring) throws -> String {
    String(decoding: try bytes(part), as: UTF8.self)
  }
}
