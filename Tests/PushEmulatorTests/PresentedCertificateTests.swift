import Foundation
import TestSupport
import Testing

@testable import PushEmulator

@Suite("A client certificate", .needs("openssl"))
struct ClientCertificateTests {
  static let universal = "/CN=Apple Push Services: com.example.shop/UID=com.example.shop"
  private static let both = [PushCertificate.sandbox, PushCertificate.production]

  /// A certificate, and what is read from it.
  struct Sample: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var subject = universal
    var extensions: [String] = []
    var topics: [String]?
    var environments: Set<EmulatorEnvironment> = []
  }

  static let samples = [
    Sample(
      testDescription: "of the universal kind lists its topics",
      extensions: both + [PushCertificate.topics],
      topics: ["com.example.shop", "com.example.shop.voip"], environments: [.sandbox, .production]),
    Sample(
      testDescription: "of the universal kind without a list has those of its user id",
      extensions: both,
      topics: ["com.example.shop", "com.example.shop.voip", "com.example.shop.complication"],
      environments: [.sandbox, .production]),
    Sample(
      testDescription: "of an older kind has its user id",
      subject: "/CN=Apple Development IOS Push Services: com.example.shop/UID=com.example.shop",
      extensions: [PushCertificate.sandbox], topics: ["com.example.shop"], environments: [.sandbox]),
    Sample(
      testDescription: "of a VoIP service has the list of its own",
      subject: "/CN=VoIP Services: com.example.shop/UID=com.example.shop",
      extensions: [PushCertificate.apple(4, "UTF8:com.example.shop.voip, com.example.mail.voip")],
      topics: ["com.example.shop.voip", "com.example.mail.voip"]),
    Sample(
      testDescription: "with both lists has the topics of both, each once",
      extensions: [
        PushCertificate.topics, PushCertificate.apple(4, "IA5:com.example.shop.voip,web.example"),
      ],
      topics: ["com.example.shop", "com.example.shop.voip", "web.example"]),
    Sample(
      testDescription: "with a broken list has none",
      extensions: ["1.2.840.113635.100.6.3.6=DER:30:05:0C:01"], topics: nil),
    Sample(testDescription: "of a web server has none", subject: "/CN=example.com", topics: []),
    Sample(testDescription: "without a name has none", subject: "/O=Example", topics: []),
  ]

  @Test("is read", arguments: samples)
  func reads(_ sample: Sample) throws {
    try withTemporaryFolder { folder in
      let made = try PushCertificate(sample.subject, sample.extensions, in: folder)
      let certificate = try PresentedCertificate(der: made.der)
      #expect(certificate.topics == sample.topics)
      #expect(certificate.environments == sample.environments)
      let name = sample.subject.split(separator: "/").first { $0.hasPrefix("CN=") }
      #expect(certificate.commonName == name.map { String($0.dropFirst(3)) })
      #expect(certificate.notAfter - certificate.notBefore == 86_400)
      #expect(abs(Date.now.timeIntervalSince1970 - Double(certificate.notBefore)) < 3600)
      let digest = try run(
        "openssl", ["x509", "-in", "certificate.pem", "-noout", "-fingerprint", "-sha256"],
        in: folder
      ).output.split(separator: "=").last?.filter { $0.isHexDigit }
      let hex = certificate.fingerprint.map {
        String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
      }
      #expect(digest?.lowercased() == hex.joined())
    }
  }

  @Test("that is broken anywhere is refused or read, and nothing worse")
  func survives() throws {
    try withTemporaryFolder { folder in
      let der = try PushCertificate(
        Self.universal, Self.both + [PushCertificate.topics], in: folder
      ).der
      let whole = der.indices.filter { (try? PresentedCertificate(der: Array(der[..<$0]))) != nil }
      #expect(whole.isEmpty)
      for index in der.indices {
        for change: UInt8 in [0x01, 0x80] {
          var changed = der
          changed[index] ^= change
          _ = try? PresentedCertificate(der: changed)
        }
      }
    }
  }

  static let dates = 1000...2000

  /// When a certificate is shown, where, and what is wrong then.
  static let judgements:
    [(now: Double, environment: EmulatorEnvironment, ClientCertificateFault?)] = [
      (999, .sandbox, .notYetValid), (999.9, .sandbox, .notYetValid), (1000, .sandbox, nil),
      (2000.9, .sandbox, nil), (2001, .sandbox, .expired), (1500, .production, .otherEnvironment),
      (2001, .production, .expired),
    ]

  @Test("is judged by its dates and its environment", arguments: judgements)
  func judges(
    _ row: (now: Double, environment: EmulatorEnvironment, fault: ClientCertificateFault?)
  ) {
    let certificate = Self.certificate(environments: [.sandbox])
    #expect(certificate.fault(at: row.now, in: row.environment, refusing: []) == row.fault)
  }

  @Test("that names no environment is for both", arguments: EmulatorEnvironment.allCases)
  func isForBoth(_ environment: EmulatorEnvironment) {
    let certificate = Self.certificate(environments: [])
    #expect(certificate.fault(at: 1500, in: environment, refusing: []) == nil)
  }

  @Test("that is refused by name of its fingerprint is refused")
  func isRefused() {
    let certificate = Self.certificate(environments: [])
    #expect(certificate.fault(at: 1500, in: .sandbox, refusing: [[7]]) == .refused)
    #expect(certificate.fault(at: 1500, in: .sandbox, refusing: [[8]]) == nil)
  }

  @Test("without topics is no push certificate")
  func needsTopics() {
    let faults = [[], nil].map { topics in
      Self.certificate(topics: topics, environments: [])
        .fault(at: 1500, in: .sandbox, refusing: [])
    }
    #expect(faults == [.noTopic, .brokenTopics])
  }

  private static func certificate(
    topics: [String]? = ["com.example.shop"], environments: Set<EmulatorEnvironment>
  ) -> PresentedCertificate {
    PresentedCertificate(
      commonName: nil, topics: topics, environments: environments, notBefore: dates.lowerBound,
      notAfter: dates.upperBound, fingerprint: [7])
  }
}
