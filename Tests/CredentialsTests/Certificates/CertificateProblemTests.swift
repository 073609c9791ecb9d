import APNS
import Testing

@testable import Credentials

@Suite("Problems of a certificate")
struct CertificateProblemTests {
  private static let end: Int64 = 2_000_000_000
  private static let now = end - 40 * 86_400

  private static func facts(
    _ commonName: String, topics: [String] = [], userID: String? = nil,
    environments: Set<CertificateFacts.Environment> = []
  ) throws -> CertificateFacts {
    CertificateFacts(
      commonName: commonName, userID: userID, organizationalUnit: nil,
      topics: try topics.map {
        CertificateTopic(try Topic($0), labels: $0.hasPrefix("v.") ? ["voip"] : [])
      }, environments: environments, kind: CertificateKind.named(commonName),
      hasPushExtensions: !topics.isEmpty, notBefore: end - 400 * 86_400, notAfter: end, serial: "",
      issuer: nil, sha256: [], publicKeySHA256: nil, keyKind: "")
  }

  private static func problems(
    _ facts: CertificateFacts, now: Int64 = now, _ environment: PushEnvironment = .production,
    _ topic: String? = nil, _ type: PushType? = .alert
  ) throws -> [CertificateProblem] {
    let topic = try topic.map { try Topic($0) }
    return facts.problems(now: now, environment: environment, topic: topic, pushType: type)
  }

  @Test("The time of validity is kept to the second, and a notice comes 30 days before its end")
  func time() throws {
    let facts = try Self.facts("Apple Push Services: a.b")
    let (start, end) = (facts.notBefore, facts.notAfter)
    let cases: [(Int64, [CertificateProblem])] = [
      (start - 1, [.notYetValid(until: start)]), (start, []), (Self.now, []),
      (end - 30 * 86_400, []), (end - 30 * 86_400 + 1, [.expiresSoon(days: 29)]),
      (end, [.expiresSoon(days: 0)]), (end + 1, [.expired(at: end)]),
    ]
    for (now, problems) in cases { #expect(try Self.problems(facts, now: now) == problems) }
    #expect(CertificateProblem.expiresSoon(days: 1).severity == .warning)
    #expect(CertificateProblem.expired(at: 0).severity == .error)
  }

  @Test("The environment has to be one that the certificate is for, where it is Apple's")
  func environment() throws {
    let facts = try Self.facts("x", environments: [.sandbox])
    let wrong = [CertificateProblem.wrongEnvironment(.production, allowed: [.sandbox])]
    let other = ServerAddress(host: "push.example.com")
    let apple = ServerAddress(host: "api.push.apple.com", port: 2197)
    #expect(try Self.problems(facts, .production) == wrong)
    #expect(try Self.problems(facts, .server(apple)) == wrong)
    #expect(try Self.problems(facts, .sandbox) == [])
    #expect(try Self.problems(facts, .emulator) == [])
    #expect(try Self.problems(facts, .server(other)) == [])
  }

  @Test("The topic has to be one that the certificate names")
  func topics() throws {
    let facts = try Self.facts("x", topics: ["a.b", "a.b.voip", "v.c"], userID: "a.user")
    let covered = facts.topics
    let cases: [(String?, PushType?, [CertificateProblem])] = [
      ("a.b", .alert, []), ("a.b.voip", .voip, []), ("a.user", .alert, []), (nil, nil, []),
      ("v.c.voip", .voip, []),
      ("a.c", .alert, [.topicNotCovered(try Topic("a.c"), covered: covered)]),
      ("a.b.complication", .complication, [.typeNotCovered(.complication, covered: covered)]),
      (
        "a.c.complication", .complication,
        [.topicNotCovered(try Topic("a.c.complication"), covered: covered)]
      ),
      // A rule of APNS says already that this type takes no certificate.
      ("a.b.location-query", .location, []),
    ]
    for (topic, type, problems) in cases {
      #expect(try Self.problems(facts, .production, topic, type) == problems)
    }
  }

  @Test("A certificate that names nothing gets the benefit of the doubt")
  func silent() throws {
    let facts = try Self.facts("APSP:1", userID: "com.apple.mgmt.External.1")
    for environment in PushEnvironment.named {
      #expect(try Self.problems(facts, environment, "com.apple.mgmt.External.2", .mdm) == [])
    }
  }

  @Test("A certificate that signs apps is not for pushes")
  func signing() throws {
    let facts = try Self.facts("Apple Distribution: A Company (ABCDE12345)")
    let kind = try #require(facts.kind)
    #expect(try Self.problems(facts) == [.notForPush(kind)])
  }
}
