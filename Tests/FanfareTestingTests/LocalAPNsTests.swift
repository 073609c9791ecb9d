import Fanfare
import FanfareTesting
import Foundation
import Testing

@Suite("The server of tests", .timeLimit(.minutes(15)))
struct LocalAPNsTests {
  @Test("It has what it received, as values")
  func received() async throws {
    try await withAPNs { apns, client in
      let notification = try sample(
        collapseID: "order", priority: .powerAware, expiration: .neverStored)
      let result = await client.send(notification, to: try device(1))
      #expect(result.outcome == .accepted)
      let push = try #require(apns.received.first)
      #expect(try push.token == device(1))
      #expect(push.topic == "com.example.shop" && push.pushType == .alert)
      #expect(push.priority == .powerAware && push.expiration == .neverStored)
      #expect(push.collapseID == "order" && push["apns-collapse-id"] == "order")
      #expect(push.apnsID == result.apnsID)
      #expect(push.payload?["aps"]?["alert"]?["title"] == "Order 1042")
      #expect(push.payload?["order"] == 1042 && push.bytes == push.payload?.encoded())
      #expect(push.status == .accepted && push.reason == nil && push.isDelivered)
      #expect(push.sender == .token(keyID: "ABC123DEFG", teamID: "DEF123GHIJ"))
      #expect(push.connection == 1 && push.description == "…aaaaaaa1 alert: 200")
    }
  }

  @Test("Devices are registered, unregistered, or of another topic or environment")
  func devices() async throws {
    try await withAPNs { apns, client in
      apns.acceptsOtherDevices = false
      #expect(await reason(client, 1) == .badDeviceToken)
      apns.reset()
      apns[try device(1)] = .unregistered(since: longAgo)
      apns[try device(2)] = .registered(topic: "com.example.other")
      apns[try device(3)] = .ofOtherEnvironment
      apns[try device(4)] = .registered()
      #expect(try apns[device(3)] == .ofOtherEnvironment && apns[device(5)] == nil)
      let gone = await client.send(try sample(), to: try device(1))
      #expect(gone.reason == .unregistered && gone.deadSince == longAgo)
      #expect(await reason(client, 2) == .deviceTokenNotForTopic)
      #expect(await reason(client, 3) == .badDeviceToken)
      #expect(await reason(client, 4) == nil && apns.acceptsOtherDevices)
      #expect(await reason(client, 5) == nil)
      apns.acceptsOtherDevices = false
      #expect(await reason(client, 5) == .badDeviceToken)
      #expect(apns.received.last?.explanation?.contains("None of the emulator's devices") == true)
    }
  }

  private func reason(_ client: PushClient, _ number: Int) async -> Reason? {
    guard let token = try? device(number), let notification = try? sample() else { return nil }
    return await client.send(notification, to: token).reason
  }

  @Test("Only the keys that were named are good, when any were")
  func keys() async throws {
    var options = LocalAPNs.Options()
    options.keys = [try LocalAPNs.Key()]
    try await withAPNs(options) { apns, client in
      #expect(try await client.send(sample(), to: device(1)).outcome == .accepted)
      client.update(credentials: try LocalAPNs.Key().credentials)
      #expect(try await client.send(sample(), to: device(1)).reason == .invalidProviderToken)
    }
    #expect("\(options.keys[0])" == "ABC123DEFG")
    var dumped = ""
    dump(options, to: &dumped)
    #expect(dumped.contains("DEF123GHIJ") && !dumped.contains("PRIVATE KEY"))
    #expect(throws: CredentialsError.self) {
      try LocalAPNs.Key(pem: "none", keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
    }
  }

  @Test("Its credentials have the first of its keys, and it takes the others too")
  func severalKeys() async throws {
    var options = LocalAPNs.Options()
    options.keys = [
      try LocalAPNs.Key(keyID: "AAAAAAAAAA"), try LocalAPNs.Key(teamID: "BBBBBBBBBB"),
    ]
    let second = options.keys[1]
    try await withAPNs(options) { apns, client in
      #expect(apns.key.keyID == "AAAAAAAAAA" && apns.key.pem.contains("PRIVATE KEY"))
      #expect(await reason(client, 1) == nil)
      client.update(credentials: second.credentials)
      #expect(await reason(client, 1) == nil)
      #expect(
        apns.received.map(\.sender) == [
          .token(keyID: "AAAAAAAAAA", teamID: "DEF123GHIJ"),
          .token(keyID: "ABC123DEFG", teamID: "BBBBBBBBBB"),
        ])
    }
  }

  @Test("Provider tokens expire by its clock, until it is reset")
  func clock() async throws {
    try await withAPNs { apns, client in
      apns.advance(by: .seconds(7200))
      #expect(apns.clockOffset == .seconds(7200))
      let result = await client.send(try sample(), to: try device(1))
      #expect(result.reason == .expiredProviderToken && result.outcome != .accepted)
      apns.reset()
      #expect(apns.received.isEmpty && apns.clockOffset == .zero)
      client.update(credentials: apns.credentials)
      #expect(try await client.send(sample(), to: device(1)).outcome == .accepted)
    }
  }

  @Test("The file with its certificate is there until it is closed")
  func file() async throws {
    let apns = try await LocalAPNs()
    let client = PushClient(
      credentials: apns.credentials,
      environment: try .server(apns.url, roots: apns.certificateAuthorityFile))
    #expect(try await client.send(sample(), to: device(1)).outcome == .accepted)
    await client.close()
    await apns.close()
    await apns.close()
    #expect(!exists(apns.certificateAuthorityFile))
    #expect(apns.certificateAuthority.contains("BEGIN CERTIFICATE") && apns.received.count == 1)
  }

  @Test("It listens on the port that was asked for, and says which provider tokens it saw")
  func port() async throws {
    let first = try await LocalAPNs()
    let port = try #require(UInt16(first.url.split(separator: ":").last ?? ""))
    await first.close()
    var options = LocalAPNs.Options()
    options.port = port
    try await withAPNs(options) { apns, client in
      #expect(apns.url == "https://127.0.0.1:\(port)" && apns.providerTokens.isEmpty)
      let before = Date()
      for number in 1...3 { _ = await client.send(try sample(), to: try device(number)) }
      let tokens = apns.providerTokens
      #expect(tokens.map(\.keyID) == ["ABC123DEFG"] && tokens.map(\.teamID) == ["DEF123GHIJ"])
      #expect(abs(try #require(tokens.first).issuedAt.timeIntervalSince(before)) < 60)
      await #expect(throws: LocalAPNs.StartError.self) { try await LocalAPNs(options) }
    }
  }

  @Test("No time and no number of a caller's ends the process")
  func extremes() async throws {
    try await withAPNs { apns, client in
      for duration: Duration in [.seconds(Int64.max), .seconds(Int64.min)] {
        for _ in 1...2 { apns.advance(by: duration) }
        apns.reset()
        apns.play(.delay(duration).times(.min).every(.min).attempt(.max))
        _ = LocalAPNs.Fault.silence.after(duration).times(.max)
      }
      apns.reset()
      let clock = LocalAPNs.ClientClock()
      for _ in 1...3 { clock.advance(by: .seconds(Int64.max)) }
      let other = apns.client(clock: clock)
      _ = try await other.send(sample(), to: device(1), deadline: .seconds(60))
      #expect(try await apns.next(within: .seconds(Int64.max)).token == device(1))
      for seconds in [-Double.infinity, .infinity, .nan] {
        let date = Date(timeIntervalSince1970: seconds)
        apns[try device(2)] = .unregistered(since: date)
        _ = await client.send(try sample(), to: try device(2))
        apns.play(.refuse(.unregistered, since: date))
        _ = await client.send(try sample(), to: try device(3))
      }
      _ = try? await apns.next(.max, within: .nanoseconds(1))
      _ = try? await apns.next(-1, within: .seconds(Int64.min))
    }
  }
}
