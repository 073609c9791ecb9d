import APNS
import JSONText
import Testing

@Suite struct DraftTests {
  @Test("A header is found by its name in any case; the first one counts")
  func lookup() {
    let draft = Draft(fields: [DraftField("APNS-Topic", "a"), DraftField("apns-topic", "b")])
    #expect(draft.topic == "a")
    #expect(draft.priority == nil)
  }

  @Test("Setting a header replaces it in place, appends it, or removes it")
  func editing() {
    var draft = Draft(fields: [DraftField("apns-topic", "a"), DraftField("x", "y")])
    draft[.topic] = DraftField(.topic, "b")
    draft[.priority] = DraftField(.priority, "5")
    #expect(draft.fields.map(\.value) == ["b", "y", "5"])
    draft[.topic] = nil
    #expect(draft.fields.map(\.value) == ["y", "5"])
  }

  @Test("Of a received request only APNs' own headers enter the draft")
  func received() {
    let headers = [
      (name: ":path", value: "/3/device/aa"), (name: "authorization", value: "bearer x"),
      (name: "apns-topic", value: "com.example"), (name: "user-agent", value: "curl"),
    ]
    let draft = Draft(received: headers, body: Array(#"{"aps":{}}"#.utf8))
    #expect(draft.fields == [DraftField("apns-topic", "com.example")])
    #expect(draft.payload?.aps == JSON(.object(JSONObject())))
    #expect(Draft(received: headers, body: []).payload == nil)
  }
}

@Suite struct NotificationTests {
  static let context = RuleContext(now: 1_700_000_000)

  @Test("A draft without a broken rule becomes a notification, its gaps filled")
  func defaults() throws {
    let draft = Draft.sample(type: "background", payload: ["aps": ["content-available": 1]])
    let notification = try Notification(draft, in: Self.context)
    #expect(notification.priority == .powerAware)
    #expect(
      notification.fields.map { "\($0.name): \($0.value)" } == [
        "apns-topic: com.example.shop", "apns-push-type: background", "apns-priority: 5",
      ])
    #expect(notification.payload.bytes == draft.payload?.bytes)
    #expect(notification.warnings.isEmpty)
  }

  @Test("Everything that was written is sent, the apns-id by itself")
  func everything() throws {
    var draft = Draft.sample()
    draft.fields += [
      DraftField(.expiration, "1700003600"), DraftField(.collapseID, "ordér"),
      DraftField(.priority, "1"), DraftField(.id, "123E4567-E89B-42D3-A456-426614174000"),
      DraftField("apns-new", "x"),
    ]
    let notification = try Notification(draft, in: Self.context)
    #expect(notification.apnsID?.description == "123e4567-e89b-42d3-a456-426614174000")
    #expect(
      notification.fields.map(\.value) == [
        "com.example.shop", "alert", "1", "1700003600", "ordér", "x",
      ])
  }

  @Test("All broken rules are reported at once, warnings with them")
  func broken() throws {
    let draft = Draft(fields: [
      DraftField(.priority, "11"), DraftField(.expiration, "5"), DraftField(.id, "x"),
    ])
    let broken = try #require(throws: BrokenRules.self) {
      try Notification(draft, in: Self.context)
    }
    #expect(
      broken.problems.map(\.rule) == [
        "topic-missing", "push-type-missing", "apns-id-form", "expiration-past", "priority-form",
        "payload-missing",
      ])
  }

  @Test("A warning does not stop a notification")
  func warning() throws {
    var draft = Draft.sample()
    draft[.expiration] = DraftField(.expiration, "5")
    #expect(try Notification(draft, in: Self.context).warnings.map(\.rule) == ["expiration-past"])
  }

  @Test("Force sends headers as they were written")
  func forced() throws {
    let fields = [
      DraftField(.priority, "11"), DraftField(.pushType, "Alert"), DraftField(.id, "x"),
    ]
    let draft = Draft(fields: fields, payload: Self.payload)
    let forced = try draft.fieldsForced(in: Self.context)
    #expect(forced.map(\.value) == ["11", "Alert"])
  }

  @Test(
    "No force sends what would break the request apart",
    arguments: [
      DraftField(.topic, "a\r\napns-topic: b"), DraftField("authorization", "bearer x"),
      DraftField("Connection", "close"), DraftField(":path", "/"), DraftField("a b", "c"),
      DraftField(.collapseID, "a\u{0}"),
    ])
  func neverForced(field: DraftField) {
    #expect(throws: BrokenRules.self) {
      try Draft(fields: [field], payload: Self.payload).fieldsForced(in: Self.context)
    }
  }

  private static let payload = DraftPayload(reading: Array("{}".utf8))
}
