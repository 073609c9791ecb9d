import Fanfare
import FanfareTesting
import Testing

// The code of the article Testing, which is run.

@Test func customerIsTold() async throws {
  let phone = try DeviceToken(String(repeating: "0a1b", count: 16))
  let apns = try await LocalAPNs()
  let client = PushClient(credentials: apns.credentials, environment: apns.environment)

  try await Shop(client).orderIsReady(1042, for: phone)

  let push = try await apns.next()
  #expect(push.token == phone)
  #expect(push.topic == "com.example.shop")
  #expect(push.payload?["aps"]?["alert"]?["title"] == "Order 1042")
}

@Test("The devices of the article Testing")
func devicesOfTheArticle() async throws {
  let apns = try await LocalAPNs()
  let (phone, tablet, simulator) = (try device(1), try device(2), try device(3))
  apns[phone] = .unregistered()
  apns[tablet] = .registered(topic: "com.example.shop")
  apns[simulator] = .ofOtherEnvironment
  apns.acceptsOtherDevices = false
  #expect(apns[phone] != nil && !apns.acceptsOtherDevices)
}

@Test("The faults of the article Testing")
func faultsOfTheArticle() async throws {
  let phone = try device(1)
  try await withAPNs { apns, client in
    apns.play(
      .refuse(.tooManyRequests).to(phone),
      .refusedStream.times(2),
      .reset.delivering().every(10),
      .delay(.milliseconds(200)))
    #expect(try await client.send(sample(), to: phone).reason == .tooManyRequests)
    try apns.play(script: #"{rules: [{when: {attempt: 1}, answer: {status: 503}}]}"#)
    #expect(try await client.send(sample(), to: phone).status == .unavailable)
  }
}

@Test("The clock of the article Testing")
func clockOfTheArticle() async throws {
  let phone = try device(1)
  try await withAPNs { apns, client in
    let notification = try sample()
    apns.advance(by: .seconds(2 * 3600))
    let result = await client.send(notification, to: phone)
    #expect(result.reason == .expiredProviderToken)
  }
}

@Test("The keys of the article Testing")
func keysOfTheArticle() async throws {
  let pem = try LocalAPNs.Key().pem
  var options = LocalAPNs.Options()
  options.keys = [try LocalAPNs.Key(pem: pem, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")]
  let strict = try await LocalAPNs(options)
  #expect(strict.key.keyID == "ABC123DEFG")
}

@Test("The client's clock of the article Testing")
func clientClockOfTheArticle() async throws {
  let phone = try device(1)
  let apns = try await LocalAPNs()
  let notification = try sample()
  let clock = LocalAPNs.ClientClock()
  let client = apns.client(clock: clock)
  _ = await client.send(notification, to: phone)
  clock.advance(by: .seconds(50 * 60))
  apns.advance(by: .seconds(50 * 60))
  _ = await client.send(notification, to: phone)
  #expect(apns.providerTokens.count == 2)
}
