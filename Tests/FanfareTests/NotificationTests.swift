import APNS
import HTTP2
import SendingSupport
import Testing

@testable import Fanfare

@Suite("Notifications and channels of the library", .timeLimit(.minutes(15)))
struct NotificationTests {
  private struct Order: Encodable {
    var number = 1042
    var items = ["tea"]
  }

  @Test("A payload from typed parts and values of the app's own")
  func parts() throws {
    let content = try PushContent.alert(title: "Order", body: "Ready", badge: 2, sound: "default")
      .adding("shop", "Main Street").adding(Order())
    let notification = try PushNotification(content, bundleID: "com.example.shop")
    #expect(notification.pushType == .alert)
    let payload = String(decoding: notification.bytes, as: UTF8.self)
    #expect(payload.contains(#""alert":{"title":"Order","body":"Ready"}"#))
    #expect(payload.contains(#""shop":"Main Street""#))
    #expect(payload.contains(#""number":1042"#))
  }

  @Test("Each part of an alert has its place, and those that are left out have none")
  func alertParts() throws {
    for (content, aps) in [
      (.alert(), #"{}"#), (.alert(title: "T"), #"{"alert":{"title":"T"}}"#),
      (.alert(subtitle: "S"), #"{"alert":{"subtitle":"S"}}"#),
      (.alert(body: "B"), #"{"alert":{"body":"B"}}"#), (.alert(badge: 3), #"{"badge":3}"#),
      (.alert(badge: 0), #"{"badge":0}"#), (.alert(sound: "ping.caf"), #"{"sound":"ping.caf"}"#),
      (.alert(threadID: "orders"), #"{"thread-id":"orders"}"#),
      (.alert(category: "ORDER"), #"{"category":"ORDER"}"#),
      (.background, #"{"content-available":1}"#),
    ] as [(PushContent, String)] {
      #expect(content.payload.bytes == Array("{\"aps\":\(aps)}".utf8))
    }
    let members = PushContent.alert(
      title: "T", subtitle: "S", body: "B", badge: 0, sound: "default", threadID: "t", category: "c"
    )
    #expect(
      try #require(members.payload.json?["aps"]) == [
        "alert": ["title": "T", "subtitle": "S", "body": "B"], "badge": 0, "sound": "default",
        "thread-id": "t", "category": "c",
      ])
  }

  @Test("An expiration after a time from now, whatever the time")
  func expiration() {
    let clock = { RunClock.system.epochSeconds }
    let before = clock()
    #expect(before + 3600...clock() + 3600 ~= Expiration.after(.seconds(3600)).seconds)
    #expect(before...clock() ~= Expiration.after(.seconds(-5)).seconds)
    #expect(Expiration.after(.seconds(Int64.max)).seconds == .max)
  }

  @Test("A payload from bytes is sent as it is")
  func bytes() throws {
    let bytes = Array(#"{ "aps": { "content-available": 1 } }"#.utf8)
    let notification = try PushNotification(
      PushContent(.background, bytes: bytes), bundleID: "com.example.shop")
    #expect(notification.bytes == bytes)
    #expect(notification.priority == .powerAware)
  }

  @Test("A broken rule is reported with its fix where the notification is made")
  func brokenRules() throws {
    let error = #expect(throws: BrokenRules.self) {
      try PushNotification(
        .alert(body: String(repeating: "a", count: 5000)), bundleID: "com.example.shop",
        collapseID: String(repeating: "c", count: 65))
    }
    let errors = try #require(error).problems.filter { $0.severity == .error }
    #expect(errors.count == 2)
    #expect(errors.allSatisfy { !$0.fix.isEmpty })
  }

  @Test("A value that is no object does not become part of a payload")
  func noObject() {
    #expect(throws: EncodingError.self) { try PushContent.background.adding([1, 2]) }
  }

  @Test("A channel is created, sent to and deleted")
  func channel() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let channels = client.channels(of: try BundleID("com.example.shop"))
    let channel = try await channels.create(storing: .latest)
    #expect(try await channels.all() == [channel])
    #expect(try await channels.policy(of: channel) == .latest)
    let result = await client.broadcast(
      try PushNotification(.score, channel: channel, bundleID: "com.example.shop"))
    #expect(result.outcome == .accepted)
    try await channels.delete(channel)
    let error = await #expect(throws: PushClient.ChannelError.self) {
      try await channels.policy(of: channel)
    }
    #expect(error?.isInDoubt == false)
    #expect(error?.status != nil)
    await client.close()
  }
}
