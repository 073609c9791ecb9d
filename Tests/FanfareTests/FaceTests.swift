import APNS
import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@testable import Fanfare

@Suite("Values of the face", .timeLimit(.minutes(15)))
struct FaceTests {
  private static func back<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
  }

  @Test("What waits in a queue of jobs comes back as it was")
  func coding() throws {
    let channel = try ChannelID("dHN0LXNyY2gtY2hubA==")
    for notification in [
      try sample(),
      try PushNotification(
        .alert(title: "é", body: "\u{1F600}"), bundleID: "com.example.shop",
        priority: .powerAware, expiration: .after(.seconds(60)), collapseID: "order",
        id: "8b6a3a4e-0d4f-4a6e-9a39-8c4fa1e0b7d2"),
      try PushNotification(.voip.adding("call", 1), bundleID: "com.example.shop"),
      try PushNotification(.score, channel: channel, bundleID: "com.example.shop"),
    ] {
      #expect(try Self.back(notification) == notification)
    }
    let recipient = Recipient(
      try device(1), variables: ["a": [1, 2.5, nil, true, ["b": "c"]]], tag: "row 7")
    #expect(try Self.back(recipient) == recipient)
    #expect(try Self.back([try BundleID("com.example.shop")]).first?.text == "com.example.shop")
    #expect(try Self.back([channel]) == [channel])
    #expect(
      try String(decoding: JSONEncoder().encode([device(1)]), as: UTF8.self)
        == "[\"\(tokenText(1))\"]")
    for result in Self.results { #expect(try Self.back(result) == result) }
  }

  private static let results = [
    SendResult(.accepted, at: 3, tag: "row 3", attempts: 2, mayArriveTwice: true, uniqueID: "u"),
    SendResult(
      .rejected, reason: .unregistered, deadSince: Date(timeIntervalSince1970: 1_700_000_000.125),
      apnsID: "8b6a3a4e-0d4f-4a6e-9a39-8c4fa1e0b7d2", latency: .microseconds(1500)),
    SendResult(.notAttempted, obstacle: Obstacle(.pause, "Later.")),
  ]

  @Test("What breaks a rule, or is none, is not read")
  func badCoding() throws {
    let text = String(decoding: try JSONEncoder().encode(try sample()), as: UTF8.self)
    let broken = text.replacing("com.example.shop", with: "com example shop")
    #expect {
      try JSONDecoder().decode(PushNotification.self, from: Data(broken.utf8))
    } throws: {
      guard case DecodingError.dataCorrupted(let context) = $0 else { return false }
      return context.underlyingError is BrokenRules
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([DeviceToken].self, from: Data(#"["abc"]"#.utf8))
    }
  }

  @Test("A result that is made tells what it was made of, and what follows from it")
  func made() throws {
    let dead = SendResult(.rejected, to: try device(1), reason: .unregistered)
    #expect(dead.status == .gone && dead.deadToken == .yes && dead.advice != nil)
    #expect(dead.attempts == 1 && "\(dead)" == "…00000001: rejected (Unregistered)")
    let closed = SendResult(.notAttempted, obstacle: .closed)
    #expect(closed.attempts == 0 && "\(closed)" == "notAttempted (The client is closed.)")
    #expect("\(SendResult(.accepted))" == "accepted" && SendResult(.accepted).status == .accepted)
    #expect("\(SendResult(.deferred, status: .unavailable))" == "deferred (HTTP 503)")
    #expect(Set(Self.results + Self.results).count == 3)
  }

  @Test("A result of the client equals one that was made of its parts")
  func equal() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let result = await client.send(try sample(), to: try device(1))
    let made = SendResult(
      .accepted, to: try device(1), status: result.status, apnsID: result.apnsID,
      uniqueID: result.uniqueID, latency: result.latency)
    #expect(result == made)
    await client.close()
  }

  @Test("Errors say their sentence as a localizedDescription too")
  func sentences() throws {
    let errors: [any Error & CustomStringConvertible] = [
      try #require(throws: DeviceTokenError.self) { try DeviceToken("abc") },
      try #require(throws: TopicError.self) { try BundleID("") },
      try #require(throws: ChannelIDError.self) { try ChannelID("") },
      try #require(throws: ServerAddressError.self) { try PushClient.Environment.server("x") },
      try #require(throws: ProxyError.self) { try PushClient.Proxy("ftp://proxy") },
      try #require(throws: CredentialsError.self) {
        try PushClient.Credentials.signingKey(file: "/no/key.p8", teamID: "DEF123GHIJ")
      },
      try #require(throws: BrokenRules.self) {
        try PushNotification(.background, bundleID: "com example shop")
      },
      Obstacle.closed, SendResults.IterationError(), PushClient.ChannelError.inDoubt("No answer"),
    ]
    for error in errors { #expect(error.localizedDescription == error.description) }
  }

  @Test("A proxy that cannot be read is an error at once, and its password is in no description")
  func proxy() throws {
    for url in ["https://proxy:1", "ftp://proxy", "http://", "http://proxy:x"] {
      #expect(throws: ProxyError.self) { try PushClient.Proxy(url) }
    }
    let proxy = try PushClient.Proxy("http://ada:sesame@proxy:3128")
    #expect("\(proxy)" == "http://proxy:3128")
  }

  @Test("A tag leads from each result back to its row, also for digits that are none")
  func tags() async throws {
    let server = try TestServer { $0.token == 3 ? .reject(.unregistered) : nil }
    let client = try client(of: server)
    struct Row: RecipientConvertible {
      var key: Int
      var recipient: Recipient {
        Recipient(key == 7 ? "none" : tokenText(key), tag: key == 9 ? nil : "row \(key)")
      }
    }
    let results = try await client.send(sample(), to: (1...2000).map(Row.init)).byPosition()
    for (position, result) in results {
      #expect(result.tag == (position == 8 ? nil : "row \(position + 1)"))
    }
    #expect(results[6]?.outcome == .skipped && results[2]?.reason == .unregistered)
    await client.close()
  }

  @Test("A client can be replaced by another sender")
  func replaced() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    #expect(try await outcome(Refuser()) == .deferred)
    #expect(try await outcome(client) == .accepted)
    await client.close()
  }

  @Test("A template makes the notification of one recipient")
  func template() throws {
    let template = try PushTemplate(
      .alert(title: "Hello {{name}}"), bundleID: "com.example.shop", collapseID: "hello")
    let notification = try template.notification(["name": "Ada"])
    #expect(notification.payload["aps"]?["alert"]?["title"] == "Hello Ada")
    #expect(notification.collapseID == "hello" && notification.topic == "com.example.shop")
    #expect(throws: BrokenRules.self) { try template.notification() }
  }
}

/// A sender that defers everything.
private struct Refuser: PushSending {
  func send(
    _ notification: PushNotification, to token: DeviceToken, deadline: Duration?
  ) async -> SendResult { SendResult(.deferred, to: token) }

  func broadcast(_ notification: PushNotification, deadline: Duration?) async -> SendResult {
    SendResult(.deferred)
  }

  func send<Recipients: AsyncSequence & Sendable>(
    _ notification: PushNotification, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible { SendResults([]) }

  func send<Recipients: Sequence & Sendable>(
    _ notification: PushNotification, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible { SendResults([]) }

  func send<Recipients: AsyncSequence & Sendable>(
    _ template: PushTemplate, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible { SendResults([]) }

  func send<Recipients: Sequence & Sendable>(
    _ template: PushTemplate, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible { SendResults([]) }
}

private func outcome(_ sender: some PushSending) async throws -> Outcome {
  let (notification, token) = (try sample(), try device(1))
  return await sender.send(notification, to: token).outcome
}
