import Fanfare
import FanfareTesting
import HTTP2
import SendingSupport
import TestSupport
import Testing

@Suite("What the server of tests received", .timeLimit(.minutes(15)))
struct ReceivedTests {
  @Test("A push to a channel has the channel and the ID of the request, but no device token")
  func broadcast() async throws {
    try await withAPNs { apns, client in
      let app = try BundleID("com.example.shop")
      let channel = try await client.channels(of: app).create(storing: .latest)
      let expiration = try #require(Expiration(seconds: 4_000_000_000))
      let content = PushContent(
        .liveactivity,
        ["aps": ["timestamp": 1_700_000_000, "event": "update", "content-state": ["score": 3]]])
      let result = await client.broadcast(
        try PushNotification(
          content, channel: channel, bundleID: app.text, priority: .powerAware,
          expiration: expiration))
      #expect(result.outcome == .accepted && result.token == nil)
      // The request for the channel is not among them.
      #expect(apns.received.count == 1)
      let push = try await apns.next()
      #expect(push.channel == channel && push.token == nil)
      #expect(push.pushType == .liveactivity && push.priority == .powerAware)
      #expect(push.expiration == expiration)
      #expect(push.apnsID == nil && push["apns-request-id"] == result.apnsID)
      #expect(result.apnsID != nil)
      #expect(push.description == "\(channel.text) liveactivity: 200")
    }
  }

  @Test("The sender is a key or a certificate")
  func senders() async throws {
    let certificate = try withTemporaryFolder { folder in
      _ = try CredentialWorkshop(in: folder)
      return try PushClient.Credentials.certificate(file: folder.file("both.pem"))
    }
    try await withAPNs { apns, client in
      _ = await client.send(try sample(), to: try device(1))
      client.update(credentials: certificate)
      _ = await client.send(try sample(), to: try device(1))
      #expect(
        apns.received.map(\.sender) == [
          .token(keyID: "ABC123DEFG", teamID: "DEF123GHIJ"),
          .certificate("Apple Push Services: com.example.shop"),
        ])
      #expect(apns.received.map(\.connection) == [1, 2])
    }
  }

  @Test("A refusal comes with its cause and the fix")
  func explanation() async throws {
    try await withAPNs { apns, client in
      apns[try device(1)] = .registered(topic: "com.example.other")
      _ = await client.send(try sample(), to: try device(1))
      let push = try #require(apns.received.first)
      #expect(push.reason == .deviceTokenNotForTopic && push.status == .badRequest)
      #expect(!push.isDelivered)
      #expect(push.description == "…aaaaaaa1 alert: 400 DeviceTokenNotForTopic")
      #expect(try #require(push.explanation).contains(". "))
      _ = await client.send(try sample(), to: try device(2))
      #expect(apns.received.last?.explanation == nil)
    }
  }

  @Test("As many pushes are kept as was asked, the newest; none of them is missed by waiting")
  func kept() async throws {
    var options = LocalAPNs.Options()
    options.keeps = 2
    try await withAPNs(options) { apns, client in
      for number in 1...2 { _ = await client.send(try sample(), to: try device(number)) }
      #expect(apns.received.map(\.token) == [try device(1), try device(2)])
      _ = await client.send(try sample(), to: try device(3))
      #expect(apns.received.map(\.token) == [try device(2), try device(3)])
      #expect(try await apns.next().token == device(2))
      #expect(try await apns.next().token == device(3))
    }
  }

  @Test("Streams that HTTP/2 refused are not among the pushes")
  func refusedStreams() async throws {
    let apns = try await LocalAPNs()
    let statuses = try answers(to: Array(repeating: [0x7B, 0x7D], count: 3), from: apns)
    #expect(statuses == [0, 0, 403])
    #expect(apns.received.map(\.status) == [.forbidden])
    #expect(apns.received.first?.reason == .missingProviderToken)
    await apns.close()
  }

  @Test("Of a payload, 8,192 bytes are kept")
  func longPayload() async throws {
    let apns = try await LocalAPNs()
    for count in [8191, 8192, 8193] {
      _ = try answers(to: [Array(repeating: 0x20, count: count)], from: apns)
      #expect(apns.received.last?.bytes.count == min(count, 8192))
    }
    await apns.close()
  }

  /// The sorted statuses of requests without a provider token that are sent at once, before the
  /// server said how many it takes; 0 without an answer.
  private func answers(to bodies: [[UInt8]], from apns: LocalAPNs) throws -> [Int] {
    let port = try #require(UInt16(apns.url.split(separator: ":").last ?? ""))
    let roots = apns.certificateAuthorityFile
    let target = DialTarget(host: "127.0.0.1", port: port, additionalRoots: roots)
    let link = try Dialer.dial(target)
    let (session, wake) = (try ClientSession(), try #require(Wake()))
    let head = RequestHead(
      authority: target.authority, pathPrefix: "/3/device/", fields: [], varying: "apns-id")
    for (number, body) in bodies.enumerated() {
      let exchange = Exchange()
      let isPrepared = try Array(device(number).hex.utf8).withUnsafeBufferPointer {
        exchange.prepare(head, pathEnd: $0, body: body) { _ in 0 }
      }
      try #require(isPrepared)
      try session.submit(exchange)
    }
    var statuses: [Int] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while statuses.count < bodies.count {
      _ = try session.send(over: link)
      let received = try buffer.withUnsafeMutableBytes { try link.receive(into: $0) }
      try buffer.withUnsafeBytes { try session.receive(.init(rebasing: $0[..<received])) }
      session.takeEnded { statuses.append($0.status) }
      if received == 0 { _ = link.wait(forRoom: false, wake: wake, milliseconds: 1000) }
    }
    return statuses.sorted()
  }
}
