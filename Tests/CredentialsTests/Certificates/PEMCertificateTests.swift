import COpenSSL
import Credentials
import Foundation
import TestSupport
import Testing

@Suite("Client certificates in PEM and DER", .timeLimit(.minutes(15)))
struct PEMCertificateTests {
  private static let name = "Apple Push Services: com.example.shop"

  @Test("Certificate, chain and key are found in one file in any order")
  func orders() throws {
    let workshop = try CertificateWorkshop()
    let chain = [try workshop.der("leaf"), try workshop.der("middle")]
    let files = ["leaf.pem", "leaf.key", "root.pem", "middle.pem"]
    for shift in files.indices {
      let order = files[shift...] + files[..<shift]
      let parts = try order.map { try workshop.bytes($0) }
      let text = Array(parts.joined(separator: Array("Bag Attributes\n  name: x\n\n".utf8)))
      for text in [text, [0xEF, 0xBB, 0xBF, 0x0A] + text] {
        let certificate = try ClientCertificate.load(secretBytes(text))
        #expect(certificate.certificatesDER == chain)
        #expect(certificate.encryption == nil)
      }
    }
  }

  @Test("A link that is missing ends the chain")
  func missingLink() throws {
    let workshop = try CertificateWorkshop()
    let contents = try workshop.secret("root.pem", "leaf.pem", "leaf.key")
    #expect(try ClientCertificate.load(contents).certificatesDER == [workshop.der("leaf")])
  }

  @Test("What the openssl command makes of a .p12 is read")
  func converted() throws {
    let workshop = try CertificateWorkshop()
    _ = try workshop.pack(["-passout", "pass:x", "-name", "Käse"])
    for lock in [["-nodes"], ["-passout", "pass:swordfish"]] {
      try runOpenSSL(
        ["pkcs12", "-in", "all.p12", "-passin", "pass:x", "-out", "all.txt"] + lock,
        in: workshop.folder)
      let contents = try workshop.secret("all.txt")
      #expect(contents.copy.starts(with: "Bag Attributes".utf8))
      #expect(loadingFault(contents, password: "swordfish") == nil)
    }
  }

  /// Kinds of keys, and arguments of the openssl command that write one to `k`.
  static let keyForms: [([String], [[String]])] = [
    (
      ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
      [
        ["pkey"], ["rsa", "-traditional"], ["pkey", "-outform", "DER"],
        ["rsa", "-traditional", "-outform", "DER"],
        ["rsa", "-traditional", "-aes128", "-passout", "pass:x"],
        ["rsa", "-traditional", "-des3", "-passout", "pass:x"],
        ["pkcs8", "-topk8", "-passout", "pass:x"],
        ["pkcs8", "-topk8", "-v1", "PBE-SHA1-3DES", "-passout", "pass:x"],
        ["pkcs8", "-topk8", "-scrypt", "-passout", "pass:x"],
        ["pkcs8", "-topk8", "-outform", "DER", "-passout", "pass:x"],
        [
          "pkcs8", "-topk8", "-provider", "legacy", "-provider", "default", "-v1",
          "PBE-SHA1-RC2-40", "-passout", "pass:x",
        ],
      ]
    ),
    (
      ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
      [
        ["pkey"], ["ec"], ["ec", "-outform", "DER"], ["pkey", "-outform", "DER"],
        ["ec", "-aes256", "-passout", "pass:x"], ["pkcs8", "-topk8", "-passout", "pass:x"],
      ]
    ),
  ]

  @Test("A key in a file of its own is read in every form, locked or not", arguments: keyForms)
  func keyFiles(_ algorithm: [String], _ forms: [[String]]) throws {
    let workshop = try CertificateWorkshop()
    try workshop.make("some", subject: "/CN=some", algorithm: algorithm)
    try openssl("x509", "-in", "some.pem", "-outform", "DER", "-out", "der", in: workshop.folder)
    for form in forms {
      try runOpenSSL(form + ["-in", "some.key", "-out", "k"], in: workshop.folder)
      let key = try workshop.secret("k")
      for certificate in ["some.pem", "der"] {
        let contents = try workshop.secret(certificate)
        #expect(loadingFault(contents, key: key, password: "x") == nil, "\(form)")
        guard form.contains("-passout") else { continue }
        #expect(loadingFault(contents, key: key) == .needsPassword(.key), "\(form)")
        #expect(loadingFault(contents, key: key, password: "y") == .wrongPassword(.key), "\(form)")
      }
    }
    #expect(ERR_peek_error() == 0, "OpenSSL's queue is left clean")
  }

  @Test("A key of its own goes before a locked one beside the certificate")
  func ownKey() throws {
    let workshop = try CertificateWorkshop()
    let packed = try workshop.pack(["-passout", "pass:x"])
    let key = try workshop.secret("leaf.key")
    #expect(loadingFault(packed, key: key, password: "x") == nil)
    try openssl(
      "pkcs8", "-topk8", "-in", "leaf.key", "-passout", "pass:other", "-out", "locked.key",
      in: workshop.folder)
    #expect(loadingFault(try workshop.secret("leaf.pem", "locked.key"), key: key) == nil)
  }

  /// Arguments of the openssl command that write `x`, and what is wrong with it as a certificate.
  static let wrongFiles: [([String], CertificateError)] = [
    (["pkey", "-in", "leaf.key", "-out", "x"], .isSigningKey),
    (["pkey", "-in", "leaf.key", "-outform", "DER", "-out", "x"], .isSigningKey),
    (["genrsa", "-out", "x", "1024"], .noCertificate),
    (["pkey", "-in", "leaf.key", "-pubout", "-out", "x"], .wrongKind(.publicKey, .certificate)),
    (
      ["pkey", "-in", "leaf.key", "-pubout", "-outform", "DER", "-out", "x"],
      .wrongKind(.publicKey, .certificate)
    ),
    (
      ["req", "-new", "-key", "leaf.key", "-subj", "/CN=x", "-out", "x"],
      .wrongKind(.certificateRequest, .certificate)
    ),
    (
      ["req", "-new", "-key", "leaf.key", "-subj", "/CN=x", "-outform", "DER", "-out", "x"],
      .wrongKind(.certificateRequest, .certificate)
    ),
    (
      ["crl2pkcs7", "-nocrl", "-certfile", "leaf.pem", "-out", "x"],
      .wrongKind(.signedMessage, .certificate)
    ),
    (
      [
        "cms", "-sign", "-nodetach", "-binary", "-in", "plist", "-signer", "leaf.pem", "-inkey",
        "leaf.key", "-outform", "DER", "-out", "x",
      ], .wrongKind(.provisioningProfile, .certificate)
    ),
    (
      ["cms", "-sign", "-in", "leaf.pem", "-signer", "leaf.pem", "-inkey", "leaf.key"]
        + ["-outform", "DER", "-out", "x"], .wrongKind(.signedMessage, .certificate)
    ),
    (["x509", "-in", "leaf.pem", "-out", "x"], .noKey(commonNames: [name])),
    (["x509", "-in", "leaf.pem", "-outform", "DER", "-out", "x"], .noKey(commonNames: [name])),
    (["ecparam", "-name", "prime256v1", "-out", "x"], .noCertificate),
  ]

  @Test("Each wrong kind of file is told apart", arguments: wrongFiles)
  func wrongKind(_ arguments: [String], _ error: CertificateError) throws {
    let workshop = try CertificateWorkshop()
    _ = try workshop.folder.file("plist", "<?xml version=\"1.0\"?><plist></plist>")
    try runOpenSSL(arguments, in: workshop.folder)
    #expect(loadingFault(try workshop.secret("x")) == error)
    #expect(ERR_peek_error() == 0, "OpenSSL's queue is left clean")
  }

  @Test(
    "Text that is no certificate is told apart",
    arguments: [
      ("", CertificateError.empty(.certificate)), (" \r\n", .empty(.certificate)),
      ("<!DOCTYPE html><html>", .wrongKind(.html, .certificate)),
      ("\n <HTML>", .wrongKind(.html, .certificate)),
      ("<?xml version=\"1.0\"?><plist>", .wrongKind(.propertyList, .certificate)),
      ("{\"aps\": {}}", .wrongKind(.json, .certificate)),
      ("eyJhbGciOiJFUzI1NiJ9.e30.AA", .wrongKind(.providerToken, .certificate)),
      ("ssh-ed25519 AAAA me", .wrongKind(.openSSHKey, .certificate)),
      (
        "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
        .wrongKind(.openSSHKey, .certificate)
      ),
      (
        "-----BEGIN PGP MESSAGE-----\nAAAA\n-----END PGP MESSAGE-----\n",
        .wrongKind(.otherPEM(label: "PGP MESSAGE"), .certificate)
      ),
      ("-----BEGIN CERTIFICATE-----\nAAAA\n", .broken(.pem, .certificate)),
      (
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        .broken(.certificate, .certificate)
      ),
      ("cert.p12", .wrongKind(.unknown, .certificate)),
      ("0\u{1}", .wrongKind(.unknown, .certificate)),
    ])
  func wrongText(_ text: String, _ error: CertificateError) {
    #expect(loadingFault(SecretBytes(text)) == error)
  }

  @Test("The key's file can be wrong too")
  func wrongKeyFiles() throws {
    let workshop = try CertificateWorkshop()
    let certificate = try workshop.secret("leaf.pem")
    let faults: [(SecretBytes, CertificateError)] = [
      (try workshop.secret("leaf.pem"), .wrongKind(.certificate, .key)),
      (try workshop.secret("root.key"), .keyDoesNotMatch(commonNames: [Self.name])),
      (SecretBytes(""), .empty(.key)), (SecretBytes("{}"), .wrongKind(.json, .key)),
    ]
    for (key, error) in faults { #expect(loadingFault(certificate, key: key) == error) }
    #expect(loadingFault(try workshop.secret("leaf.pem", "root.key")) == faults[1].1)
  }

  @Test("A key is not shown by what prints things")
  func redacted() throws {
    let workshop = try CertificateWorkshop()
    let certificate = try ClientCertificate.load(workshop.secret("leaf.pem", "leaf.key"))
    var text = ""
    dump(certificate, to: &text)
    let key = certificate.withKeyDER { Array($0) }
    #expect(text.contains("count: \(key.count)"))
    #expect(!text.contains("Pointer"))
  }
}
