import Fanfare
import FanfareTesting
import HTTP2
import Testing

@Suite("Devices of the server of tests", .timeLimit(.minutes(15)))
struct LocalDevicesTests {
  private static let devices: [LocalAPNs.Device] = [
    .registered(), .registered(topic: "com.example.shop"), .registered(topic: "com.example.other"),
    .unregistered(since: longAgo), .ofOtherEnvironment,
    .unregistered(since: longAgo, topic: "com.example.shop"),
  ]

  /// The answers to a push to each of them.
  private static let reasons: [Reason?] = [
    nil, nil, .deviceTokenNotForTopic, .unregistered, .badDeviceToken, .unregistered,
  ]

  @Test(
    "What was said of a device is told again, and holds, in either environment",
    arguments: [true, false])
  func said(isSandbox: Bool) async throws {
    var options = LocalAPNs.Options()
    options.isSandbox = isSandbox
    try await withAPNs(options) { apns, client in
      for (number, device) in Self.devices.enumerated() {
        let token = try FanfareTestingTests.device(number)
        #expect(apns[token] == nil)
        apns[token] = device
        #expect(apns[token] == device)
        let result = await client.send(try sample(), to: token)
        #expect(result.reason == Self.reasons[number])
        // Only the sandbox returns it.
        if result.outcome == .accepted { #expect((result.uniqueID != nil) == isSandbox) }
        apns[token] = nil
        #expect(apns[token] == nil)
        #expect(await client.send(try sample(), to: token).outcome == .accepted)
      }
    }
  }

  @Test("A device that is unregistered without a time is so since now")
  func now() async throws {
    try await withAPNs { apns, client in
      let before = RunClock.system.epochSeconds
      apns[try device(1)] = .unregistered()
      let range = before * 1000...RunClock.system.epochMilliseconds() + 1
      let result = await client.send(try sample(), to: try device(1))
      #expect(result.reason == .unregistered && result.deadToken == .yes)
      #expect(range ~= (try #require(result.deadSince).milliseconds))
    }
  }

  @Test(
    "It stands for the sandbox, takes any well-formed key and keeps 100,000 pushes, unless told")
  func defaults() {
    let options = LocalAPNs.Options()
    #expect(options.isSandbox && options.keys.isEmpty && options.keeps == 100_000)
  }
}
