import COpenSSL
import Credentials
import Foundation
import TestSupport
import Testing

@Suite("Signing keys", .timeLimit(.minutes(15)))
struct SigningKeyTests {
  /// Gives the error of a key's contents; nil when it is taken.
  private static func fault(of bytes: [UInt8]) -> SigningKeyError? {
    do throws(SigningKeyError) {
      _ = try SigningKey(contents: SecretBytes(bytes: bytes))
      return nil
    } catch {
      return error
    }
  }

  @Test("A .p8 file as Apple hands them out is taken, however it was edited")
  func goodKeys() throws {
    let folder = try KeptFolder.withKey()
    let text = String(decoding: try folder.bytes("AuthKey.p8"), as: UTF8.self)
    let forms = [
      text, text.replacing("\n", with: "\r\n"), "Bag Attributes\n  name: x\n\n" + text,
      "\n\n" + text, text.trimmingCharacters(in: .newlines), text + "\ntrailing words\n",
      text.replacing("-----\n", with: "-----  \n"),
    ]
    for form in forms { #expect(Self.fault(of: Array(form.utf8)) == nil, "\(form)") }
  }

  @Test("A key that is cut off anywhere is refused and never crashes")
  func cutOff() throws {
    let pem = try KeptFolder.withKey().bytes("AuthKey.p8")
    let last = try #require(pem.lastIndex(of: UInt8(ascii: "-")))
    for count in stride(from: 0, through: last - 1, by: 3) {
      #expect(Self.fault(of: Array(pem[..<count])) != nil, "\(count) bytes")
    }
  }

  @Test("The openssl command verifies a signature, and not one of other bytes")
  func signature() throws {
    let folder = try KeptFolder.withKey()
    let key = try SigningKey(contents: SecretBytes(bytes: folder.bytes("AuthKey.p8")))
    for round in 0..<20 {
      let message = Array("message \(round)".utf8)
      let raw = try key.signature(of: message)
      #expect(raw.count == 64)
      try verify(raw, of: message, in: folder)
    }
    let raw = try key.signature(of: [1])
    let failure = #expect(throws: OpenSSLFailure.self) { try verify(raw, of: [2], in: folder) }
    #expect(failure?.text.contains("Verification failure") == true)
  }

  @Test("The public half is what the openssl command makes of the key")
  func publicHalf() throws {
    let folder = try KeptFolder.withKey()
    try openssl(
      "pkey", "-in", "AuthKey.p8", "-pubout", "-outform", "DER", "-out", "public.der", in: folder)
    let key = try SigningKey(contents: SecretBytes(bytes: folder.bytes("AuthKey.p8")))
    #expect(try key.publicKeyDER() == folder.bytes("public.der"))
  }

  @Test("A fresh key signs")
  func fresh() throws {
    #expect(try SigningKey.generate().signature(of: []).count == 64)
  }
}
