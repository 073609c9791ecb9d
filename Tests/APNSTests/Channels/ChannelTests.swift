import APNS
import JSONText
import Testing

@Suite("Channels")
struct ChannelTests {
  @Test(
    "reads channel IDs as APNs returns them",
    arguments: ["dHN0LXNyY2gtY2hubA==", "abcd", "ab+/", "abc=", String(repeating: "a", count: 512)])
  func goodIDs(text: String) throws {
    #expect(try ChannelID(text).text == text)
  }

  static let badTexts: [(String, ChannelIDError)] = [
    ("", .empty), (String(repeating: "a", count: 516), .tooLong(516)),
    ("ab-_", .character("-", offset: 2)), ("abcé", .character("é", offset: 3)),
    ("a cd", .character(" ", offset: 1)),
    ("abc", .cutOff), ("abcde", .cutOff), ("a===", .cutOff), ("====", .cutOff),
    ("ab=c", .cutOff),
  ]

  @Test("refuses what is not base64", arguments: badTexts)
  func badIDs(text: String, error: ChannelIDError) {
    #expect(throws: error) { try ChannelID(text) }
  }

  @Test("tells what is wrong with a text and what to do", arguments: badTexts)
  func advice(text: String, error: ChannelIDError) {
    #expect(error.message.hasPrefix("The channel ID is ") && error.message.hasSuffix("."))
    #expect(error.fix.hasSuffix("."))
  }

  @Test("knows base64 for URLs")
  func base64URL() {
    let error = ChannelIDError.character("-", offset: 2)
    #expect(error.message.contains("\"-\" (character 3)"))
    #expect(error.fix.contains("+ for - and / for _"))
  }

  private let app: BundleID
  private let id: ChannelID

  init() throws {
    app = try BundleID("com.example.shop")
    id = try ChannelID("abcd")
  }

  @Test("asks as Apple documents")
  func requests() throws {
    let create = ChannelRequest.create(.latest)
    #expect(
      create.method == "POST" && create.path(of: app) == "/1/apps/com.example.shop/channels")
    let body = try JSONReader().read(create.body)
    #expect(body["message-storage-policy"]?.number?.int == 1)
    #expect(body["push-type"]?.string == "LiveActivity")
    #expect(ChannelRequest.list.path(of: app) == "/1/apps/com.example.shop/all-channels")
    #expect(ChannelRequest.delete(id).method == "DELETE")
    #expect(
      ChannelRequest.read(id).channel == id && ChannelRequest.read(id).body.isEmpty)
    #expect(!create.isSafeToRepeat && ChannelRequest.delete(id).isSafeToRepeat)
  }

  private var answers: [(ChannelRequest, Int, String?, String, ChannelReply?)] {
    [
      (.create(.nothing), 201, "abcd", "", .created(id)),
      (.create(.nothing), 201, nil, "", nil), (.create(.nothing), 201, "???", "", nil),
      (.create(.nothing), 200, "abcd", "", nil),
      (
        .read(id), 200, nil, #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#,
        .details(.latest)
      ),
      (.read(id), 200, nil, #"{"message-storage-policy":7}"#, .details(nil)),
      (.read(id), 200, nil, "{}", nil), (.read(id), 200, nil, "", nil),
      (.delete(id), 204, nil, "", .deleted), (.delete(id), 400, nil, "", nil),
      (.list, 200, nil, #"{"channels":["abcd"]}"#, .channels([id])),
      (.list, 200, nil, #"{"channels":[]}"#, .channels([])), (.list, 200, nil, "[]", nil),
      (.list, 200, nil, #"{"channels":["abcd","???"]}"#, nil),
    ]
  }

  @Test("reads what the service answers")
  func reply() {
    for (request, status, channel, body, expected) in answers {
      let reply = ChannelReply(
        to: request, status: Status(rawValue: status), channel: channel, body: Array(body.utf8))
      #expect(reply == expected, "\(request) \(status) \(body)")
    }
  }
}
