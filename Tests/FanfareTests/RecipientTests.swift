import APNS
import PushEmulator
import SendingSupport
import Testing

@testable import Fanfare

@Suite("Recipients of lists", .timeLimit(.minutes(15)))
struct RecipientTests {
  @Test("Digits that are not a device token have a result of their own, and end nothing")
  func badTokens() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let texts = [tokenText(1), "not a token", tokenText(2), "", "abc"]
    let results = try await client.send(try sample(), to: texts).byPosition()
    #expect(results.count == 5)
    for position in [0, 2] { #expect(results[position]?.outcome == .accepted) }
    for position in [1, 3, 4] {
      let result = try #require(results[position])
      #expect(result.outcome == .skipped)
      #expect(result.obstacle?.kind == .badToken)
      #expect(result.token == nil && result.apnsID == nil && result.attempts == 0)
    }
    #expect(results[4]?.obstacle?.description.contains("odd number of digits (3)") == true)
    #expect(server.processed.count == 2)
    await client.close()
  }

  @Test("A notification for a channel goes to no device, and one for devices to no channel")
  func wrongTarget() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let toChannel = try PushNotification(
      .score, channel: try ChannelID("dHN0LXNyY2gtY2hubA=="), bundleID: "com.example.shop")
    let single = await client.send(toChannel, to: try device(1))
    #expect(single.outcome == .notAttempted && single.obstacle?.kind == .brokenRules)
    #expect(single.token == (try device(1)))
    await #expect(throws: Obstacle.self) {
      for try await _ in client.send(toChannel, to: [try device(1)]) {}
    }
    #expect(await client.broadcast(try sample()).obstacle?.kind == .brokenRules)
    #expect(server.emulator.requestCount == 0)
    await client.close()
  }

  @Test("The variables of a recipient are the properties of a value")
  func encoded() throws {
    struct Order: Encodable {
      var name = "Ada"
      var number = 1042
      var share = 0.5
    }
    let recipient = try Recipient(try device(1), encoding: Order())
    #expect(recipient.variables == ["name": "Ada", "number": 1042, "share": 0.5])
    #expect(throws: EncodingError.self) { try Recipient(try device(1), encoding: "Ada") }
  }

  @Test("A list of nothing but bad digits ends")
  func onlyBadTokens() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    for number in 0..<600 { continuation.yield("x\(number)") }
    continuation.finish()
    let results = try await client.send(try sample(), to: stream).byPosition()
    #expect(results.count == 600)
    #expect(server.emulator.connectionCount == 0)
    await client.close()
  }

  @Test("A template is filled for each recipient; one that lacks a variable is skipped")
  func template() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let template = try PushTemplate(
      .alert(title: "Hello {{name}}", badge: nil).adding("count", "{{count|default('none')}}"),
      bundleID: "com.example.shop")
    #expect(template.neededVariables == ["name"])
    let recipients = (0..<1000).compactMap { number -> Recipient? in
      let name = JSON(.string("\"A\(number)"))
      let variables = ["name": name, "count": JSON(.number(JSONNumber(number)))]
      return try? Recipient(device(number), variables: number == 500 ? [:] : variables)
    }
    let results = try await client.send(template, to: recipients).byPosition()
    #expect(results.values.count { $0.outcome == .accepted } == 999)
    let skipped = try #require(results[500])
    #expect(skipped.outcome == .skipped && skipped.obstacle?.kind == .brokenRules)
    #expect(skipped.token == (try device(500)))
    #expect(skipped.obstacle?.description.contains("name") == true)
    let body = try #require(server.witness.sights[tokenText(7)]?.body)
    let payload = String(decoding: body, as: UTF8.self)
    #expect(payload == #"{"aps":{"alert":{"title":"Hello \"A7"}},"count":7}"#)
    await client.close()
  }

  @Test("A template is checked where it is made")
  func badTemplate() {
    for text in ["{{name|strange}}", "no placeholder"] {
      let error = #expect(throws: BrokenRules.self) {
        try PushTemplate(.alert(title: text), bundleID: "com.example.shop")
      }
      #expect(error?.problems.isEmpty == false)
    }
  }

  @Test("A warning stops neither a notification nor a template")
  func warnings() throws {
    let content = PushContent.alert(title: "Hello {{name}}")
    let past = try #require(Expiration(seconds: 1_000_000_000))
    _ = try PushNotification(content, bundleID: "com.example.shop", expiration: past)
    _ = try PushTemplate(content, bundleID: "com.example.shop", expiration: past)
  }

  @Test("A result that is kept does not keep its list's other device tokens")
  func kept() async throws {
    let server = try TestServer { _ in .reject(.unregistered) }
    let client = try client(of: server)
    let result = await client.send(try sample(), to: try device(1))
    let dump = String(reflecting: Mirror(reflecting: result).children.map { $0.value })
    #expect(!dump.contains("PushChunk"))
    await client.close()
  }
}
