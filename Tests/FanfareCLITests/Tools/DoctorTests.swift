import APNS
import CommandLineKit
import JSONText
import PlainText
import Runs
import TestSupport
import Testing

@testable import Credentials
@testable import Diagnosis
@testable import FanfareCLI
@testable import HTTP2
@testable import Reporting
@testable import Settings
@testable import Tools

@Suite("What the doctor says")
struct DoctorTests {
  static let hostile = "x\u{1b}[31m\r\nfanfare: ok\u{202e}"

  private static let facts = TLSConnectionFacts(
    remoteAddress: "192.0.2.1", remotePort: 443, wentThroughProxy: false, tlsVersion: "TLSv1.3",
    cipher: "TLS_AES_256_GCM_SHA384", chain: [certificate("leaf"), certificate("Root")],
    asksForIdentity: true)

  private static func certificate(_ name: String) -> PeerCertificate {
    PeerCertificate(
      subject: "CN = \(name)", commonName: name + hostile, issuer: "CN = Root",
      issuerCommonName: "Root" + hostile, notBefore: 0, notAfter: 1, sha256: [])
  }

  private static let proxy = ProxySetting(url: "http://me:secret@p:1", origin: "HTTPS_PROXY")

  private static let clientCertificate = CertificateFacts(
    commonName: hostile, userID: nil, organizationalUnit: nil, topics: [], environments: [.sandbox],
    kind: nil,
    hasPushExtensions: true, notBefore: 0, notAfter: 1_800_000_000, serial: "", issuer: nil,
    sha256: [], publicKeySHA256: nil, keyKind: "")

  private static func answer(
    _ status: Int, _ reason: Reason? = nil, fault: Int64? = nil,
    _ service: RequestFacts.Service = .sandbox
  ) -> DiagnosisEvidence {
    .answer(
      FalsePushAnswer(
        response: Response(status: Status(rawValue: status), reason: reason),
        request: RequestFacts(service: service, pushType: .alert), clockFault: fault))
  }

  private static func dial(_ layer: DialError.Layer) -> DiagnosisEvidence {
    .dialFailed(
      DialError(
        layer: layer, detail: hostile, target: DialTarget(host: "h", proxy: proxy),
        presented: certificate("Snoop")))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var step: DiagnosisStep
    var verdict: DiagnosisVerdict
    var evidence: DiagnosisEvidence
    var testDescription: String { "\(step) \(verdict)" }

    init(_ step: DiagnosisStep, _ verdict: DiagnosisVerdict, _ evidence: DiagnosisEvidence) {
      (self.step, self.verdict, self.evidence) = (step, verdict, evidence)
    }
  }

  static let rows: [Row] = credentialRows + networkRows + answerRows

  private static let credentialRows = [
    Row(.credentials, .skipped, .unchecked(.noCredentials)),
    Row(.credentials, .skipped, .unchecked(.faultyIdentifiers)),
    Row(.credentials, .broken, .unusable(Failure.key(name: hostile, .encrypted))),
    Row(.credentials, .broken, .keyFault(.wrongCurve(hostile))),
    Row(.credentials, .broken, .badSignature), Row(.credentials, .ok, .signature),
    Row(.credentials, .ok, .certificate(clientCertificate, [])),
    Row(.credentials, .warning, .certificate(clientCertificate, [.expiresSoon(days: 1)])),
    Row(.credentials, .broken, .certificate(clientCertificate, [.expired(at: 0)])),
    Row(.credentials, .broken, .certificate(clientCertificate, [.notYetValid(until: 0)])),
    Row(
      .credentials, .broken,
      .certificate(clientCertificate, [.wrongEnvironment(.production, allowed: [.sandbox])])),
    Row(.credentials, .broken, .identityFault(.refused(hostile))),
    Row(.identifiers, .skipped, .unchecked(.certificateInUse)),
    Row(.clock, .broken, .time(0)), Row(.clock, .ok, .time(1_709_251_199)),
  ]

  private static let networkRows = [
    Row(.dns, .broken, .lookUpFailed(HostLookup.Failure(code: -2))),
    Row(.dns, .broken, .lookUpTimedOut(500)), Row(.dns, .warning, .lookUpTimedOut(500)),
    Row(
      .addressFamilies, .warning,
      .families([
        FamilyReach(family: .v4, outcome: .connected(3)),
        FamilyReach(family: .v6, outcome: .silent),
      ])),
    Row(.addressFamilies, .broken, .families([FamilyReach(family: .v4, outcome: .failed(1))])),
    Row(.tcp, .broken, .ports([PortReach(port: 443, outcome: .noRoute)])),
    Row(.proxy, .ok, .direct(nil)), Row(.proxy, .ok, .direct(proxy)),
    Row(.proxy, .ok, .tunnel(proxy)), Row(.proxy, .broken, dial(.proxy(.refused))),
    Row(.tls, .broken, dial(.certificate(.untrusted))), Row(.tls, .ok, .acceptedCertificate),
    Row(.tls, .ok, .handshake(facts, daysLeft: 90)),
    Row(.tls, .warning, .handshake(facts, daysLeft: 1)),
    Row(.tls, .warning, .foreignRoot(facts, root: hostile)),
    Row(.alpn, .ok, .chosenProtocol("h2")), Row(.alpn, .broken, dial(.alpn(chosen: hostile))),
  ]

  private static let badCertificate = GoAway(
    lastStream: 0, debugData: ErrorBody(.badCertificate).bytes)

  private static let answerRows = [
    Row(.settings, .ok, .streams(1)), Row(.settings, .ok, .streams(1000)),
    Row(.settings, .ok, .streams(nil)), Row(.settings, .broken, .conversation(.timedOut(500))),
    Row(.settings, .broken, .conversation(.closed)),
    Row(.settings, .broken, .conversation(.brokenProtocol)),
    Row(.settings, .broken, .conversation(.broken(hostile))),
    Row(.settings, .broken, .conversation(.identityRefused(.certificateRequired))),
    Row(.settings, .broken, .conversation(.identityRefused(.certificateRevoked))),
    Row(.push, .broken, .conversation(.goAway(badCertificate))),
    Row(.push, .broken, .conversation(.goAway(GoAway(lastStream: 0, errorCode: 7)))),
    Row(.push, .broken, .conversation(.reset(2))),
    Row(.push, .skipped, .unchecked(.noBundleID)), Row(.push, .ok, answer(400, .badDeviceToken)),
    Row(.push, .broken, answer(403, .invalidProviderToken)),
    Row(.push, .broken, answer(403, .expiredProviderToken, fault: -7200)),
    Row(.push, .broken, answer(400, .topicDisallowed)),
    Row(.push, .broken, answer(403, .badEnvironmentKey)), Row(.push, .broken, answer(404)),
    Row(.push, .warning, answer(200, .none, fault: nil, .production)),
    Row(.push, .broken, answer(403, Reason(rawValue: "BrandNew"))),
    Row(.serverClock, .warning, .clockOffset(600)),
    Row(.serverClock, .skipped, .unchecked(.noDate)),
  ]

  static let plan = DiagnosisPlan(
    environment: .sandbox, target: DialTarget(host: "api.sandbox.push.apple.com"))

  /// The step of a row, as `--json` prints it.
  private func step(_ row: Row, _ plan: DiagnosisPlan = plan) throws -> JSON {
    let finding = DiagnosisFinding(row.step, row.verdict, row.evidence)
    let report = DoctorReport(plan).report(DiagnosisReport([finding]))
    return try #require(report.json["steps"]?.array?.first)
  }

  @Test("is one line, safe to print, and has a fix when something is broken", arguments: rows)
  func sentences(_ row: Row) throws {
    let step = try step(row)
    let (sentence, fix) = (step["text"]?.string ?? "", step["fix"]?.string)
    #expect(!sentence.isEmpty && sentence.hasSuffix("."), "\(sentence)")
    for text in [sentence, fix ?? "."] {
      #expect(text.printable == text && !text.contains("secret") && !text.contains(".."), "\(text)")
    }
    #expect((fix?.isEmpty ?? true) == ([.ok, .skipped].contains(row.verdict) && fix == nil))
    if [.broken, .warning].contains(row.verdict) { #expect(fix?.isEmpty == false) }
  }

  @Test("is a JSON object in the documented form, for every evidence", arguments: rows)
  func json(_ row: Row) throws {
    let finding = DiagnosisFinding(row.step, row.verdict, row.evidence)
    let json = DoctorReport(Self.plan).report(DiagnosisReport([finding])).json
    #expect(json.object?.members.map(\.key) == ["environment", "server", "verdict", "steps"])
    let step = try #require(json["steps"]?.array?.first)
    #expect(step.object?.members.map(\.key) == ["step", "verdict", "text", "evidence", "fix"])
    #expect(step["step"]?.string == row.step.rawValue && step["evidence"]?.object != nil)
  }

  private var report: DiagnosisReport {
    let steps: [DiagnosisFinding] = [
      DiagnosisFinding(.credentials, .ok, .signature),
      DiagnosisFinding(.dns, .ok, .addresses([.init(text: "192.0.2.1", family: .v4)])),
      DiagnosisFinding(
        .addressFamilies, .warning,
        .families([
          FamilyReach(family: .v4, outcome: .connected(12)),
          FamilyReach(family: .v6, outcome: .silent),
        ])),
      DiagnosisFinding(
        .tcp, .broken,
        .ports([
          PortReach(port: 443, outcome: .silent), PortReach(port: 2197, outcome: .connected(12)),
        ])), DiagnosisFinding(.proxy, .notReached),
    ]
    return DiagnosisReport(steps)
  }

  @Test("is as recorded, in words, in signs, and as JSON", arguments: [false, true])
  func recorded(_ hasMarks: Bool) throws {
    let report = DoctorReport(Self.plan).report(report)
    let text = ReportText(hasMarks: hasMarks).text(of: report)
    try expectSnapshot(text, hasMarks ? "doctor-signs.txt" : "doctor.txt")
    try expectSnapshot(String(decoding: ReportJSON.bytes(report), as: UTF8.self), "doctor.json")
  }

  @Test("is the same when it is printed step by step")
  func streamed() {
    let (doctor, text) = (DoctorReport(Self.plan), ReportText())
    let pieces =
      [doctor.head] + report.findings.map(doctor.step) + [doctor.conclusion(report)]
    #expect(pieces.map { text.text(of: $0) }.joined() == text.text(of: doctor.report(report)))
  }

  @Test("names the other port when one is blocked")
  func otherPort() throws {
    let ports = [
      PortReach(port: 443, outcome: .silent), PortReach(port: 2197, outcome: .connected(12)),
    ]
    let step = try step(Row(.tcp, .broken, .ports(ports)))
    #expect(step["fix"]?.string?.contains("--port 2197") == true)
  }

  @Test("counts a direct way that is closed as nothing while there is a proxy")
  func proxied() throws {
    var plan = Self.plan
    plan.target.proxy = Self.proxy
    let step = try step(Row(.dns, .warning, .lookUpTimedOut(500)), plan)
    #expect(step["fix"] == "Nothing, as long as the proxy is used.")
  }

  @Test("writes dates")
  func dates() {
    let days: [(Int64, String)] = [
      (0, "1970-01-01"), (19_782, "2024-02-29"), (19_783, "2024-03-01"), (-1, "1969-12-31"),
      (11_016, "2000-02-29"), (47_540, "2100-02-28"), (47_541, "2100-03-01"),
    ]
    for (day, text) in days { #expect(utcDay(day * 86_400 + 86_399) == text) }
  }
}

@Suite("Consent to production")
struct ProductionConsentTests {
  @Test("is a yes in one of its forms", arguments: ["y", "Y\n", " yes \n", "YES"])
  func yes(_ text: String) { #expect(Teller.isYes(text)) }

  @Test("is nothing else", arguments: ["", "\n", "n", "no", "yep", "y y"])
  func no(_ text: String) { #expect(!Teller.isYes(text)) }

  @Test(
    "is needed for Apple's production by every name",
    arguments: [
      (PushEnvironment.production, true), (.sandbox, false), (.emulator, false),
      (.server(ServerAddress(host: "API.push.apple.com", port: 2197)), true),
      (.server(ServerAddress(host: "127.0.0.1")), false),
    ])
  func production(_ row: (environment: PushEnvironment, needed: Bool)) {
    #expect(row.environment.isProduction == row.needed)
  }

  @Test("cannot be had without a terminal")
  func noTerminal() throws {
    let doctor = try DoctorCommand.parse(["--env", "production"])
    #expect { try doctor.run(context()) } throws: { error in
      (error as? Failure)?.sentence == Failure.needsConsent.sentence
    }
  }
}
