import APNS
import Foundation
import HTTP2
import PushEmulator
import TestSupport
import Testing

@testable import Credentials
@testable import Diagnosis

@Suite("A diagnosis of credentials", .timeLimit(.minutes(15)))
struct CredentialDiagnosisTests {
  private struct CallersError: Error {}

  private func trusted(
    _ key: borrowing SigningKey, keyID: String = DiagnosisBench.keyID,
    teamID: String = DiagnosisBench.teamID,
    _ environments: Set<EmulatorEnvironment> = [.sandbox, .production]
  ) throws -> TrustedKey {
    try TrustedKey(
      keyID: keyID, teamID: teamID, publicKey: try key.publicKeyDER(), environments: environments)
  }

  private func reason(_ trust: (borrowing SigningKey) throws -> TrustedKey) throws -> String {
    let bench = try DiagnosisBench { configuration, key in
      configuration.trustedKeys = [try trust(key)]
    }
    let report = try bench.examine()
    guard case .answer(let answer)? = report.evidence(.push) else { return report.words(.push) }
    #expect((report.broken == .push) == (answer.response.reason != .badDeviceToken))
    return answer.response.reason?.rawValue ?? ""
  }

  @Test("is proven by a server that trusts them, and refused by one that does not")
  func trust() throws {
    #expect(try reason { try trusted($0) } == "BadDeviceToken")
    #expect(try reason { _ in try trusted(.generate()) } == "InvalidProviderToken")
    #expect(try reason { try trusted($0, keyID: "ZZZZZZZZZZ") } == "InvalidProviderToken")
    #expect(try reason { try trusted($0, teamID: "ZZZZZZZZZZ") } == "InvalidProviderToken")
    #expect(try reason { try trusted($0, [.production]) } == "BadEnvironmentKeyInToken")
  }

  @Test("asks the other environment's key too")
  func production() throws {
    let bench = try DiagnosisBench { configuration, key in
      configuration.isSandbox = false
      configuration.trustedKeys = [try trusted(key, [.sandbox])]
    }
    #expect(try bench.examine().words(.push).contains("BadEnvironmentKeyInToken"))
  }

  @Test("ends at the first step with a key that cannot be used")
  func badKey() throws {
    var bench = try DiagnosisBench()
    let source = ProviderTokenSource(
      contents: SecretBytes("no key"), keyID: try KeyID("ABC123DEFG"),
      teamID: try TeamID("DEF123GHIJ"), cache: nil
    ) { 0 }
    bench.plan.credentials = .tokens(
      source, try KeyID("ABC123DEFG"), try TeamID("DEF123GHIJ"), fileName: nil)
    let report = try bench.examine()
    #expect(report.broken == .credentials && report.words(.credentials).contains("keyFault"))
    #expect(bench.emulator.connectionCount == 0)
  }

  @Test("carries the caller's own error to the step it belongs to")
  func callersErrors() throws {
    var bench = try DiagnosisBench()
    bench.plan.credentials = .unusable(CallersError())
    #expect(try bench.examine().broken == .credentials)
    bench.plan.credentials = .badIdentifiers(CallersError())
    let report = try bench.examine()
    #expect(report.broken == .identifiers && report[.credentials] == .skipped)
  }

  @Test("tells of a key id that is not the file name's")
  func otherKeyID() throws {
    var bench = try DiagnosisBench()
    guard case .tokens(let source, let keyID, let teamID, _) = bench.plan.credentials else {
      return
    }
    bench.plan.credentials = .tokens(source, keyID, teamID, fileName: try KeyID("ZZZZZZZZZZ"))
    #expect(try bench.examine()[.identifiers] == .warning)
  }

  @Test("ends with a clock that nobody can believe", arguments: [0, 1_500_000_000, 9_999_999_999])
  func clock(_ seconds: Int64) throws {
    var bench = try DiagnosisBench()
    bench.plan.clock.epochMilliseconds = { seconds * 1000 }
    #expect(try bench.examine().broken == .clock)
  }

  @Test("verifies a provider token with the key's public half, and no other")
  func verification() throws {
    let key = try SigningKey.generate()
    let token = try ProviderToken(
      key: key, keyID: try KeyID("ABC123DEFG"), teamID: try TeamID("DEF123GHIJ"), issuedAt: 7)
    #expect(token.isVerified(by: try key.publicKeyDER()))
    #expect(!token.isVerified(by: try SigningKey.generate().publicKeyDER()))
    #expect(!token.isVerified(by: [1, 2, 3]))
    for text in ["", "a.b", "a.b.c", token.text + "AAAA", "x" + token.text] {
      let other = ProviderToken(text: text, issuedAt: 7)
      #expect(!other.isVerified(by: try key.publicKeyDER()))
    }
  }

  // MARK: Certificates

  private func certificate() throws -> ClientCertificate {
    let shop = try CertificateWorkshop()
    return try ClientCertificate.load(shop.secret("leaf.pem", "middle.pem", "leaf.key"))
  }

  @Test("proves a client certificate, for its own topic")
  func goodCertificate() throws {
    var bench = try DiagnosisBench()
    bench.plan.topic = nil
    bench.plan.credentials = .certificate(try certificate())
    let report = try bench.examine()
    #expect(report[.credentials] == .ok && report[.identifiers] == .skipped)
    #expect(report[.push] == .ok && report.broken == nil, "\(report.words(.push))")
  }

  @Test("tells what a certificate without a list of topics is for, by its kind")
  func listlessCertificate() throws {
    let shop = try CertificateWorkshop()
    try shop.make("voip", subject: "/UID=com.example.shop/CN=VoIP Services: com.example.shop")
    try shop.make("web", subject: "/CN=www.example.com")
    func report(_ name: String, _ topic: String?) throws -> DiagnosisReport {
      var bench = try DiagnosisBench()
      bench.plan.topic = try topic.map { try Topic($0) }
      bench.plan.credentials = .certificate(
        try ClientCertificate.load(shop.secret("\(name).pem", "\(name).key")))
      return try bench.examine()
    }
    let own = try report("voip", nil)
    #expect(own[.credentials] == .ok && own[.push] == .ok, "\(own.words(.push))")
    #expect(try report("voip", "com.example.shop").words(.credentials).contains("NotCovered"))
    #expect(try report("web", nil).words(.credentials).contains("notForPush"))
  }

  @Test("tells of a certificate that does not fit before anything is connected")
  func unfitCertificate() throws {
    var bench = try DiagnosisBench()
    bench.plan.credentials = .certificate(try certificate())
    bench.plan.topic = try Topic("com.example.other")
    #expect(try bench.examine().words(.credentials).contains("topicNotCovered"))
    bench.plan.topic = nil
    for (days, word, verdict) in [
      (350, "expiresSoon", DiagnosisVerdict.warning), (400, "expired", .broken),
      (-2, "notYetValid", .broken),
    ] {
      let now = RunClock.system.epochMilliseconds() + Int64(days) * 86_400_000
      bench.plan.clock.epochMilliseconds = { now }
      let report = try bench.examine()
      #expect(report[.credentials] == verdict && report.words(.credentials).contains(word))
    }
  }

  @Test("names what a server holds against a certificate")
  func refusedCertificate() throws {
    let certificate = try certificate()
    var bench = try DiagnosisBench { $0.refusedCertificates = [certificate.facts.sha256] }
    bench.plan.credentials = .certificate(certificate)
    let report = try bench.examine()
    #expect(report.broken == .push && report.words(.push).contains("BadCertificate"))
  }
}
