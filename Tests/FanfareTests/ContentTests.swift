import APNS
import Foundation
import SendingSupport
import Testing

@testable import Fanfare

@Suite("Contents of each push type")
struct ContentTests {
  private struct Ride: Encodable {
    var minutes = 3
    var phase = "approaching"
  }

  private static let time = Date(timeIntervalSince1970: 1_795_255_200.9)

  private static func text(_ content: PushContent) -> String {
    String(decoding: content.payload.bytes, as: UTF8.self)
  }

  @Test("An alert has each of its keys, and any other in aps")
  func alert() throws {
    let content = PushContent.alert(
      body: "Ready", sound: .critical("bell.caf", volume: 0.5), interruptionLevel: .timeSensitive,
      relevanceScore: 0.75, mutableContent: true
    ).localized(title: .init("ORDER", "1042"), body: .init("READY")).addingToAPS(
      "target-content-id", "order")
    #expect(
      Self.text(content) == #"{"aps":{"alert":{"body":"Ready","title-loc-key":"ORDER","#
        + #""title-loc-args":["1042"],"loc-key":"READY"},"sound":{"critical":1,"#
        + #""name":"bell.caf","volume":0.5},"interruption-level":"time-sensitive","#
        + #""relevance-score":0.75,"mutable-content":1,"target-content-id":"order"}}"#)
    #expect(Self.text(.alert(sound: .default)) == #"{"aps":{"sound":"default"}}"#)
  }

  @Test("A Live Activity has its state, and its times in whole seconds")
  func activity() throws {
    let update = try PushContent.liveActivity(
      .update, state: Ride(), at: Self.time, staleAt: Self.time, relevanceScore: 50,
      alert: .init(title: "Taxi", body: "Here", sound: "horn.caf"))
    #expect(
      Self.text(update) == #"{"aps":{"timestamp":1795255200,"event":"update","#
        + #""content-state":{"minutes":3,"phase":"approaching"},"stale-date":1795255200,"#
        + #""relevance-score":50.0,"alert":{"title":"Taxi","body":"Here","sound":"horn.caf"}}}"#)
    let end = try PushContent.liveActivity(
      .end, state: Ride(), at: Self.time, dismissAt: Self.time)
    #expect(end.payload.aps?["dismissal-date"] == 1_795_255_200)
    #expect(end.payload.aps?["event"] == "end")
  }

  @Test("A Live Activity is started with attributes, and follows a channel or its own token")
  func start() throws {
    let alert = PushContent.ActivityAlert(title: .init("TAXI"), body: .init("HERE", "TX 204"))
    let channel = try ChannelID("dHN0LXNyY2gtY2hubA==")
    func aps(_ updates: PushContent.ActivityUpdates?) throws -> JSON? {
      try PushContent.liveActivityStart(
        "RideAttributes", attributes: ["driver": "Tomasz"], state: Ride(), alert: alert,
        updates: updates, at: Self.time
      ).payload.aps
    }
    let plain = try aps(nil)
    #expect(plain?["event"] == "start" && plain?["attributes-type"] == "RideAttributes")
    #expect(plain?["attributes"]?["driver"] == "Tomasz")
    #expect(plain?["alert"]?["body"] == ["loc-key": "HERE", "loc-args": ["TX 204"]])
    #expect(plain?["input-push-token"] == nil && plain?["input-push-channel"] == nil)
    #expect(try aps(.token)?["input-push-token"] == 1)
    #expect(try aps(.channel(channel))?["input-push-channel"]?.string == channel.text)
  }

  @Test("An encoder of the caller's own encodes what it is given for")
  func encoder() throws {
    struct Event: Encodable { var startsAt = ContentTests.time }
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let state = try PushContent.liveActivity(.update, state: Event(), encoder: encoder)
    #expect(state.payload.aps?["content-state"]?["starts_at"]?.number?.double == 1_795_255_200.9)
    let content = try PushContent.background.adding(Event(), encoder: encoder)
    #expect(content.payload.json?["starts_at"] != nil)
  }

  @Test("Each push type has a content that breaks no rule")
  func types() throws {
    let contents: [PushContent] = [
      .alert(body: "Ready"), .background, .voip.adding("call", "1"), .complication.adding("n", 1),
      .location, .pushToTalk, .controls, .widgets,
      .fileProvider(container: "NSFileProviderWorkingSetContainerItemIdentifier", domain: "main"),
      .mdm(pushMagic: "C7A0B3D8"), try .liveActivity(.update, state: Ride()),
      try .liveActivityStart(
        "RideAttributes", attributes: Ride(), state: Ride(),
        alert: .init(title: "Taxi", body: "Here")),
    ]
    for content in contents where content.pushType != .mdm {
      let notification = try PushNotification(content, bundleID: "com.example.shop")
      #expect(notification.warnings.isEmpty, "\(content.pushType): \(notification.warnings)")
    }
    #expect(Set(contents.map(\.pushType)) == Set(PushType.table.map(\.type)))
  }
}
