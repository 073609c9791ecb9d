import APNS
import Foundation
import PushEmulator
import TestSupport
import Testing

@Suite("Signing in with a certificate", .needs("openssl"), .needs("curl"))
struct CertificateSignInTests {
  private let recorded = Recorder()

  private func start(
    _ change: (inout EmulatorConfiguration) -> Void = { _ in }
  ) throws -> Emulator {
    var configuration = EmulatorConfiguration()
    configuration.journal = .entries { [recorded] in recorded.append($0) }
    change(&configuration)
    return try Emulator(configuration)
  }

  /// What a certificate's push says, and the answer.
  struct Push: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var subject = ClientCertificateTests.universal
    var extensions = [PushCertificate.sandbox, PushCertificate.topics]
    var fields: [String: String?] = [:]
    var reason: Reason?
  }

  private static let older = "/CN=Apple Development IOS Push Services: x/UID=com.example.shop"

  static let pushes = [
    Push(testDescription: "to its topic"),
    Push(
      testDescription: "to another of its topics",
      fields: ["apns-topic": "com.example.shop.voip", "apns-push-type": "voip"]),
    Push(
      testDescription: "to a stranger's topic", fields: ["apns-topic": "com.example.mail"],
      reason: .topicDisallowed),
    Push(
      testDescription: "without a topic where it has several", fields: ["apns-topic": nil],
      reason: .missingTopic),
    Push(
      testDescription: "without a topic where it has one", subject: older,
      extensions: [PushCertificate.sandbox], fields: ["apns-topic": nil]),
    Push(
      testDescription: "without a topic where its one is not the type's", subject: older,
      extensions: [], fields: ["apns-topic": nil, "apns-push-type": "voip"],
      reason: .topicDisallowed),
    Push(
      testDescription: "to a Live Activity that it does not list",
      fields: [
        "apns-topic": "com.example.shop.push-type.liveactivity", "apns-push-type": "liveactivity",
      ],
      reason: .topicDisallowed),
    Push(
      testDescription: "to a Live Activity that it lists",
      subject: "/CN=x/UID=com.example.shop.push-type.liveactivity", extensions: [],
      fields: [
        "apns-topic": "com.example.shop.push-type.liveactivity", "apns-push-type": "liveactivity",
      ]),
    Push(
      testDescription: "of a type that needs a provider token",
      subject: "/CN=x/UID=com.example.shop.location-query", extensions: [],
      fields: [
        "apns-topic": "com.example.shop.location-query", "apns-push-type": "location",
      ],
      reason: .topicDisallowed),
    Push(
      testDescription: "with a bad provider token beside it, which is ignored",
      fields: ["authorization": "bearer x"]),
    Push(
      testDescription: "for the other environment", extensions: [PushCertificate.production],
      reason: .badCertificateEnvironment),
    Push(
      testDescription: "that is a web server's", subject: "/CN=example.com", extensions: [],
      reason: .badCertificate),
    Push(
      testDescription: "whose list of topics is broken",
      extensions: ["1.2.840.113635.100.6.3.6=DER:30:05:0C:01"], reason: .badCertificate),
  ]

  @Test("is answered as APNs does", arguments: pushes)
  func isAnswered(_ push: Push) throws {
    try withTemporaryFolder { folder in
      let certificate = try PushCertificate(push.subject, push.extensions, in: folder)
      let answer = try curl(start(), certificate: certificate, fields: push.fields, in: folder)
      #expect(answer.reason == push.reason?.rawValue, "\(answer.errors)")
      #expect(answer.status == push.reason.map { $0.info?.status.rawValue ?? 0 } ?? 200)
    }
  }

  @Test("is judged by the emulator's clock", arguments: [-172_800, 172_800])
  func isJudgedByClock(_ offset: Int) throws {
    try withTemporaryFolder { folder in
      let certificate = try PushCertificate(ClientCertificateTests.universal, in: folder)
      let emulator = try start { $0.clockOffset = offset }
      let answer = try curl(emulator, certificate: certificate, in: folder)
      #expect(answer.status == 403 && answer.reason == "BadCertificate")
      #expect(
        recorded.entries.first?.note == "the certificate "
          + (offset > 0 ? "has expired" : "is not valid yet"))
    }
  }

  @Test("is refused when its fingerprint is on the list")
  func isRefused() throws {
    try withTemporaryFolder { folder in
      let certificate = try PushCertificate(ClientCertificateTests.universal, in: folder)
      let printed = try run(
        "openssl", ["x509", "-in", "certificate.pem", "-noout", "-fingerprint", "-sha256"],
        in: folder
      ).output
      let digits = Array(printed.split(separator: "=").last ?? "").filter(\.isHexDigit)
      let fingerprint = stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16)
      }
      let emulator = try start { $0.refusedCertificates = [fingerprint] }
      let answer = try curl(emulator, certificate: certificate, in: folder)
      #expect(answer.status == 403 && answer.reason == "BadCertificate")
    }
  }

  @Test("is in the journal by its common name, and a provider token's push is not")
  func isInJournal() throws {
    try withTemporaryFolder { folder in
      let emulator = try start()
      let certificate = try PushCertificate(ClientCertificateTests.universal, in: folder)
      #expect(try curl(emulator, certificate: certificate, in: folder).status == 200)
      #expect(try curl(emulator, in: folder).reason == "MissingProviderToken")
      let names = recorded.entries.map(\.certificate)
      #expect(names == ["Apple Push Services: com.example.shop", nil])
    }
  }

  @Test("is demanded in the handshake where that was asked for")
  func isRequired() throws {
    try withTemporaryFolder { folder in
      let emulator = try start { $0.requiresClientCertificate = true }
      let certificate = try PushCertificate(ClientCertificateTests.universal, in: folder)
      #expect(try curl(emulator, certificate: certificate, in: folder).status == 200)
      for version in ["1.2", "1.3"] {
        let refused = try curl(
          emulator, ["--tlsv\(version)", "--tls-max", version], in: folder)
        #expect(refused.status == 0 && refused.exitCode != 0)
        #expect(refused.errors.contains("alert"), "\(refused.errors)")
      }
      #expect(emulator.requestCount == 1)
    }
  }
}
