import APNS
import HTTP2
import Testing

@testable import PushEmulator

@Suite("What is changed while an emulator runs")
struct EmulatorChangesTests {
  private let server: FaultyServer

  init() throws { server = try FaultyServer() }

  private func play(_ text: String) throws {
    server.emulator.play(try FaultScript(Array(text.utf8), file: "test"))
  }

  @Test("the script, for connections that are open, and back")
  func script() throws {
    let client = try server.client()
    #expect(try client.send(server.sample).status == 200)
    try play(#"{rules: [{answer: {reason: "Unregistered", timestamp: 1}}]}"#)
    let answer = try client.send(server.sample)
    #expect(answer.status == 410 && answer.body == #"{"reason":"Unregistered","timestamp":1}"#)
    #expect(try server.answer().status == 410)
    server.emulator.play(FaultScript())
    #expect(try client.send(server.sample).status == 200)
  }

  @Test("a script's counters begin anew with each script, and stay with a new clock")
  func counters() throws {
    let client = try server.client()
    func statuses() throws -> [Int] {
      try (1...3).map { _ in try client.send(server.sample).status }
    }
    for _ in 1...2 {
      try play("{rules: [{when: {nth: 2}, answer: {reason: 'BadTopic'}}]}")
      #expect(try statuses() == [200, 400, 200])
    }
    try play("{tokenRate: {count: 2, per: '1h'}}")
    #expect(try statuses() == [200, 200, 429])
    server.emulator.show(try #require(ClockOffset("+1m")))
    #expect(try statuses() == [429, 429, 429])
    try play("{tokenRate: {count: 2, per: '1h'}}")
    #expect(try statuses() == [200, 200, 429])
  }

  @Test("what open connections do on their own account, and how many there may be")
  func connections() throws {
    let client = try server.client()
    #expect(try client.send(server.sample).status == 200 && client.concurrency == 1000)
    try play(
      "{settings: [{at: {requests: 2}, maxConcurrentStreams: 7}], connections: {limit: 1}}")
    #expect(try client.send(server.sample).status == 200 && client.concurrency == 1000)
    #expect(try client.send(server.sample).status == 200 && client.concurrency == 7)
    #expect(throws: DialError.self) { try server.client() }
    server.emulator.play(FaultScript())
    #expect(try server.answer().status == 200)
  }

  static let times: [(clock: String, status: Int, reason: String)] = [
    ("+1h", 403, "ExpiredProviderToken"), ("-30m", 403, "InvalidProviderToken"),
    ("+59m", 200, ""), ("0s", 200, ""),
  ]

  @Test("the clock, by which provider tokens expire, and back", arguments: times)
  func clock(_ row: (clock: String, status: Int, reason: String)) throws {
    let client = try server.client()
    #expect(try client.send(server.sample).fields["date"] == nil)
    server.emulator.show(try #require(ClockOffset(row.clock)))
    let answer = try client.send(server.sample)
    #expect(answer.status == row.status && answer.body.contains(row.reason))
    #expect(server.entries.allSatisfy { $0.time == 1_000_010 })
    server.emulator.show(try #require(ClockOffset("0s")))
    let back = try client.send(server.sample)
    #expect(back.status == 200 && back.fields["date"] == "Mon, 12 Jan 1970 13:46:50 GMT")
  }

  @Test("GOAWAY to all connections, idle ones included, covers what has arrived")
  func goAway() throws {
    let clients = try [server.client(), server.client()]
    for client in clients { #expect(try client.send(server.sample).status == 200) }
    #expect(server.emulator.sendGoAway(ConnectionEnd(reason: .shutdown)) == 2)
    for client in clients {
      try client.run { client.goAway != nil }
      #expect(client.goAway?.lastStream == 1)
      #expect(client.goAway?.debugData == Array(#"{"reason":"Shutdown"}"#.utf8))
      try client.run { false }
    }
    #expect(try server.answer().status == 200)
  }

  @Test("the end of all connections, idle ones included", arguments: Drop.allCases)
  func close(_ drop: Drop) throws {
    let clients = try [server.client(), server.client()]
    for client in clients { #expect(try client.send(server.sample).status == 200) }
    #expect(server.emulator.closeConnections(drop) == 2)
    for client in clients {
      try client.run { false }
      #expect(client.isClosed)
    }
    #expect(try server.answer().status == 200)
  }
}

@Suite("Devices that an emulator knows")
struct DevicesTests {
  private static let token = RequestSample.deviceToken
  private static let other = String(repeating: "ff", count: 32)

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var path = DevicesTests.token
    var topic = "com.example.shop"
    var change: @Sendable (inout EmulatedDevice) -> Void = { _ in }
    var body = ""
  }

  static let cases = [
    Case(testDescription: "one that is known"),
    Case(testDescription: "in upper case", path: token.uppercased()),
    Case(testDescription: "one that is not", path: other, body: #"{"reason":"BadDeviceToken"}"#),
    Case(
      testDescription: "of another app", topic: "com.example.other",
      body: #"{"reason":"DeviceTokenNotForTopic"}"#),
    Case(
      testDescription: "of the other environment", change: { $0.environment = .production },
      body: #"{"reason":"BadDeviceToken"}"#),
    Case(testDescription: "of this environment", change: { $0.environment = .sandbox }),
    Case(
      testDescription: "unregistered", change: { $0.unregisteredAt = 1_700_000_000_000 },
      body: #"{"reason":"Unregistered","timestamp":1700000000000}"#),
  ]

  @Test("are pushed to as APNs would", arguments: cases)
  func answers(_ example: Case) throws {
    var device = EmulatedDevice(token: try DeviceToken(Self.token), topic: "com.example.shop")
    example.change(&device)
    let server = try FaultyServer { [device] in $0.devices[device.token] = device }
    let sample = server.sample.with(path: "/3/device/" + example.path)
      .with("apns-topic", example.topic)
    #expect(try server.client().send(sample).body == example.body)
    let push = try #require(server.entries.first)
    #expect((push.explanation == nil) == example.body.isEmpty)
    #expect((push.timestamp == nil) == (device.unregisteredAt == nil))
  }

  @Test("are looked at last, and as long as there is one")
  func order() throws {
    let server = try FaultyServer()
    let client = try server.client()
    let token = try DeviceToken(Self.other)
    server.emulator.changeDevices {
      $0[token] = EmulatedDevice(token: token, topic: "com.example.shop")
    }
    #expect(server.emulator.devices.all.map(\.token) == [token])
    #expect(try client.send(server.sample).body.contains("BadDeviceToken"))
    #expect(try client.send(server.sample.with(body: "")).body.contains("PayloadEmpty"))
    server.emulator.changeDevices { $0[token] = nil }
    #expect(try client.send(server.sample).status == 200)
  }
}
