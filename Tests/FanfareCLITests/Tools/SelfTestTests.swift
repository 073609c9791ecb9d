import APNS
import CommandLineKit
import JSONText
import POSIX
import PlainText
import SendingSupport
import TestSupport
import Testing

@testable import Diagnosis
@testable import FanfareCLI
@testable import HTTP2
@testable import PushModel
@testable import Reporting
@testable import SQLHistory
@testable import Settings
@testable import Tools

@Suite("What doctor --self says")
struct SelfTestTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let step: SelfTestStep
    let verdict: DiagnosisVerdict
    /// Words of the sentence.
    let says: String
    /// Words of what to do.
    let advises: String
    let outcome: StepOutcome
    var testDescription: String { "\(step): \(outcome.text.sentence)" }

    init(
      _ step: SelfTestStep, _ verdict: DiagnosisVerdict, _ says: String, _ advises: String,
      _ outcome: StepOutcome
    ) {
      (self.step, self.verdict, self.outcome) = (step, verdict, outcome)
      (self.says, self.advises) = (says, advises)
    }
  }

  static let bad = libraries + connections

  private static let openSSL = CurlFacts(version: "8.5.0", tls: "OpenSSL/3.0.13")

  private static let libraries = [
    Row(
      .libcurl, .broken, "LibreSSL/3.3.6, not OpenSSL", "build again",
      CurlFacts(version: "8.7.1", tls: "(SecureTransport) LibreSSL/3.3.6").outcome),
    Row(
      .libcurl, .broken, "uses GnuTLS/3.7.9, not OpenSSL", "build again",
      CurlFacts(version: "7.88.1", tls: "GnuTLS/3.7.9").outcome),
    Row(
      .libcurl, .broken, "SecureTransport, not OpenSSL", "build again",
      CurlFacts(version: "8.5.0", tls: "(OpenSSL/3.0.13) SecureTransport").outcome),
    Row(
      .libcurl, .broken, "has no TLS.", "build again", CurlFacts(version: "8.5.0", tls: "").outcome),
    Row(
      .libcurl, .warning, "without a time-out", "asynchronous DNS",
      CurlFacts(version: "8.5.0", tls: "OpenSSL/3.0.13", looksUpAsynchronously: false).outcome),
    Row(
      .openSSL, .broken, "1.1.1w is too old", "OpenSSL 3.0",
      .openSSL((loaded: "1.1.1w", built: "3.0.13"), openSSL)),
    Row(
      .openSSL, .broken, "built with OpenSSL 3.2.1, but 3.0.13", "Build fanfare again",
      .openSSL((loaded: "3.0.13", built: "3.2.1"), openSSL)),
    Row(
      .openSSL, .broken, "built with OpenSSL 3.5.0, but 4.0.0", "Build fanfare again",
      .openSSL((loaded: "4.0.0", built: "3.5.0"), openSSL)),
    Row(
      .openSSL, .broken, "two in one process", "that libcurl was built with",
      .openSSL((loaded: "3.5.1", built: "3.5.1"), openSSL)),
    Row(
      .nghttp2, .broken, "built with nghttp2 1.64.0, but 1.52.0", "Build fanfare again",
      LibraryVersions("nghttp2", (loaded: "1.52.0", built: "1.64.0")).outcome),
    Row(
      .sqlite, .broken, "3.34.1 is too old", "--no-history",
      .sqlite((loaded: "3.34.1", built: "3.34.1"), isThreadSafe: true)),
    Row(
      .sqlite, .broken, "single thread", "SQLITE_THREADSAFE",
      .sqlite((loaded: "3.45.1", built: "3.45.1"), isThreadSafe: false)),
  ]

  private static let target = DialTarget(host: "127.0.0.1", port: 2197)

  private static func error(_ layer: DialError.Layer) -> DialError {
    DialError(layer: layer, detail: DoctorTests.hostile, target: target)
  }

  private static func push(_ findings: [DiagnosisFinding], accepted: Int = 0) -> StepOutcome {
    let plan = DiagnosisPlan(environment: .emulator, target: target)
    return LoopbackPush(plan: plan, report: DiagnosisReport(findings), accepted: accepted).outcome
  }

  private static let connections = [
    Row(
      .push, .broken, "TCP: Port 2197 has no route", "127.0.0.1",
      push([.init(.tcp, .broken, .ports([PortReach(port: 2197, outcome: .noRoute)]))])),
    Row(
      .push, .broken, "TLS: No connection to 127.0.0.1:2197 within 10 s", "a longer --timeout",
      push([.init(.tls, .broken, .dialFailed(error(.timeout)))])),
    Row(
      .push, .broken, "ALPN: 127.0.0.1:2197 does not speak HTTP/2", "libcurl",
      push([.init(.alpn, .broken, .dialFailed(error(.alpn(chosen: nil))))])),
    Row(
      .push, .broken, "HTTP/2 SETTINGS: What the server sends is not HTTP/2", "nghttp2",
      push([.init(.settings, .broken, .conversation(.brokenProtocol))])),
    Row(.push, .broken, "accepted 2 pushes", "report these", push([], accepted: 2)),
    Row(
      .certificates, .broken, "An expired certificate was accepted", "Do not send",
      [server(.expired, nil)].outcome),
    Row(
      .certificates, .broken, "An expired certificate was not refused for that: ",
      "errors mislead", [server(.expired, error(.certificate(.wrongName)))].outcome),
    Row(
      .certificates, .broken, "was not refused for that: ", "a longer --timeout",
      [server(.untrusted, error(.certificate(.untrusted))), server(.expired, error(.timeout))]
        .outcome
    ),
    Row(
      .certificates, .broken, "was accepted", "Do not send",
      [server(.untrusted, error(.tls)), server(.expired, nil)].outcome),
  ]

  private static func server(
    _ fault: DialError.CertificateFault, _ error: DialError?
  ) -> BadCertificate {
    BadCertificate(fault: fault, name: "An expired certificate", error: error)
  }

  @Test("is one line that is safe to print, with advice", arguments: bad)
  func faults(_ row: Row) throws {
    let (sentence, fix) = (row.outcome.text.sentence, try #require(row.outcome.text.fix))
    #expect(row.outcome.verdict == row.verdict)
    #expect(sentence.contains(row.says) && fix.contains(row.advises))
    for text in [sentence, fix] {
      #expect(text.printable == text && text.hasSuffix(".") && !text.contains(".."), "\(text)")
    }
  }

  @Test("has bad news of every step")
  func everyStep() { #expect(Set(Self.bad.map(\.step)) == Set(SelfTestStep.allCases)) }

  static let good = [
    openSSL.outcome,
    CurlFacts(version: "8.5.0", tls: "(SecureTransport) OpenSSL/3.3.2").outcome,
    .openSSL((loaded: "3.0.13", built: "3.0.16"), openSSL),
    .openSSL((loaded: "3.0.13", built: "3.0.2"), openSSL),
    LibraryVersions("nghttp2", (loaded: "1.64.0", built: "1.52.0")).outcome,
    .sqlite((loaded: "3.37.0", built: "3.45.1"), isThreadSafe: true),
    push([], accepted: 1), [server(.untrusted, error(.certificate(.untrusted)))].outcome,
  ]

  @Test("is good news where all is well", arguments: good)
  func allIsWell(_ outcome: StepOutcome) {
    #expect(outcome.verdict == .ok && outcome.text.fix == nil, "\(outcome.text.sentence)")
  }

  @Test("is a JSON object that fits its schema, and ends as its worst step", arguments: bad)
  func json(_ row: Row) throws {
    let report = SelfTestReport(system: DoctorTests.hostile).report([
      (row.step, row.outcome), (.certificates, nil),
    ])
    let schema = JSONSchema(try JSONReader().read(DescribedFormat.doctorSelf.schema))
    #expect(schema.faults(in: report.json) == [])
    #expect(report.json["verdict"]?.string == row.verdict.rawValue)
    #expect(report.exitCode == (row.verdict == .broken ? .connection : .success))
    #expect(report.json["steps"]?.array?.last?["verdict"] == "notReached")
    let text = ReportText().text(of: report)
    #expect(text.contains("\(row.step.number)  \(row.step.name)") && text.contains("Fix: "))
  }

  @Test("names the broken steps at the end")
  func conclusion() {
    let findings: [SelfTestFinding] = [
      (.sqlite, .sqlite((loaded: "3.34.1", built: "3.34.1"), isThreadSafe: true)),
      (.push, Self.push([], accepted: 0)), (.certificates, nil),
    ]
    let report = SelfTestReport(system: "Linux")
    let last = ReportText().text(of: report.conclusion(findings))
    #expect(last == "\nBroken steps: 4, SQLite; 5, push over HTTP/2.\n")
    let one = ReportText().text(of: report.conclusion(Array(findings.dropFirst())))
    #expect(one == "\nStep 5, push over HTTP/2, is broken.\n")
  }

  static let others = [
    ["--channels"], ["--env", "emulator"], ["--server", "https://127.0.0.1:1"], ["--port", "2197"],
    ["--ca", "ca.pem"], ["--proxy", "http://127.0.0.1:1"], ["--profile", "beta"],
    ["--tls-key-log"], ["--trust-project"], ["--key", "a.p8"], ["--key-id", "ABC123DEFG"],
    ["--team-id", "DEF123GHIJ"], ["--no-token-cache"], ["--cert", "a.p12"],
    ["--bundle-id", "com.example.app"], ["--manage-host", "127.0.0.1"],
  ]

  @Test("is not asked together with what is about APNs", arguments: others)
  func conflicts(_ words: [String]) throws {
    let command = try DoctorCommand.parse(["--self"] + words)
    #expect {
      try command.run(context())
    } throws: { error in
      (error as? Failure)?.sentence
        == "'--self' and '\(words[0])' cannot be used together."
    }
  }
}
