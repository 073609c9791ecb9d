import APNS
import CommandLineKit
import JSONText
import POSIX
import PlainText
import SendingSupport
import TestSupport
import Testing

@testable import Diagnosis
@testable import HTTP2
@testable import PushModel
@testable import Reporting
@testable import SQLHistory
@testable import Settings
@testable import Tools
@testable import fanfare

@Suite("What doctor --self says")
struct SelfTestTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let step: PlatformStep
    let verdict: DiagnosisVerdict
    /// Words of the sentence.
    let says: String
    /// Words of what to do.
    let advises: String
    let sight: PlatformSight
    var testDescription: String { "\(step): \(sight.text.sentence)" }

    init(
      _ step: PlatformStep, _ verdict: DiagnosisVerdict, _ says: String, _ advises: String,
      _ sight: PlatformSight
    ) {
      (self.step, self.verdict, self.sight) = (step, verdict, sight)
      (self.says, self.advises) = (says, advises)
    }
  }

  static let bad = libraries + process + connections + files

  private static let openSSL = CurlFacts(version: "8.5.0", tls: "OpenSSL/3.0.13")

  private static let libraries = [
    Row(
      .libcurl, .broken, "LibreSSL/3.3.6, not OpenSSL", "build again",
      CurlFacts(version: "8.7.1", tls: "(SecureTransport) LibreSSL/3.3.6").sight),
    Row(
      .libcurl, .broken, "uses GnuTLS/3.7.9, not OpenSSL", "build again",
      CurlFacts(version: "7.88.1", tls: "GnuTLS/3.7.9").sight),
    Row(
      .libcurl, .broken, "SecureTransport, not OpenSSL", "build again",
      CurlFacts(version: "8.5.0", tls: "(OpenSSL/3.0.13) SecureTransport").sight),
    Row(
      .libcurl, .broken, "has no TLS.", "build again", CurlFacts(version: "8.5.0", tls: "").sight),
    Row(
      .libcurl, .warning, "without a time-out", "asynchronous DNS",
      CurlFacts(version: "8.5.0", tls: "OpenSSL/3.0.13", looksUpAsynchronously: false).sight),
    Row(
      .openSSL, .broken, "1.1.1w is too old", "OpenSSL 3.0",
      OpenSSLFacts(loaded: "1.1.1w", built: "3.0.13").sight(openSSL)),
    Row(
      .openSSL, .broken, "built with OpenSSL 3.2.1, but 3.0.13", "Build fanfare again",
      OpenSSLFacts(loaded: "3.0.13", built: "3.2.1").sight(openSSL)),
    Row(
      .openSSL, .broken, "built with OpenSSL 3.5.0, but 4.0.0", "Build fanfare again",
      OpenSSLFacts(loaded: "4.0.0", built: "3.5.0").sight(openSSL)),
    Row(
      .openSSL, .broken, "two in one process", "that libcurl was built with",
      OpenSSLFacts(loaded: "3.5.1", built: "3.5.1").sight(openSSL)),
    Row(
      .nghttp2, .broken, "built with nghttp2 1.64.0, but 1.52.0", "Build fanfare again",
      NGHTTP2Facts(loaded: "1.52.0", built: "1.64.0").sight),
    Row(
      .sqlite, .broken, "3.34.1 is too old", "--no-history",
      SQLiteFacts(loaded: "3.34.1", built: "3.34.1").sight),
    Row(
      .sqlite, .broken, "single thread", "SQLITE_THREADSAFE",
      SQLiteFacts(loaded: "3.45.1", built: "3.45.1", isThreadSafe: false).sight),
    Row(
      .roots, .warning, "/etc/ssl/certs", "ca-certificates",
      RootFacts(count: 0, bundle: "/etc/ssl/cert.pem", directory: "/etc/ssl/certs").sight),
  ]

  private static let process = [
    Row(
      .clocks, .broken, "cannot be read", "Use a system",
      ClockFacts(first: 0, second: 0, epochSeconds: 1_800_000_000).sight),
    Row(
      .clocks, .broken, "cannot be read", "Use a system",
      ClockFacts(first: 9, second: 8, epochSeconds: 1_800_000_000).sight),
    Row(
      .clocks, .broken, "stands still", "Restart",
      ClockFacts(first: 9, second: 9, epochSeconds: 1_800_000_000).sight),
    Row(
      .clocks, .broken, "1970-01-01", "date -u",
      ClockFacts(first: 8, second: 9, epochSeconds: 0).sight),
    Row(
      .randomness, .broken, "OpenSSL", "/dev/urandom",
      RandomFacts(draws: [1, 2], isSeeded: false).sight),
    Row(
      .randomness, .broken, "repeat", "getrandom", RandomFacts(draws: [7, 7], isSeeded: true).sight),
    Row(.stack, .broken, "128 KiB", "ulimit -s", StackFacts(bytes: 131_072).sight),
    Row(.stack, .broken, "No thread", "ulimit -u", StackFacts(isStarted: false).sight),
    Row(
      .descriptors, .warning, "256 files and sockets", "ulimit -n 416",
      DescriptorLimit(soft: 256, hard: .max).sight),
    Row(
      .descriptors, .warning, "37 connections", "hard limit",
      DescriptorLimit(soft: 256, hard: 256).sight),
    Row(
      .descriptors, .warning, "enough for 1 connection. Several lists", "ulimit -n 416",
      DescriptorLimit(soft: 32, hard: 4096).sight),
    Row(
      .descriptors, .warning, "enough for 1 connection.", "ulimit -n 416",
      DescriptorLimit(soft: 38, hard: 4096).sight),
    Row(
      .descriptors, .broken, "27 files and sockets may be open: too few", "ulimit -n",
      DescriptorLimit(soft: 27, hard: 4096).sight),
  ]

  private static let target = DialTarget(host: "127.0.0.1", port: 2197)

  private static func error(_ layer: DialError.Layer) -> DialError {
    DialError(layer: layer, detail: DoctorTests.hostile, target: target)
  }

  private static func push(_ findings: [DiagnosisFinding], accepted: Int = 0) -> PlatformSight {
    let plan = DiagnosisPlan(environment: .emulator, target: target)
    return LoopbackPush(plan: plan, report: DiagnosisReport(findings), accepted: accepted).sight
  }

  private static let connections = [
    Row(
      .push, .broken, "TCP: Port 2197 has no route", "127.0.0.1",
      push([.init(.tcp, .broken, .ports([PortReach(port: 2197, outcome: .noRoute)]))])),
    Row(
      .push, .broken, "ALPN: 127.0.0.1:2197 does not speak HTTP/2", "libcurl",
      push([.init(.alpn, .broken, .dialFailed(error(.alpn(chosen: nil))))])),
    Row(
      .push, .broken, "HTTP/2 SETTINGS: What the server sends is not HTTP/2", "nghttp2",
      push([.init(.settings, .broken, .conversation(.brokenProtocol))])),
    Row(
      .push, .broken, "GOAWAY", "nghttp2",
      push([.init(.push, .broken, .conversation(.goAway(GoAway(lastStream: 0, errorCode: 1))))])),
    Row(
      .push, .broken, "TLS: No connection to 127.0.0.1:2197 within 10 s", "a longer --timeout",
      push([.init(.tls, .broken, .dialFailed(error(.timeout)))])),
    Row(
      .push, .broken, "Port 2197 gets no answer", "a longer --timeout",
      push([.init(.tcp, .broken, .ports([PortReach(port: 2197, outcome: .silent)]))])),
    Row(
      .push, .broken, "sent nothing within 5.0 ms", "a longer --timeout",
      push([.init(.push, .broken, .conversation(.timedOut(5)))])),
    Row(.push, .broken, "accepted 2 pushes", "report these", push([], accepted: 2)),
    Row(
      .certificates, .broken, "unknown authority was accepted", "Do not send",
      [BadCertificate(fault: .untrusted, error: nil)].sight),
    Row(
      .certificates, .broken, "An expired certificate was refused for another reason: ",
      "errors mislead",
      [BadCertificate(fault: .expired, error: error(.certificate(.wrongName)))].sight),
    Row(
      .certificates, .broken, "another name was accepted", "Do not send",
      [
        BadCertificate(fault: .notYetValid, error: error(.tls)),
        BadCertificate(fault: .wrongName, error: nil),
      ].sight),
    Row(
      .certificates, .broken, "A certificate for another name was not refused in time: ",
      "a longer --timeout",
      [
        BadCertificate(fault: .untrusted, error: error(.certificate(.untrusted))),
        BadCertificate(fault: .wrongName, error: error(.timeout)),
      ].sight),
    Row(
      .certificates, .broken, "An expired certificate was refused for another reason: ",
      "errors mislead",
      [
        BadCertificate(fault: .wrongName, error: error(.timeout)),
        BadCertificate(fault: .expired, error: error(.tls)),
      ].sight),
    Row(
      .proxy, .broken, "No proxy was asked for a tunnel in time.", "a longer --timeout",
      ProxyTrial(request: nil, error: error(.timeout)).sight),
    Row(
      .proxy, .broken, "did not ask a proxy", "built with proxies",
      ProxyTrial(request: nil, error: error(.dns)).sight),
    Row(
      .proxy, .broken, "did not ask a proxy", "built with proxies",
      ProxyTrial(request: "GET / HTTP/1.1", error: error(.proxy)).sight),
    Row(.proxy, .broken, "did not ask", "built with", ProxyTrial(request: "CONNECT x").sight),
  ]

  private static let files = [
    Row(
      .temporaryFolder, .broken, "cannot be written", "TMPDIR",
      TemporaryFolderFacts(
        folder: DoctorTests.hostile,
        failure: FileFailure(
          path: DoctorTests.hostile, action: .write, fault: .system(13), purpose: "temporary")
      ).sight),
    Row(
      .history, .broken, "(SQLite 1)", "--no-history", HistoryTrial(fault: .other(code: 1)).sight),
    Row(.history, .broken, "other things", "another SQLite", HistoryTrial().sight),
  ]

  @Test("is one line that is safe to print, with advice", arguments: bad)
  func faults(_ row: Row) throws {
    let (sentence, fix) = (row.sight.text.sentence, try #require(row.sight.text.fix))
    #expect(row.sight.verdict == row.verdict)
    #expect(sentence.contains(row.says) && fix.contains(row.advises))
    for text in [sentence, fix] {
      #expect(text.printable == text && text.hasSuffix(".") && !text.contains(".."), "\(text)")
    }
  }

  @Test("has bad news of every step")
  func everyStep() { #expect(Set(Self.bad.map(\.step)) == Set(PlatformStep.allCases)) }

  static let good = [
    openSSL.sight, CurlFacts(version: "7.81.0", tls: "OpenSSL/3.0.2", isThreadSafe: false).sight,
    CurlFacts(version: "8.5.0", tls: "(SecureTransport) OpenSSL/3.3.2").sight,
    OpenSSLFacts(loaded: "3.0.13", built: "3.0.16").sight(openSSL),
    OpenSSLFacts(loaded: "3.0.13", built: "3.0.2").sight(openSSL),
    NGHTTP2Facts(loaded: "1.64.0", built: "1.52.0").sight,
    SQLiteFacts(loaded: "3.37.0", built: "3.45.1").sight,
    RootFacts(count: 140, bundle: "", directory: "").sight,
    ClockFacts(first: 8, second: 9, epochSeconds: 1_800_000_000).sight,
    RandomFacts(draws: [1, 2], isSeeded: true).sight, StackFacts(bytes: nil, depth: 512).sight,
    DescriptorLimit(soft: .max, hard: .max).sight, DescriptorLimit(soft: 1024, hard: 4096).sight,
    push([], accepted: 1), TemporaryFolderFacts(folder: "/tmp").sight,
    [BadCertificate(fault: .untrusted, error: error(.certificate(.untrusted)))].sight,
    ProxyTrial(request: "CONNECT a:443 HTTP/1.1", error: error(.proxy)).sight,
    HistoryTrial(isWhole: true).sight,
  ]

  @Test("is good news where all is well", arguments: good)
  func allIsWell(_ sight: PlatformSight) {
    #expect(sight.verdict == .ok && sight.text.fix == nil, "\(sight.text.sentence)")
  }

  @Test("tests what a step needs before it", arguments: PlatformStep.allCases)
  func order(_ step: PlatformStep) {
    #expect(step.needs.allSatisfy { $0.number < step.number })
  }

  @Test("is a JSON object that fits its schema, and ends as its worst step", arguments: bad)
  func json(_ row: Row) throws {
    let report = SelfReport(system: DoctorTests.hostile).report([
      PlatformFinding(step: row.step, sight: row.sight),
      PlatformFinding(step: .history, sight: nil),
    ])
    let schema = JSONSchema(try JSONReader().read(DescribedFormat.doctorSelf.schema))
    #expect(schema.faults(in: report.json) == [])
    #expect(report.json["verdict"]?.string == row.verdict.rawValue)
    #expect(report.exitCode == (row.verdict == .broken ? .connection : .success))
    #expect(report.json["steps"]?.array?.last?["verdict"] == "notReached")
    let text = ReportText().text(of: report)
    #expect(text.contains("\(row.step.number)  \(row.step.name)") && text.contains("Fix: "))
  }

  static let limits = [(27, 0), (28, 1), (32, 1), (38, 1), (44, 2), (416, 64)]

  @Test("counts the connections that a limit of open files allows", arguments: limits)
  func room(_ row: (limit: Int, connections: Int)) {
    #expect(DescriptorLimit(soft: row.limit, hard: row.limit).connections == row.connections)
  }

  @Test("names the broken steps at the end")
  func conclusion() {
    let findings = [
      PlatformFinding(step: .sqlite, sight: SQLiteFacts(loaded: "3.34.1", built: "3.34.1").sight),
      PlatformFinding(step: .stack, sight: StackFacts(bytes: 1).sight),
      PlatformFinding(step: .history, sight: nil),
    ]
    let report = SelfReport(system: "Linux")
    let last = ReportText().text(of: report.conclusion(findings))
    #expect(last == "\nBroken steps: 4, SQLite; 8, thread stack.\n")
    let one = ReportText().text(of: report.conclusion(Array(findings.dropFirst())))
    #expect(one == "\nStep 8, thread stack, is broken.\n")
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

  @Test("looks at a clock until it moves, and no longer than that takes")
  func clocks() {
    #expect(ClockFacts(context().clock).sight.verdict == .broken)
    #expect(ClockFacts(.system).sight.verdict == .ok)
  }
}
