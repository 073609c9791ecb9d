import COpenSSL
import TestSupport
import Testing

@testable import Credentials

@Suite("Client certificates in .p12 files", .timeLimit(.minutes(15)))
struct PKCS12Tests {
  /// Options of `openssl pkcs12 -export`, the password, and what the file is locked with.
  static let forms: [([String], String?, [String], legacy: Bool)] = [
    (["-passout", "pass:swordfish"], "swordfish", ["AES-256-CBC, PBKDF2"], false),
    (["-legacy", "-passout", "pass:swordfish"], "swordfish", ["RC2-40-CBC", "3DES"], true),
    (
      [
        "-legacy", "-certpbe", "PBE-SHA1-RC2-40", "-keypbe", "PBE-SHA1-RC2-128", "-passout",
        "pass:swordfish",
      ], "swordfish", ["RC2-40-CBC", "RC2-128-CBC"], true
    ),
    (
      ["-descert", "-keypbe", "PBE-SHA1-3DES", "-macalg", "sha1", "-passout", "pass:swordfish"],
      "swordfish", ["3DES"], true
    ),
    (["-legacy", "-passout", "pass:"], nil, ["RC2-40-CBC", "3DES"], true),
    (["-passout", "pass:"], "", ["AES-256-CBC, PBKDF2"], false),
    (["-passout", "pass:Käse 🧀 日本"], "Käse 🧀 日本", ["AES-256-CBC, PBKDF2"], false),
    (["-legacy", "-passout", "pass:Käse 🧀 日本"], "Käse 🧀 日本", ["RC2-40-CBC", "3DES"], true),
    (["-nomac", "-passout", "pass:swordfish"], "swordfish", ["AES-256-CBC, PBKDF2"], false),
    (
      ["-nomac", "-legacy", "-certpbe", "PBE-SHA1-RC2-40", "-passout", "pass:x"], "x",
      ["RC2-40-CBC", "3DES"], true
    ),
    (["-certpbe", "NONE", "-keypbe", "NONE", "-passout", "pass:"], nil, [], false),
  ]

  @Test("Whatever locks it, the right password opens it, in DER, BER and base64", arguments: forms)
  func opens(
    _ options: [String], _ password: String?, _ algorithms: [String], legacy: Bool
  ) throws {
    let workshop = try CertificateWorkshop()
    let der = try workshop.pack(options)
    try openssl("base64", "-in", "all.p12", "-out", "all.txt", in: workshop.folder)
    let ber = secretBytes(indefinite(der.copy[...]))
    for contents in [der, ber, try workshop.secret("all.txt")] {
      let secret = password.map { SecretBytes($0) }
      let certificate = try ClientCertificate.load(contents, password: secret)
      #expect(
        certificate.certificatesDER == [try workshop.der("leaf"), try workshop.der("middle")])
      #expect(certificate.encryption?.algorithms == algorithms)
      #expect(certificate.encryption?.isLegacy == legacy)
      #expect(certificate.encryption?.hasMAC == !options.contains("-nomac"))
      try expectKey(of: certificate, is: "leaf", in: workshop)
    }
    #expect(try PKCS12Encryption(contents: ber) == PKCS12Encryption(contents: der))
    #expect(ERR_peek_error() == 0, "OpenSSL's queue is left clean")
  }

  private func expectKey(
    of certificate: ClientCertificate, is name: String, in workshop: CertificateWorkshop
  ) throws {
    try openssl(
      "pkcs8", "-topk8", "-nocrypt", "-in", "\(name).key", "-outform", "DER", "-out", "k.der",
      in: workshop.folder)
    let written = certificate.withKeyDER { Array($0) }
    // Written from PKCS#12 it may carry attributes, so the keys are compared, and not the bytes.
    _ = try workshop.folder.file("got.der", written)
    let got = try openssl("pkey", "-inform", "DER", "-in", "got.der", in: workshop.folder)
    #expect(try got == openssl("pkey", "-inform", "DER", "-in", "k.der", in: workshop.folder))
  }

  @Test("No password at all is tried as well as an empty one")
  func noPassword() throws {
    let workshop = try CertificateWorkshop()
    for password in [nil, ""] {
      let contents = try builtP12(
        certificates: ["leaf"], keys: ["leaf"], password: password, in: workshop)
      #expect(loadingFault(contents) == nil)
      #expect(loadingFault(contents, password: "") == nil)
      #expect(loadingFault(contents, password: "x") == .wrongPassword(.certificate))
    }
  }

  @Test("A wrong password and a missing one are told from a broken file")
  func wrongPassword() throws {
    let workshop = try CertificateWorkshop()
    for options in [["-legacy"], [], ["-nomac"], ["-nomac", "-legacy"]] {
      let contents = try workshop.pack(options + ["-passout", "pass:swordfish"])
      #expect(loadingFault(contents, password: "Swordfish") == .wrongPassword(.certificate))
      #expect(loadingFault(contents) == .needsPassword(.certificate))
      let bytes = contents.copy
      for count in stride(from: 40, to: bytes.count, by: 97) {
        let cut = secretBytes(Array(bytes[..<count]))
        #expect(loadingFault(cut, password: "swordfish") == .broken(.pkcs12, .certificate))
      }
    }
    #expect(ERR_peek_error() == 0, "OpenSSL's queue is left clean")
  }

  @Test("Without the legacy module, an old file says so, and a new one opens")
  func legacyMissing() throws {
    let workshop = try CertificateWorkshop()
    let empty = try KeptFolder()
    let password = SecretBytes("swordfish")
    #expect(LibraryContext(legacyModuleIn: empty.path) == nil)
    let old = try workshop.pack(["-legacy", "-passout", "pass:swordfish"])
    #expect(throws: CertificateError.legacyUnavailable(["RC2-40-CBC"])) {
      try ClientCertificate.load(
        old, password: password, legacy: { LibraryContext(legacyModuleIn: empty.path) })
    }
    #expect(throws: CertificateError.wrongPassword(.certificate)) {
      try ClientCertificate.load(old, password: SecretBytes("x"), legacy: { nil })
    }
    let new = try workshop.pack(["-passout", "pass:swordfish"])
    _ = try ClientCertificate.load(new, password: password, legacy: { nil })
    #expect(try PKCS12Encryption(contents: old).isLegacy)
  }

  @Test("The old algorithms stay unknown to the rest of the process")
  func contained() throws {
    let workshop = try CertificateWorkshop()
    let old = try workshop.pack(["-legacy", "-passout", "pass:swordfish"])
    #expect(loadingFault(old, password: "swordfish") == nil)
    #expect(EVP_CIPHER_fetch(nil, "RC2-40-CBC", nil) == nil)
    ERR_clear_error()
  }

  @Test("No key and no certificate are told apart")
  func incomplete() throws {
    let workshop = try CertificateWorkshop()
    try openssl(
      "pkcs12", "-export", "-nokeys", "-in", "leaf.pem", "-passout", "pass:x", "-out", "c.p12",
      in: workshop.folder)
    try openssl(
      "pkcs12", "-export", "-nocerts", "-inkey", "leaf.key", "-in", "leaf.key", "-passout",
      "pass:x", "-out", "k.p12", in: workshop.folder)
    let name = "Apple Push Services: com.example.shop"
    #expect(
      loadingFault(try workshop.secret("c.p12"), password: "x") == .noKey(commonNames: [name]))
    #expect(loadingFault(try workshop.secret("k.p12"), password: "x") == .noCertificate)
    let other = try builtP12(
      certificates: ["leaf"], keys: ["root"], password: "x", in: workshop)
    #expect(loadingFault(other, password: "x") == .keyDoesNotMatch(commonNames: [name]))
  }

  @Test("Of several keys the one that belongs to the certificate is taken")
  func severalKeys() throws {
    let workshop = try CertificateWorkshop()
    let contents = try builtP12(
      certificates: ["middle", "leaf"], keys: ["root", "leaf"], password: "x", in: workshop)
    let certificate = try ClientCertificate.load(contents, password: SecretBytes("x"))
    #expect(certificate.certificatesDER == [try workshop.der("leaf"), try workshop.der("middle")])
    try expectKey(of: certificate, is: "leaf", in: workshop)
  }

  @Test("Of several identities the one for pushes is taken; two of them are refused by name")
  func severalIdentities() throws {
    let workshop = try CertificateWorkshop()
    let password = SecretBytes("x")
    try workshop.make("signer", subject: "/CN=Apple Development: A Person")
    let one = try builtP12(
      certificates: ["signer", "leaf"], keys: ["signer", "leaf"], password: "x", in: workshop)
    let facts = try ClientCertificate.load(one, password: password).facts
    #expect(facts.commonName == "Apple Push Services: com.example.shop")
    try workshop.make("other", subject: "/CN=Apple Push Services: com.example.other")
    let two = try builtP12(
      certificates: ["other", "leaf"], keys: ["other", "leaf"], password: "x", in: workshop)
    #expect(
      loadingFault(two, password: "x")
        == .severalIdentities(commonNames: [
          "Apple Push Services: com.example.other", "Apple Push Services: com.example.shop",
        ]))
  }

  @Test("Of a certificate and its renewal the newer is taken")
  func renewal() throws {
    let workshop = try CertificateWorkshop()
    try openssl("pkey", "-in", "leaf.key", "-out", "newer.key", in: workshop.folder)
    try workshop.make(
      "newer", subject: CertificateWorkshop.leafSubject,
      extensions: pushExtensions(of: "com.example.shop"), days: 900)
    for order in [["leaf.pem", "newer.pem"], ["newer.pem", "leaf.pem"]] {
      let bytes = try (order + ["leaf.key"]).flatMap { try workshop.bytes($0) }
      let certificate = try ClientCertificate.load(secretBytes(bytes))
      #expect(try certificate.certificatesDER == [workshop.der("newer")])
    }
  }

  @Test("A lock that would take minutes to try is refused at once", arguments: [[], ["-nomac"]])
  func tooManyIterations(_ options: [String]) throws {
    let workshop = try CertificateWorkshop()
    let contents = try workshop.pack(options + ["-iter", "100000", "-passout", "pass:x"]).copy
    // Anybody can write another number in: 2,000,001.
    let patched = contents.replacing(
      [0x02, 0x03, 0x01, 0x86, 0xA0], with: [0x02, 0x03, 0x1E, 0x84, 0x81])
    #expect(loadingFault(secretBytes(contents), password: "x") == nil)
    #expect(
      loadingFault(secretBytes(patched), password: "x")
        == .tooManyIterations(PKCS12Encryption.maximumIterations + 1))
  }
}
