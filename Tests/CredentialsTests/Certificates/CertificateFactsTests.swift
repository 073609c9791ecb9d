import APNS
import Foundation
import TestSupport
import Testing

@testable import Credentials

@Suite("Facts of a certificate", .timeLimit(.minutes(15)))
struct CertificateFactsTests {
  /// The facts of a certificate with these extensions.
  private static func facts(
    _ subject: String, _ extensions: String = ""
  ) throws -> CertificateFacts {
    let workshop = try CertificateWorkshop()
    try workshop.make("some", subject: subject, extensions: extensions)
    return try CertificateFacts(der: workshop.der("some"))
  }

  private static func texts(_ facts: CertificateFacts) -> [String] {
    facts.topics.map { ([$0.topic.text] + $0.labels).joined(separator: " ") }
  }

  @Test("Names, topics, environments and kind are those of a push certificate")
  func push() throws {
    let workshop = try CertificateWorkshop()
    let facts = try CertificateFacts(der: workshop.der("leaf"))
    #expect(facts.commonName == "Apple Push Services: com.example.shop")
    #expect(facts.userID == "com.example.shop")
    #expect(facts.issuer == "Test Issuer")
    #expect(
      Self.texts(facts) == [
        "com.example.shop app", "com.example.shop.voip voip",
        "com.example.shop.complication complication",
      ])
    #expect(facts.environments == [.sandbox, .production])
    #expect(facts.kind?.name == "push, both environments")
    #expect(facts.isForPush && facts.hasPushExtensions && !facts.isMDM)
    #expect(facts.keyKind == "EC P-256")
  }

  @Test("Serial, fingerprint and times are what the openssl command says")
  func figures() throws {
    let workshop = try CertificateWorkshop()
    try workshop.make("rsa", subject: "/CN=rsa", algorithm: ["RSA"])
    let facts = try CertificateFacts(der: workshop.der("rsa"))
    let printed = try openssl(
      "x509", "-in", "rsa.pem", "-noout", "-serial", "-fingerprint", "-sha256", "-startdate",
      "-enddate", "-dateopt", "iso_8601", in: workshop.folder)
    let lines = printed.split(separator: "\n").map { $0.split(separator: "=")[1] }
    #expect(facts.serial == lines[0])
    let digits = facts.sha256.map { String(format: "%02X", $0) }.joined(separator: ":")
    #expect(digits == lines[1])
    let times = try lines[2...].map { line in
      try Date(line.replacing(" ", with: "T"), strategy: .iso8601).timeIntervalSince1970
    }
    #expect([Double(facts.notBefore), Double(facts.notAfter)] == times)
    #expect(facts.keyKind == "RSA 2048")
  }

  @Test("Kinds are told by the common name, and environments by it where no extension tells")
  func kinds() throws {
    let old = try Self.facts("/CN=Apple Development IOS Push Services: com.example.shop")
    #expect(old.environments == [.sandbox])
    #expect(old.topics.isEmpty)
    let marked = try Self.facts(
      "/CN=Apple Push Services: com.example.shop", "1.2.840.113635.100.6.3.2 = ASN1:NULL")
    #expect(marked.environments == [.production])
    let device = try Self.facts("/CN=APSP:1234/UID=com.apple.mgmt.External.1234")
    #expect(device.isMDM && device.isForPush && device.environments.isEmpty)
    let other = try Self.facts("/O=Nobody")
    #expect(other.kind == nil && other.commonName == nil && !other.isForPush)
    for kind in CertificateKind.table {
      #expect(CertificateKind.named(kind.prefix + "x") == kind, "no prefix hides another")
    }
  }

  /// Lines for an extension of topics, and the topics that are read.
  static let layouts: [(String, [String])] = [
    ("1.2.840.113635.100.6.3.4 = ASN1:UTF8:a.b.voip,a.c.voip", ["a.b.voip voip", "a.c.voip voip"]),
    ("1.2.840.113635.100.6.3.4 = ASN1:IA5:a.b.voip", ["a.b.voip voip"]),
    ("1.2.840.113635.100.6.3.4 = ASN1:SEQUENCE:s\n[s]\na = UTF8:a.b", ["a.b voip"]),
    (
      "1.2.840.113635.100.6.3.6 = ASN1:SEQUENCE:s\n[s]\na = UTF8:a.b\nb = UTF8:a.c", ["a.b", "a.c"]
    ),
    ("1.2.840.113635.100.6.3.6 = ASN1:UTF8:a.b", ["a.b"]),
    ("1.2.840.113635.100.6.3.6 = ASN1:SEQUENCE:s\n[s]\na = INT:7\nb = UTF8:a.b", ["a.b"]),
    ("1.2.840.113635.100.6.3.6 = ASN1:SEQUENCE:s\n[s]\na = UTF8:not a topic!", []),
    ("1.2.840.113635.100.6.3.6 = ASN1:NULL", []),
    ("1.2.840.113635.100.6.3.6 = DER:0C:84:FF:FF:FF:FF:61", ["a"]),
    ("1.2.840.113635.100.6.3.6 = DER:30:80:0C:01:61", ["a"]),
    ("1.2.840.113635.100.6.3.6 = DER:30:88:FF:FF:FF:FF:FF:FF:FF:FF:0C:01:61", []),
    ("1.2.840.113635.100.6.3.6 = DER:0C:02:C3:28", []),
    ("1.2.840.113635.100.6.3.6 = DER:1F", []),
    (
      "1.2.840.113635.100.6.3.6 = DER:"
        + Array(repeating: "30:80", count: 500).joined(separator: ":"), []
    ),
    ("1.2.840.113635.100.6.3.1.1 = ASN1:NULL", []),
  ]

  @Test("Topics are read generously, and nonsense is left out", arguments: layouts)
  func topics(_ extensions: String, _ topics: [String]) throws {
    #expect(try Self.texts(Self.facts("/CN=x", extensions)) == topics)
  }

  @Test("Any bytes as a list of topics are read without harm")
  func nonsense() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<20_000 {
      let count = Int(random.next() % 40)
      let tags: [UInt8] = [0x30, 0x0C, 0x80, 0x00, 0x01, 0x02, 0x61, 0xFF, 0x84, 0x1F]
      let bytes = (0..<count).map { _ in tags[Int(random.next() % 10)] }
      bytes.withUnsafeBytes { bytes in
        #expect(CertificateTopic.list(in: bytes[...]).count <= count)
        #expect(CertificateTopic.voipList(in: bytes[...]).count <= count)
      }
    }
  }

  @Test("The certificates of a file are listed without its key and without a password")
  func list() throws {
    let workshop = try CertificateWorkshop()
    try openssl(
      "pkcs8", "-topk8", "-in", "leaf.key", "-passout", "pass:x", "-out", "locked.key",
      in: workshop.folder)
    let contents = try workshop.secret("locked.key", "leaf.pem", "middle.pem")
    let names = try CertificateFacts.list(in: contents).map(\.commonName)
    #expect(names == ["Apple Push Services: com.example.shop", "Test Issuer"])
    let der = secretBytes(try workshop.der("leaf"))
    #expect(try CertificateFacts.list(in: der).count == 1)
    let packed = try workshop.pack(["-passout", "pass:x"])
    #expect(throws: CertificateError.wrongKind(.pkcs12, .certificate)) {
      try CertificateFacts.list(in: packed)
    }
    #expect(throws: CertificateError.noCertificate) {
      try CertificateFacts.list(in: workshop.secret("locked.key"))
    }
    #expect(throws: CertificateError.broken(.certificate, .certificate)) {
      try CertificateFacts(der: Array(workshop.der("leaf").dropLast()))
    }
  }
}
