import APNS
import Diagnosis
import HTTP2
import PushEmulator
import Testing

@Suite("A diagnosis", .timeLimit(.minutes(15)))
struct DiagnosisTests {
  @Test("finds nothing wrong with an emulator on a good day, and tells each finding once")
  func good() throws {
    let bench = try DiagnosisBench()
    var told: [DiagnosisStep] = []
    let report = Diagnosis(bench.plan).run { told.append($0.step) }
    #expect(told == DiagnosisStep.allCases)
    #expect(report.verdict == .ok && report.steps(.ok) == DiagnosisStep.allCases)
    guard case .answer(let answer)? = report.evidence(.push),
      case .handshake(let facts, let days)? = report.evidence(.tls)
    else {
      Issue.record("other evidence: \(report.words(.push)) \(report.words(.tls))")
      return
    }
    #expect(answer.response.reason == .badDeviceToken && answer.clockFault == nil)
    #expect(facts.tlsVersion == "TLSv1.3" && days == 6 || days == 7)
  }

  @Test("proves the network alone without credentials, and sends no push")
  func noCredentials() throws {
    var bench = try DiagnosisBench()
    bench.plan.credentials = .none
    let report = try bench.examine()
    #expect(report.verdict == .ok)
    #expect(report.steps(.skipped) == [.credentials, .identifiers, .push, .serverClock])
    #expect(bench.emulator.requestCount == 0)
  }

  @Test("sends no push without a topic")
  func noTopic() throws {
    var bench = try DiagnosisBench()
    bench.plan.topic = nil
    let report = try bench.examine()
    #expect(report.steps(.skipped) == [.push, .serverClock] && report.verdict == .ok)
    #expect(report.words(.push).contains("noBundleID") && bench.emulator.requestCount == 0)
  }

  @Test("counts the app's channels where they are managed, in place of the push")
  func channels() throws {
    var bench = try DiagnosisBench()
    bench.plan.testsChannels = true
    let report = try bench.examine()
    #expect(report.verdict == .ok && report.words(.push) == "channels(Optional(0))")
    #expect(report[.serverClock] == .ok && bench.emulator.requestCount == 1)
    bench.plan.topic = nil
    #expect(try bench.examine().words(.push).contains("noBundleID"))
  }

  @Test("tells why the channels were not listed")
  func refusedChannels() throws {
    var bench = try DiagnosisBench { configuration in
      configuration.answer = { _ in .reject(.featureNotEnabled) }
    }
    bench.plan.testsChannels = true
    let report = try bench.examine()
    #expect(report.broken == .push && report.words(.push).contains("FeatureNotEnabled"))
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var step: DiagnosisStep
    var says: String
    var configure: @Sendable (inout EmulatorConfiguration) -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ step: DiagnosisStep, _ says: String,
      _ configure: @escaping @Sendable (inout EmulatorConfiguration) -> Void
    ) {
      (self.name, self.step, self.says, self.configure) = (name, step, says, configure)
    }
  }

  static let servers = [
    Row("expired", .tls, "CertificateFault.expired") { $0.certificate.validUntil = -60 },
    Row("not yet valid", .tls, "CertificateFault.notYetValid") { $0.certificate.validFrom = 3600 },
    Row("wrong name", .tls, "CertificateFault.wrongName") {
      $0.certificate.names = ["other.example"]
    },
    Row("untrusted", .tls, "CertificateFault.untrusted") { $0.certificate.issuer = .itself },
    Row("HTTP/1.1", .alpn, "no application protocol") { $0.protocols = ["http/1.1"] },
    Row("no protocol", .alpn, "alpn(chosen: nil)") { $0.protocols = [] },
    Row("wants a certificate", .settings, "identityRefused") {
      $0.requiresClientCertificate = true
    },
    Row("clock ahead", .push, "ExpiredProviderToken") { $0.clockOffset = 7200 },
    Row("clock behind", .push, "InvalidProviderToken") { $0.clockOffset = -7200 },
    Row("topic", .push, "TopicDisallowed") { $0.answer = { _ in .reject(.topicDisallowed) } },
    Row("bad topic", .push, "BadTopic") { $0.answer = { _ in .reject(.badTopic) } },
    Row("GOAWAY", .push, "goAway(HTTP2.GoAway(lastStream: 0") {
      let end = ConnectionEnd(lastStream: .exactly(0), reason: .badCertificateEnvironment)
      $0.answer = { _ in .goAway(end, then: .swallow) }
    },
    Row("reset", .push, "reset(2)") { $0.answer = { _ in .reset(code: 2) } },
    Row("drop", .push, "conversation") { $0.answer = { _ in .drop(.fin) } },
  ]

  @Test("stops at the layer that a server breaks, with the evidence", arguments: servers)
  func brokenServer(_ row: Row) throws {
    let report = try DiagnosisBench(row.configure).examine()
    #expect(report.broken == row.step, "\(report)")
    #expect(report.words(row.step).contains(row.says), "\(report.words(row.step))")
  }

  @Test(
    "blames the clock for a provider token that is refused for its time",
    arguments: [7200, -7200])
  func clockFault(_ offset: Int) throws {
    let report = try DiagnosisBench { $0.clockOffset = offset }.examine()
    guard case .answer(let answer)? = report.evidence(.push), let fault = answer.clockFault else {
      Issue.record("no clock fault: \(report.words(.push))")
      return
    }
    #expect((fault + Int64(offset)).magnitude < 60)
  }

  @Test("tells of a clock that is off, and of an answer without a date")
  func serverClock() throws {
    let off = try DiagnosisBench { $0.clockOffset = 600 }.examine()
    #expect(off[.push] == .ok && off[.serverClock] == .warning && off.verdict == .warning)
    let near = try DiagnosisBench { $0.clockOffset = 200 }.examine()
    #expect(near[.serverClock] == .ok)
    let dateless = try DiagnosisBench { $0.sendsDate = false }.examine()
    #expect(dateless[.serverClock] == .skipped && dateless.verdict == .ok)
    #expect(dateless.words(.serverClock).contains("noDate"))
  }

  @Test("tells of a certificate that ends soon")
  func endsSoon() throws {
    let report = try DiagnosisBench { $0.certificate.validUntil = 86_400 }.examine()
    #expect(report[.tls] == .warning && report.broken == nil)
  }

  @Test("claims nothing of a certificate that it has not seen")
  func unseenCertificate() throws {
    let refused = try DiagnosisBench { $0.protocols = ["http/1.1"] }.examine()
    #expect(refused[.tls] == .skipped)
    let silent = try DiagnosisBench { $0.protocols = [] }.examine()
    #expect(silent[.tls] == .ok && silent.words(.tls) == "acceptedCertificate")
  }

  @Test("takes another server's 200 for a proof")
  func anyToken() throws {
    let report = try DiagnosisBench { $0.answer = nil }.examine()
    #expect(report[.push] == .ok && report.words(.push).contains("200"))
  }

  static let answers: [(EmulatorAnswer, DiagnosisVerdict)] = [
    (.reject(.unregistered), .ok), (.reject(.deviceTokenNotForTopic), .warning),
    (.reject(.tooManyProviderTokenUpdates), .warning), (.reject(.serviceUnavailable), .warning),
    (.reject(.badPath), .broken),
  ]

  @Test("weighs other answers", arguments: answers)
  func otherAnswers(_ row: (answer: EmulatorAnswer, verdict: DiagnosisVerdict)) throws {
    let report = try DiagnosisBench { $0.answer = { _ in row.answer } }.examine()
    #expect(report[.push] == row.verdict, "\(report.words(.push))")
  }

  @Test("waits no longer than it may for a server that says nothing")
  func silentServers() throws {
    var bench = try DiagnosisBench()
    let quiet = try QuietServer()
    bench.plan.target = quiet.target
    #expect(try bench.examine().words(.settings).contains("timedOut(1500)"))
    let listener = try Listener()
    bench.plan.target.port = listener.port
    let report = try bench.examine()
    #expect(report.broken == .tls && report.words(.tls).contains("Layer.timeout"))
  }

  @Test("knows what is no HTTP/2")
  func noHTTP2() throws {
    var bench = try DiagnosisBench()
    let server = try QuietServer(saying: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
    bench.plan.target = server.target
    bench.plan.target.timeoutMilliseconds = 20_000
    let report = try bench.examine()
    #expect(report.broken == .settings && report.words(.settings).contains("brokenProtocol"))
  }
}
