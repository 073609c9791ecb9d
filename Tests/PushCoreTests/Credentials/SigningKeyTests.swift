import COpenSSL
import Foundation
import PushCore
import Testing

@Suite("Signing keys", .timeLimit(.minutes(1)))
struct SigningKeyTests {
  /// Gives the error of a key's text; nil when it is taken.
  private static func fault(of pem: [UInt8]) -> SigningKeyError? {
    do throws(SigningKeyError) {
      _ = try SigningKey(pem: pem)
      return nil
    } catch {
      return error
    }
  }

  @Test("A .p8 file as Apple hands them out is taken, however it was edited")
  func goodKeys() throws {
    let folder = try TemporaryFolder.withKey()
    let text = String(decoding: try folder.bytes("AuthKey.p8"), as: UTF8.self)
    let forms = [
      text, text.replacing("\n", with: "\r\n"), "Bag Attributes\n  name: x\n\n" + text,
      "\n\n" + text, text.trimmingCharacters(in: .newlines), text + "\ntrailing words\n",
      text.replacing("-----\n", with: "-----  \n"),
    ]
    for form in forms { #expect(Self.fault(of: Array(form.utf8)) == nil, "\(form)") }
  }

  @Test("The older form of an elliptic-curve key is taken, parameters in front or not")
  func olderForm() throws {
    let folder = try TemporaryFolder()
    try openssl(
      "ecparam", "-name", "prime256v1", "-genkey", "-out", "with.pem", in: folder)
    try openssl(
      "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "without.pem", in: folder)
    let with = try folder.bytes("with.pem")
    #expect(String(decoding: with, as: UTF8.self).hasPrefix("-----BEGIN EC PARAMETERS-----"))
    #expect(Self.fault(of: with) == nil)
    #expect(Self.fault(of: try folder.bytes("without.pem")) == nil)
  }

  /// Arguments of the openssl command that write `key.pem`, and what is wrong with it.
  static let wrongKinds: [([String], SigningKeyError)] = [
    (
      ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384", "-out", "key.pem"],
      .wrongCurve("secp384r1")
    ),
    (
      ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-out", "key.pem"],
      .wrongAlgorithm("RSA")
    ),
    (["genrsa", "-traditional", "-out", "key.pem", "1024"], .wrongAlgorithm("RSA")),
    (["genpkey", "-algorithm", "ED25519", "-out", "key.pem"], .wrongAlgorithm("ED25519")),
    (
      ["pkey", "-in", "AuthKey.p8", "-pubout", "-out", "key.pem"],
      .wrongBlock(label: "PUBLIC KEY")
    ),
    (
      [
        "req", "-x509", "-key", "AuthKey.p8", "-subj", "/CN=x", "-days", "1", "-out", "key.pem",
      ],
      .wrongBlock(label: "CERTIFICATE")
    ),
    (
      ["pkcs8", "-topk8", "-in", "AuthKey.p8", "-passout", "pass:x", "-out", "key.pem"],
      .encrypted
    ),
    (
      ["ec", "-in", "AuthKey.p8", "-aes128", "-passout", "pass:x", "-out", "key.pem"],
      .encrypted
    ),
    (
      ["ecparam", "-name", "prime256v1", "-out", "key.pem"], .wrongBlock(label: "EC PARAMETERS")
    ),
  ]

  @Test("Each wrong kind of key is told apart", arguments: wrongKinds)
  func wrongKind(_ arguments: [String], _ error: SigningKeyError) throws {
    let folder = try TemporaryFolder.withKey()
    try runOpenSSL(arguments, in: folder)
    #expect(Self.fault(of: try folder.bytes("key.pem")) == error)
    #expect(ERR_peek_error() == 0, "OpenSSL's queue is left clean")
  }

  @Test(
    "Text that is no key is told apart",
    arguments: [
      ("", SigningKeyError.empty), (" \r\n\t", .empty), ("AuthKey.p8", .notPEM),
      ("-----BEGIN PRIVATE KEY-----", .broken(label: "PRIVATE KEY")),
      (
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        .broken(label: "PRIVATE KEY")
      ),
      (
        "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n",
        .broken(label: "EC PRIVATE KEY")
      ),
      ("-----BEGIN CERTIFICATE-----\n!\n", .wrongBlock(label: "CERTIFICATE")),
    ])
  func noKey(_ text: String, _ error: SigningKeyError) {
    #expect(Self.fault(of: Array(text.utf8)) == error)
    #expect(ERR_peek_error() == 0, "OpenSSL's queue is left clean")
  }

  @Test("A key that is cut off anywhere is refused and never crashes")
  func cutOff() throws {
    let pem = try TemporaryFolder.withKey().bytes("AuthKey.p8")
    let last = try #require(pem.lastIndex(of: UInt8(ascii: "-")))
    for count in stride(from: 0, through: last - 1, by: 3) {
      #expect(Self.fault(of: Array(pem[..<count])) != nil, "\(count) bytes")
    }
  }

  @Test("The openssl command verifies a signature, and not one of other bytes")
  func signature() throws {
    let folder = try TemporaryFolder.withKey()
    let key = try SigningKey(pem: folder.bytes("AuthKey.p8"))
    for round in 0..<20 {
      let message = Array("message \(round)".utf8)
      let raw = try key.signature(of: message)
      #expect(raw.count == 64)
      try verify(raw, of: message, in: folder)
    }
    let raw = try key.signature(of: [1])
    #expect(throws: (any Error).self) { try verify(raw, of: [2], in: folder) }
  }

  @Test("The public half is what the openssl command makes of the key")
  func publicHalf() throws {
    let folder = try TemporaryFolder.withKey()
    try openssl(
      "pkey", "-in", "AuthKey.p8", "-pubout", "-outform", "DER", "-out", "public.der", in: folder)
    let key = try SigningKey(pem: folder.bytes("AuthKey.p8"))
    #expect(try key.publicKeyDER() == folder.bytes("public.der"))
  }

  @Test("A fresh key signs")
  func fresh() throws {
    #expect(try SigningKey.generate().signature(of: []).count == 64)
  }
}
