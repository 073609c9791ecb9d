import APNS
import HTTP2
import TestSupport
import Testing

@testable import PushEmulator

@Suite("Emulator, over TLS on loopback")
struct EmulatorTests: EmulatorSuite {
  private let key: TestKey
  private let sample: RequestSample
  let recorded = Recorder()

  init() throws {
    key = try TestKey()
    sample = RequestSample().with("authorization", try key.bearer())
  }

  @Test("allows one stream until the first valid provider token, then a thousand")
  func opensTheGate() throws {
    let emulator = try start()
    let client = try TestClient(emulator)
    try client.run { client.concurrency != nil }
    #expect(client.concurrency == 1)
    #expect(try client.send(sample.with("authorization", nil)).status == 403)
    #expect(client.concurrency == 1)
    #expect(try client.send(sample.with("apns-topic", nil)).status == 400)
    #expect(client.concurrency == 1000)
  }

  @Test("answers an accepted push with its id, a unique id and no body")
  func accepts() throws {
    let answer = try TestClient(start()).send(sample)
    #expect(answer.status == 200 && answer.body.isEmpty)
    #expect(answer.fields["apns-id"] == "123e4567-e89b-42d3-a456-426614174000")
    #expect(try #require(answer.fields["apns-unique-id"]).utf8.count == 36)
    #expect(answer.fields.keys.sorted() == [":status", "apns-id", "apns-unique-id"])
  }

  @Test("makes an id in upper case where there is none, and no unique id in production")
  func makesID() throws {
    let client = try TestClient(start { $0.isSandbox = false })
    let answer = try client.send(sample.with("apns-id", nil))
    let id = try #require(answer.fields["apns-id"])
    #expect(APNSID(id) != nil && id == id.uppercased())
    #expect(answer.fields.keys.sorted() == [":status", "apns-id"])
  }

  @Test("answers a refused push with a reason in a body of JSON")
  func refuses() throws {
    let answer = try TestClient(start()).send(sample.with("apns-priority", "7"))
    #expect(answer.status == 400 && answer.body == #"{"reason":"BadPriority"}"#)
    #expect(answer.fields["content-type"] == "application/json")
    #expect(answer.fields["apns-id"] == "123e4567-e89b-42d3-a456-426614174000")
  }

  @Test("refuses bad provider tokens before it looks at the device token")
  func refusesCredentials() throws {
    let emulator = try start { $0.trustedKeys = [try? key.trusted()].compactMap(\.self) }
    let bad = sample.with(path: "/3/device/xy")
    let stranger = try TestKey().bearer()
    let expired = try key.bearer(issuedAt: 1_000_010 - 3601)
    let cases: [(String?, Reason)] = [
      (nil, .missingProviderToken), ("bearer x", .invalidProviderToken),
      (stranger, .invalidProviderToken), (expired, .expiredProviderToken),
      (try key.bearer(), .badDeviceToken),
    ]
    let client = try TestClient(emulator)
    for (token, reason) in cases {
      let answer = try client.send(bad.with("authorization", token))
      #expect(answer.status == reason.info?.status.rawValue)
      #expect(answer.body == #"{"reason":"\#(reason)"}"#)
    }
  }

  @Test("refuses a key of the other environment, and a good one goes on working")
  func refusesKeyOfOtherEnvironment() throws {
    let other = try TestKey()
    let emulator = try start {
      $0.trustedKeys = [
        try? key.trusted(),
        try? other.trusted(keyID: "OTHERKEY00", environments: [.production]),
      ].compactMap(\.self)
    }
    let bad = sample.with("authorization", try other.bearer(keyID: "OTHERKEY00"))
    let client = try TestClient(emulator)
    let answer = try client.send(bad)
    #expect(answer.status == 403 && answer.body == #"{"reason":"BadEnvironmentKeyInToken"}"#)
    #expect(client.concurrency == 1)
    #expect(try client.send(sample).status == 200)
    let old = try other.bearer(keyID: "OTHERKEY00", issuedAt: 1_000_010 - 3601)
    let expired = try client.send(sample.with("authorization", old))
    #expect(expired.body == #"{"reason":"ExpiredProviderToken"}"#)
  }

  @Test("judges and dates by a clock that is off")
  func movesClock() throws {
    let client = try TestClient(
      start {
        $0.clockOffset = 3600
        $0.sendsDate = true
      })
    let answer = try client.send(sample)
    #expect(answer.body == #"{"reason":"ExpiredProviderToken"}"#)
    #expect(answer.fields["date"] == "Mon, 12 Jan 1970 14:46:50 GMT")
  }

  @Test("binds a connection to its first key, and a new connection to another")
  func bindsKey() throws {
    let emulator = try start()
    let other = sample.with("authorization", try key.bearer(keyID: "OTHERKEY00"))
    let client = try TestClient(emulator)
    #expect(try client.send(sample).status == 200)
    #expect(try client.send(other).body == #"{"reason":"UnrelatedKeyIdInToken"}"#)
    #expect(try TestClient(emulator).send(other).status == 200)
    #expect(emulator.connectionCount == 2 && emulator.requestCount == 3)
  }

  @Test("writes in the journal what it answered, before the client has it")
  func keepsJournal() throws {
    let client = try TestClient(start())
    let samples = (0..<50).map { index in
      sample.with("apns-id", nil).with("apns-priority", index % 3 == 0 ? "7" : "10")
    }
    let answers = try [client.send(samples[0])] + client.send(Array(samples.dropFirst()))
    let entries = recorded.entries
    #expect(entries.map(\.stream) == (0..<50).map { Int32(2 * $0 + 1) })
    #expect(entries.map(\.status) == answers.map(\.status))
    #expect(entries.map(\.apnsID) == answers.map { $0.fields["apns-id"] })
    #expect(entries.map(\.processed) == answers.map { $0.status == 200 })
    #expect(entries.allSatisfy { $0.connection == 1 && $0.token == RequestSample.deviceToken })
    #expect(entries.first?.reason == .badPriority)
  }

  @Test("names the size of a payload that is larger than it keeps", arguments: [9_000, 60_000])
  func namesSize(_ count: Int) throws {
    let client = try TestClient(start())
    let large = sample.with(body: String(repeating: "x", count: count))
    let answers = try [client.send(sample)] + client.send([large, sample])
    #expect(answers.map(\.status) == [200, 413, 200])
    let entry = recorded.entries.first { $0.reason == .payloadTooLarge }
    #expect(entry?.note == "The payload is \(count) bytes long; the limit is 4096.")
  }

  @Test("answers a body that has no end before it has come far, and goes on")
  func endlessBody() throws {
    let client = try TestClient(start())
    let answers =
      try client.send([sample])
      + client.send(
        [sample.with(body: String(repeating: "x", count: 30_000_000)), sample])
    #expect(answers.map(\.end) == [.answered, .answered, .answered])
    #expect(answers.map(\.status) == [200, 413, 200])
    let note = recorded.entries.first { $0.status == 413 }?.note ?? ""
    let size = note.split(separator: " ").compactMap { Int($0) }.first ?? .max
    #expect(note.hasPrefix("The payload is more than ") && size < 4_000_000, "\(note)")
  }

  @Test("names a signature in DER in the journal")
  func namesOddity() throws {
    let der = sample.with("authorization", try key.bearer(form: .der))
    #expect(try TestClient(start()).send(der).status == 200)
    #expect(recorded.entries.first?.note == ReceivedToken.Oddity.derSignature.rawValue)
  }

  @Test("closes connections over the limit")
  func limitsConnections() throws {
    let emulator = try start { $0.connectionLimit = 1 }
    let client = try TestClient(emulator)
    #expect(throws: DialError.self) { try TestClient(emulator) }
    #expect(try client.send(sample).status == 200)
  }

  @Test("has a place for a client although others keep as many as there are, and begin no TLS")
  func halfOpen() throws {
    let emulator = try start {
      ($0.connectionLimit, $0.handshakeMilliseconds) = (70, 1 << 30)
    }
    let idle = try (1...69).map { _ in try LineClient(port: emulator.port) }
    // Each that the oldest gave way to has come by then.
    for client in idle.prefix(5) { #expect(client.readLine() == nil) }
    for _ in 1...3 { #expect(try TestClient(emulator).send(sample).status == 200) }
    withExtendedLifetime(idle) {}
  }

  @Test("drops a peer that does not speak TLS in time")
  func dropsSilentPeers() throws {
    let emulator = try start { $0.handshakeMilliseconds = 1 }
    #expect(try LineClient(port: emulator.port).readLine() == nil)
  }

  @Test("stops while clients are connected, and frees the port")
  func stops() throws {
    let emulator = try start()
    let client = try TestClient(emulator)
    #expect(try client.send(sample).status == 200)
    emulator.stop()
    emulator.stop()
    try client.run { false }
    #expect(client.isClosed && emulator.openConnectionCount == 0)
    let again = try start { $0.port = emulator.port }
    #expect(try TestClient(again).send(sample).status == 200)
  }

  @Test("says which port is taken")
  func namesTakenPort() throws {
    let first = try start()
    let error = #expect(throws: EmulatorError.self) { try start { $0.port = first.port } }
    guard case .port(first.port, "bind", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
