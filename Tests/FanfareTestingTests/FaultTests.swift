import Fanfare
import FanfareTesting
import Testing

@Suite("Faults on purpose", .timeLimit(.minutes(15)))
struct FaultTests {
  @Test("Each fault has its outcome", arguments: Self.cases)
  func outcomes(_ fault: LocalAPNs.Fault, _ outcome: Outcome, attempts: Int) async throws {
    let apns = try await LocalAPNs()
    apns.play(fault)
    var options = PushClient.Options()
    options.atMostOnce = true
    options.timeout = .milliseconds(300)
    let client = PushClient(
      credentials: apns.credentials, environment: apns.environment, options: options)
    let result = await client.send(try sample(), to: try device(1))
    #expect(result.outcome == outcome && result.attempts == attempts)
    await client.close()
    await apns.close()
  }

  static let cases: [(LocalAPNs.Fault, Outcome, Int)] = [
    (.refuse(.badTopic), .rejected, 1),
    (.answer(.serverError, body: "<html>"), .deferred, 1),
    (.delay(.milliseconds(20)), .accepted, 1),
    (.silence, .unknown, 1),
    (.refusedStream.times(1), .accepted, 2),
    (.reset, .unknown, 1),
    (.goAway(), .accepted, 1),
    (.close, .unknown, 1),
  ]

  @Test("A fault is for one device, some attempts, or so many pushes")
  func terms() async throws {
    try await withAPNs { apns, client in
      apns.play(
        .refuse(.badTopic).to(try device(1)).attempt(2), .refuse(.payloadEmpty).times(1))
      var reasons: [Reason?] = []
      for number in [1, 1, 1, 2] {
        reasons.append(await client.send(try sample(), to: try device(number)).reason)
      }
      #expect(reasons == [.payloadEmpty, .badTopic, nil, nil])
      apns.play(.refuse(.badTopic).every(2).after(.milliseconds(1)))
      for number in 1...4 { _ = await client.send(try sample(), to: try device(number)) }
      #expect(apns.received.suffix(4).map(\.reason) == [nil, .badTopic, nil, .badTopic])
    }
  }

  @Test("An answer has the time, the body and the wait that were asked for")
  func details() async throws {
    try await withAPNs { apns, client in
      func result(_ fault: LocalAPNs.Fault) async throws -> SendResult {
        apns.play(fault)
        return await client.send(try sample(), to: try device(1))
      }
      let gone = try await result(.refuse(.unregistered, since: longAgo))
      #expect(gone.deadSince == longAgo)
      #expect(try await result(.refuse(.unregistered)).deadSince == nil)
      let body = #"{"reason":"BadTopic"}"#
      #expect(try await result(.answer(.badRequest, body: body)).reason == .badTopic)
      #expect(try await result(.answer(.badRequest)).reason == nil)
      for fault: LocalAPNs.Fault in [
        .delay(.milliseconds(150)), .refuse(.badTopic).after(.milliseconds(150)),
      ] {
        #expect(try #require(try await result(fault).latency) >= .milliseconds(140))
      }
    }
  }

  @Test("A GOAWAY has the reason that was asked for")
  func goodbye() async throws {
    let apns = try await LocalAPNs()
    let (texts, continuation) = AsyncStream.makeStream(of: String.self)
    let client = PushClient(credentials: apns.credentials, environment: apns.environment) {
      if case .connectionClosed(let text) = $0 { continuation.yield(text ?? "") }
    }
    apns.play(.goAway(.shutdown))
    #expect(try await client.send(sample(), to: device(1)).outcome == .accepted)
    let text = await texts.first { _ in true }
    #expect(text?.contains("Shutdown") == true)
    await client.close()
    await apns.close()
  }

  @Test("A reset push may be delivered, and is sent once more")
  func inDoubt() async throws {
    try await withAPNs { apns, client in
      apns.play(.reset.delivering().times(1))
      let result = await client.send(try sample(), to: try device(1))
      #expect(result.outcome == .accepted && result.mayArriveTwice)
      #expect(apns.received.map(\.isDelivered) == [true, true])
      #expect(apns.received.map(\.apnsID) == [result.apnsID, result.apnsID])
      #expect(apns.received.map(\.status) == [nil, .accepted])
    }
  }

  @Test("A script is played, and a broken one is refused with its problems")
  func script() async throws {
    try await withAPNs { apns, client in
      try apns.play(script: #"{rules: [{answer: {reason: "BadTopic"}, times: 1}]}"#)
      #expect(try await client.send(sample(), to: device(1)).reason == .badTopic)
      #expect(try await client.send(sample(), to: device(1)).reason == nil)
      #expect(throws: BrokenRules.self) { try apns.play(script: "{rules: [{}]}") }
    }
  }

  @Test("Connections end between pushes, and the next push goes all the same")
  func connections() async throws {
    try await withAPNs { apns, client in
      let (notification, token) = (try sample(), try device(1))
      #expect(await client.send(notification, to: token).outcome == .accepted)
      #expect(apns.openConnections == 1)
      for end in [apns.sendGoAway, apns.closeConnections] {
        let connection = apns.received.last?.connection
        end()
        // The next push may be quicker than the order.
        repeat {
          #expect(await client.send(notification, to: token).outcome == .accepted)
        } while apns.received.last?.connection == connection
      }
    }
  }
}
