import APNS
import Testing

@testable import Credentials

@Suite("Problems of a certificate")
struct CertificateProblemTests {
  private static let end: Int64 = 2_000_000_000
  private static let now = end - 40 * 86_400

  private static func facts(
    _ commonName: String, topics: [String] = [], userID: String? = nil,
    environments: Set<CertificateFacts.Environment> = [], labels: [String]? = nil
  ) throws -> CertificateFacts {
    CertificateFacts(
      commonName: commonName, userID: userID, organizationalUnit: nil,
      topics: try topics.map {
        CertificateTopic(try Topic($0), labels: labels ?? ($0.hasPrefix("v.") ? ["voip"] : []))
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
    let facts = try Self.facts("Apple Push Services: x", environments: [.sandbox])
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
    let covered = facts.topics + [CertificateTopic(try Topic("a.user"))]
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

  @Test("A topic with several labels is for itself, and not for VoIP beside it")
  func severalLabels() throws {
    let facts = try Self.facts("x", topics: ["a.b"], labels: ["voip", "app"])
    #expect(try Self.problems(facts, .production, "a.b", .alert) == [])
    #expect(try Self.problems(facts, .production, "a.b.voip", .voip).count == 1)
  }

  @Test("A certificate that names nothing gets the benefit of the doubt")
  func silent() throws {
    let facts = try Self.facts("APSP:1")
    for environment in PushEnvironment.named {
      #expect(try Self.problems(facts, environment, "com.apple.mgmt.External.2", .mdm) == [])
    }
  }

  /// A certificate without a list of topics, a push, and the topics that it is for where it does not
  /// fit, with a `!` where it lacks the push type alone.
  static let listless: [(String, String, String, PushType, String?)] = [
    ("Apple Push Services: ", "a.b", "a.b", .alert, nil),
    ("Apple Push Services: ", "a.b", "a.b", .background, nil),
    ("Apple Push Services: ", "a.b", "a.b.voip", .voip, nil),
    ("Apple Push Services: ", "a.b", "a.b.complication", .complication, nil),
    (
      "Apple Push Services: ", "a.b", "a.b.push-type.liveactivity", .liveactivity,
      "! a.b a.b.voip a.b.complication"
    ),
    ("Apple Push Services: ", "a.b", "a.c", .alert, "a.b a.b.voip a.b.complication"),
    ("Apple Development IOS Push Services: ", "a.b", "a.b", .alert, nil),
    ("Apple Development IOS Push Services: ", "a.b", "a.c", .alert, "a.b"),
    ("Apple Development IOS Push Services: ", "a.b", "a.b.voip", .voip, "! a.b"),
    ("VoIP Services: ", "a.b", "a.b.voip", .voip, nil),
    ("VoIP Services: ", "a.b.voip", "a.b.voip", .voip, nil),
    ("VoIP Services: ", "a.b", "a.b", .alert, "! a.b.voip"),
    ("VoIP Services: ", "a.b", "a.c.voip", .voip, "a.b.voip"),
    ("VoIP Services: ", "a.b.voip", "a.b.voip", .alert, "! a.b.voip"),
    ("WatchKit Services: ", "a.b.complication", "a.b.complication", .alert, "! a.b.complication"),
    ("WatchKit Services: ", "a.b", "a.b.complication", .complication, nil),
    ("WatchKit Services: ", "a.b", "a.b", .alert, "! a.b.complication"),
    ("Website Push ID: ", "web.a.b", "web.a.b", .alert, nil),
    ("Website Push ID: ", "web.a.b", "a.b", .alert, "web.a.b"),
    ("APSP:", "com.apple.mgmt.External.1", "com.apple.mgmt.External.1", .mdm, nil),
    (
      "APSP:", "com.apple.mgmt.External.1", "com.apple.mgmt.External.2", .mdm,
      "com.apple.mgmt.External.1"
    ),
    (
      "APSP:", "com.apple.mgmt.External.1", "com.apple.mgmt.External.1", .alert,
      "! com.apple.mgmt.External.1"
    ),
    ("APSP:", "com.apple.mgmt.External.1", "a.b", .alert, "com.apple.mgmt.External.1"),
    ("Apple Push Services: ", "a.b", "a.b", .mdm, "! a.b a.b.voip a.b.complication"),
  ]

  @Test("One without a list of topics is for those of its kind and user ID", arguments: listless)
  func withoutList(
    _ prefix: String, _ userID: String, _ topic: String, _ type: PushType, _ names: String?
  ) throws {
    let facts = try Self.facts(prefix + userID, userID: userID)
    let words = names?.split(separator: " ") ?? []
    let covered = try words.filter { $0 != "!" }.map { CertificateTopic(try Topic($0)) }
    let problem: CertificateProblem? =
      switch words.first {
      case nil: nil
      case "!": .typeNotCovered(type, covered: covered)
      default: .topicNotCovered(try Topic(topic), covered: covered)
      }
    let found = try Self.problems(facts, .emulator, topic, type)
    #expect(found == [problem].compactMap(\.self))
  }

  @Test("A list for VoIP is good for nothing else, whether it names topics or bundle IDs")
  func voipList() throws {
    for listed in ["v.c", "v.c.voip"] {
      let facts = try Self.facts("VoIP Services: v.c", topics: [listed], userID: "v.c")
      #expect(try Self.problems(facts, .sandbox, "v.c.voip", .voip) == [])
      #expect(facts.mainTopic?.text == "v.c.voip")
      #expect(
        try Self.problems(facts, .sandbox, "v.c", .alert)
          == [.typeNotCovered(.alert, covered: facts.topics)])
    }
  }

  @Test("A certificate of a web server, or of a person, is not for pushes")
  func foreign() throws {
    for (name, userID) in [("www.example.com", nil), ("Ada Example", "ada")] as [(String, String?)]
    {
      let found = try Self.problems(
        Self.facts(name, userID: userID), .sandbox, "com.example.shop", .alert)
      #expect(found.count == 1)
      guard case .notForPush? = found.first else {
        Issue.record("\(name): \(found)")
        continue
      }
    }
  }

  @Test(
    "A certificate that signs apps, or the requests of others, is not for pushes",
    arguments: ["Apple Distribution: A Company (ABCDE12345)", "MDM Vendor: A Company"])
  func signing(_ name: String) throws {
    let facts = try Self.facts(name)
    let kind = try #require(facts.kind)
    #expect(try Self.problems(facts) == [.notForPush(kind)])
    #expect(kind.isOfVendor == name.hasPrefix("MDM"))
  }

  @Test("A certificate for device management is renewed in a place of its own")
  func renewal() throws {
    let facts = try Self.facts("APSP:1", userID: "com.apple.mgmt.External.1")
    #expect(
      try Self.problems(facts, now: facts.notAfter)
        == [.expiresSoon(days: 0, isMDM: true)])
  }
}
