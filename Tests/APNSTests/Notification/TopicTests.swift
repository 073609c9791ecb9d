import APNS
import Testing

@Suite struct TopicTests {
  @Test(
    "Topics of every kind are taken as they are",
    arguments: [
      "com.example.shop", "com.example.Shop-2", "com.example.shop.push-type.liveactivity",
      "com.apple.mgmt.External.0f0f0f0f-1111-2222-3333-444444444444", "web.com.example_x", "a",
    ])
  func taken(text: String) throws {
    #expect(try Topic(text).text == text)
    #expect(try BundleID(text).text == text)
  }

  @Test(
    "Anything that could not be a topic says why",
    arguments: [
      ("", TopicError.empty),
      ("<com.example>", .character("<", offset: 0)),
      ("com.example shop", .character(" ", offset: 11)),
      ("com.example\r\nx: y", .character("\r\n", offset: 11)),
      ("com.exämple", .character("ä", offset: 6)),
      ("com.example.*", .character("*", offset: 12)),
      (".com", .misplacedDot(offset: 0)),
      ("com..example", .misplacedDot(offset: 4)),
      ("com.example.", .misplacedDot(offset: 11)),
      (String(repeating: "a", count: 256), .tooLong(256)),
    ])
  func refused(text: String, error: TopicError) {
    #expect(throws: error) { try Topic(text) }
    #expect(throws: error) { try BundleID(text) }
  }

  @Test(
    "A bundle id and a push type make the topic, and the topic gives the bundle id back",
    arguments: [
      (PushType.alert, "com.example.shop"),
      (.background, "com.example.shop"),
      (.voip, "com.example.shop.voip"),
      (.complication, "com.example.shop.complication"),
      (.fileprovider, "com.example.shop.pushkit.fileprovider"),
      (.location, "com.example.shop.location-query"),
      (.liveactivity, "com.example.shop.push-type.liveactivity"),
      (.pushtotalk, "com.example.shop.voip-ptt"),
      (.controls, "com.example.shop.push-type.controls"),
      (.widgets, "com.example.shop.push-type.widgets"),
    ])
  func suffix(type: PushType, topic: String) throws {
    let bundleID = try BundleID("com.example.shop")
    #expect(Topic(bundleID, for: type).text == topic)
    #expect(try Topic(topic).bundleID(for: type) == bundleID)
  }

  @Test("A topic without the suffix has no bundle id of that type")
  func foreignTopic() throws {
    #expect(try Topic("com.example.shop").bundleID(for: .voip) == nil)
  }
}
