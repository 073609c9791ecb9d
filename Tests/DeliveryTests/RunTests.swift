import APNS
import Foundation
import PushEmulator
import PushModel
import Recipients
import SendingSupport
import TestSupport
import Testing

@testable import Delivery

@Suite("Runs", .timeLimit(.minutes(15)))
struct RunTests {
  @Test("Every push is accepted once", arguments: [(1, 1), (1000, 1), (3000, 4), (10, 8)])
  func accepted(_ count: Int, _ connections: Int) throws {
    let server = try TestServer()
    let delivery = try TestRun(connections: connections).send(count, to: server)
    #expect(delivery[.accepted] == count)
    #expect(delivery.report.stopCause == nil)
    #expect(delivery.results.allSatisfy { $0.attempts == 1 && $0.latencyMicroseconds != nil })
    #expect(1...connections ~= server.emulator.connectionCount)
    #expect(server.emulator.requestCount == count)
    #expect((delivery.report.onlyResult != nil) == (count == 1))
    delivery.expectAgreement(with: server)
  }

  @Test("The apns-id on the wire is the run's and the push's own")
  func ids() throws {
    let server = try TestServer()
    let delivery = try TestRun().send(300, to: server)
    for result in delivery.results {
      let id = delivery.report.apnsID(of: result.push)
      #expect(server.ids(of: Int(result.push.sequence) - 1) == [id.description])
    }
  }

  @Test("An apns-id of one's own is used, also when the push is sent again")
  func ownID() throws {
    let server = try TestServer { $0.attempt == 1 ? .reset(code: 2) : .accept }
    let id = try #require(APNSID("01234567-89ab-4def-8123-456789abcdef"))
    let delivery = try TestRun(apnsID: id).send(1, to: server)
    #expect(delivery[.accepted] == 1)
    #expect(server.ids(of: 0) == [id.description, id.description])
  }

  @Test("Bad lines and duplicates are counted beside the outcomes")
  func badLines() throws {
    let server = try TestServer()
    let folder = try KeptFolder()
    let list = try folder.file(
      "a.txt", "\(device("ab12"))\n\(device("AB12"))\n# c\nxyz\n\n\(device("cd34"))\n")
    let delivery = try TestRun().send(
      [.file(list), .tokens([DeviceToken(device("cd34"))])], to: server.target)
    #expect(delivery[.accepted] == 2)
    #expect(delivery.summary.recipients.badLines == 1)
    #expect(delivery.summary.recipients.duplicates == 2)
    #expect(delivery.summary.recipients.lines == 5)
  }

  @Test("Each reason is counted, and only 200 is accepted")
  func mixed() throws {
    let reasons: [Reason?] = [
      nil, .badDeviceToken, .unregistered, nil, .payloadTooLarge, .expiredToken,
      .serviceUnavailable,
      nil, .tooManyRequests, Reason(rawValue: "NeverHeardOf"),
    ]
    let server = try TestServer { attempt in
      reasons[attempt.token % 10].map { .reject($0, timestamp: 1_700_000_000_000) }
    }
    let delivery = try TestRun(connections: 2).send(1000, to: server)
    #expect(delivery[.accepted] == 300)
    #expect(delivery[.rejected] == 500)
    #expect(delivery[.deferred] == 200)
    for reason in reasons.compactMap(\.self) {
      let refusal = RunSummary.Refusal(status: reason.info?.status ?? .badRequest, reason: reason)
      #expect(delivery.summary.reasons[refusal] == 100, "\(reason)")
    }
    let gone = delivery.results.first { $0.response?.reason == .unregistered }
    #expect(gone?.response?.timestamp == 1_700_000_000_000)
    delivery.expectAgreement(with: server)
  }

  @Test("503 defers a push, without a stop and without another try")
  func deferred() throws {
    let server = try TestServer { _ in .reject(.serviceUnavailable) }
    let delivery = try TestRun().send(500, to: server)
    #expect(delivery[.deferred] == 500)
    #expect(delivery.report.stopCause == nil)
    #expect(server.emulator.requestCount == 500)
    #expect(server.emulator.connectionCount == 1)
  }

  @Test("A 403 from the start stops after three requests", arguments: [1, 4])
  func forbidden(_ connections: Int) throws {
    let server = try TestServer { _ in .reject(.invalidProviderToken) }
    let delivery = try TestRun(connections: connections).send(2000, to: server)
    #expect(server.emulator.requestCount == 3)
    #expect(delivery[.rejected] == 3)
    #expect(delivery[.notAttempted] == 1997)
    #expect(delivery.report.stopCause.isBreaker(.invalidProviderToken))
  }

  @Test(
    "Credentials that are refused after a good start stop it after three pushes, without a pause",
    arguments: [Reason.invalidProviderToken, .forbidden], [nil, PushRate("300")])
  func refusedLater(_ reason: Reason, _ rate: PushRate?) throws {
    let server = try TestServer(configure: { $0.maxConcurrentStreams = 1 }) {
      $0.push.number > 100 ? .reject(reason) : nil
    }
    let clock = TestClock()
    let delivery = try TestRun(clock: clock.clock, rate: rate).send(2000, to: server)
    #expect(delivery[.accepted] == 100 && delivery[.rejected] == 3)
    #expect(delivery.report.stopCause.isBreaker(reason))
    #expect(rate != nil || clock.pauses.isEmpty)
    #expect(clock.pauses.reduce(0, +) < 2000, "\(clock.pauses)")
    #expect(delivery[.notAttempted] == 1897)
  }

  @Test("A single push that is forbidden ends at once, without a pause")
  func forbiddenAlone() throws {
    let server = try TestServer { _ in .reject(.invalidProviderToken) }
    let clock = TestClock()
    let delivery = try TestRun(clock: clock.clock).send(1, to: server)
    #expect(delivery[.rejected] == 1)
    #expect(delivery.report.onlyResult?.response?.reason == .invalidProviderToken)
    #expect(delivery.report.stopCause == nil)
    #expect(clock.pauses.isEmpty)
  }

  @Test("A key that is revoked in mid-run stops the run soon")
  func revoked() throws {
    let server = try TestServer { $0.push.number > 500 ? .reject(.badTopic) : .accept }
    let delivery = try TestRun().send(20_000, to: server)
    #expect(delivery[.accepted] == 500)
    // Those in flight when the twentieth answer comes are answered too.
    #expect(20...1100 ~= delivery[.rejected])
    #expect(delivery.report.stopCause.isBreaker(.badTopic))
    delivery.expectAgreement(with: server)
  }

  @Test("Without the breaker everybody is tried")
  func noBreaker() throws {
    let server = try TestServer { _ in .reject(.badTopic) }
    let delivery = try TestRun(control: RunControl(usesBreaker: false)).send(300, to: server)
    #expect(delivery[.rejected] == 300)
    #expect(delivery.report.stopCause == nil)
  }

  @Test("A list that cannot be read ends the run, and all that was read before is sent")
  func brokenList() throws {
    let server = try TestServer()
    let pipe = try SilentPipe(Array("name,id\n".utf8), name: "pipe.csv")
    let delivery = try TestRun().send(
      [.tokens(deviceTokens(5000)), .file(pipe.path)], to: server.target)
    let error = ListError(list: pipe.path, fault: .noTokenColumn(["name", "id"]))
    #expect(delivery.report.stopCause == .list(error))
    #expect(delivery[.accepted] == 5000 && delivery.summary.total == 5000)
  }
}

extension StopCause? {
  func isBreaker(_ reason: Reason) -> Bool {
    if case .breaker(let response) = self { response.reason == reason } else { false }
  }

  func isLost(_ evidence: String) -> Bool { self == .connectionLost(evidence) }
}
