import APNS
import CommandLineKit
import JSONText
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Reporting
@testable import Scenarios
@testable import Settings
@testable import Tools

@Suite("A curl command line")
struct FromCurlTests {
  static let token = String(repeating: "0a1b2c3d", count: 8)

  static let words: [(text: String, words: [[String]])] = [
    ("curl -v a", [["curl", "-v", "a"]]), ("curl \\\n  a\\ b\r\n", [["curl", "a b"]]),
    (#"a'b "c'd"#, [["ab \"cd"]]), (#""a\"\n\$b""#, [[#"a"\n$b"#]]),
    (#"$'a\'b\n\u00fc\ud83d\ude00"'"#, [["a'b\nü😀\""]]), ("'' $''", [["", ""]]),
    ("A=1; export B='2 3'\ncurl $A ${B} \"$C\" ${D}", [["curl", "1", "2 3", "${C}", "${D}"]]),
    ("# remark\ncurl a#b # c\n", [["curl", "a#b"]]), ("a | b && c", [["a"], ["b"], ["c"]]),
    (#"curl "bearer $(fanfare token)" '$x'"#, [["curl", "bearer $(fanfare token)", "$x"]]),
    ("", []),
    (#"export A=1 B="$(date | tr a b)" && curl "$B$A""#, [["curl", "$(date | tr a b)1"]]),
  ]

  @Test("is split as a shell does, without running anything", arguments: words)
  func split(_ row: (text: String, words: [[String]])) throws {
    #expect(try ShellWords(row.text).commands == row.words)
  }

  @Test(
    "that ends within a quote is refused",
    arguments: ["'a", "\"a", "$'a", "$'", "$'a\\", "${A", "\"a\\"])
  func open(_ text: String) {
    expectFailure("ends within a quote or brace") { try ShellWords(text) }
  }

  @Test("that has bytes for text is refused")
  func bytes() {
    expectFailure("has an escape that is not read") { try ShellWords("$'\\303\\274'") }
  }

  /// As the Push Notifications Console prints it.
  static let console = """
    curl -v \\
      --header "apns-topic: com.example.shop" \\
      --header "apns-push-type: alert" \\
      --header "apns-priority: 10" \\
      --header "apns-expiration: 0" \\
      --header "authorization: bearer $AUTHENTICATION_TOKEN" \\
      --data '{"aps":{"alert":{"title":"It'\\''s ready"}},"id":1.50}' \\
      --http2  https://api.sandbox.push.apple.com/3/device/${DEVICE_TOKEN}
    """

  @Test("of the console becomes a scenario that loads, with all but the secrets")
  func console() throws {
    let scenario = try scenario(Self.console)
    #expect(scenario.settings.bundleID?.value == "com.example.shop")
    #expect(scenario.settings.environment?.value == .named(.sandbox))
    let step = scenario.steps[0]
    #expect(step.recipients.isEmpty)
    #expect(step.payload?.json?["aps"]?["alert"]?["title"] == "It's ready")
    #expect(step.payload?.json?["id"]?.number?.text == "1.50")
    let fields = step.fields.map { "\($0.name): \($0.value)" }
    #expect(fields == ["apns-push-type: alert", "apns-priority: 10", "apns-expiration: 0"])
    let push = try CurlPush(Self.console)
    #expect(push.notes.contains { $0.contains("--to TOKEN") })
    #expect(push.notes.contains { $0.contains("authorization") })
    #expect(!push.scenario(at: "x").contains("AUTHENTICATION"))
  }

  static let secrets = [
    "-H 'authorization: bearer SECRET'", "--cert push.pem:SECRET", "-Epush.pem:SECRET",
    "-u me:SECRET", "--pass SECRET", "--oauth2-bearer SECRET", "-H 'cookie: SECRET'",
    "-x http://me:SECRET@proxy", "-b SECRET",
  ]

  @Test("leaves no secret anywhere, and says what is left out", arguments: secrets)
  func secret(_ option: String) throws {
    let url = "https://api.push.apple.com/3/device/\(Self.token)"
    let push = try CurlPush("curl -sS \(option) -XPOST -d '{\"aps\":{}}' \(url)")
    #expect(!push.scenario(at: "x").contains("SECRET"))
    #expect(push.notes.allSatisfy { !$0.contains("SECRET") })
    #expect(push.notes.count == 2 && push.environment == .production)
  }

  static let places: [(url: String, environment: PushEnvironment?, says: String)] = [
    ("https://api.push.apple.com/3/device/\(token)", .production, token),
    ("api.development.push.apple.com:443/3/device/\(token)", .sandbox, token),
    ("https://api.push.apple.com:2197/3/device/\(token)", .production, "production"),
    (
      "https://127.0.0.1:8443/3/device/\(token)",
      .server(ServerAddress(host: "127.0.0.1", port: 8443)), "server: \"https://127.0.0.1:8443\""
    ),
    ("https://${HOST}/3/device/\(token)", nil, "// environment:"),
  ]

  @Test("names the environment and the device token by its URL", arguments: places)
  func place(_ row: (url: String, environment: PushEnvironment?, says: String)) throws {
    let text = "curl -d '{\"aps\":{\"alert\":\"Hi\"}}' \"\(row.url)\""
    let push = try CurlPush(text)
    #expect(push.environment == row.environment)
    #expect(push.scenario(at: "x").contains(row.says))
    #expect(push.notes.contains { $0.contains("--port 2197") } == row.url.contains("2197"))
    _ = try scenario(text)
  }

  static let topics: [(topic: String, type: String, says: String)] = [
    ("com.example.app.voip", "voip", #"bundleID: "com.example.app","#),
    ("com.example.app", "voip", #"topic: "com.example.app","#),
    ("com.apple.mgmt.External.1", "mdm", #"topic: "com.apple.mgmt.External.1","#),
    ("com.example.app", "brand-new", #"topic: "com.example.app","#),
  ]

  @Test("has the bundle ID without what the push type adds, or the topic", arguments: topics)
  func topic(_ row: (topic: String, type: String, says: String)) throws {
    let text = """
      curl -H 'apns-topic: \(row.topic)' -H 'apns-push-type:\(row.type)' -H 'apns-new: 1' \
      -H 'apns-id: x' --data-raw '{"a":1}' https://api.push.apple.com/3/device/\(Self.token)
      """
    #expect(try CurlPush(text).scenario(at: "x").contains(row.says))
    let fields = try scenario(text).steps[0].fields
    #expect(fields.contains { $0.name == "apns-new" } && !fields.contains { $0.name == "apns-id" })
  }

  static let broadcast = """
    curl -v --header "apns-channel-id: \(sampleChannel)" --header "apns-push-type: Liveactivity" \\
      --header "apns-request-id: 1f0e2d3c-4b5a-4978-8695-a4b3c2d1e0f0" \\
      --header "apns-expiration: 0" --header "apns-priority: 5" \\
      --data '{"aps":{"event":"update","timestamp":1,"content-state":{"home":1}}}' \\
      --http2 https://HOST/4/broadcasts/apps/com.example.shop
    """

  @Test(
    "to a channel names channel, app and environment",
    arguments: ["api.push.apple.com", "api-broadcast.push.apple.com:443"])
  func channel(_ host: String) throws {
    let push = try CurlPush(Self.broadcast.replacing("HOST", with: host))
    #expect(push.environment == .production && push.token == nil)
    let text = push.scenario(at: "x")
    #expect(text.contains("channel: \"\(sampleChannel)\","))
    #expect(text.contains(#"bundleID: "com.example.shop","#) && !text.contains("recipients"))
    #expect(!text.contains("apns-channel-id") && !text.contains("1f0e2d3c"))
    #expect(push.notes.contains { $0.contains("apns-request-id was left out") })
    let says = push.notes.contains { $0.contains("--broadcast-host api-broadcast.push.apple.com") }
    #expect(says == host.hasPrefix("api-b"))
  }

  @Test("to a channel that a variable holds leaves a place for it")
  func unknownChannel() throws {
    let push = try CurlPush(Self.broadcast.replacing(sampleChannel, with: "$CHANNEL"))
    #expect(push.scenario(at: "x").contains("// channel: \"ID\","))
    #expect(push.notes.contains { $0.contains("--channel ID") })
  }

  static let refusals: [(text: String, says: String)] = [
    ("", "There is no curl command in it."), ("wget x", "There is no curl command in it."),
    ("curl https://api.push.apple.com/3/device/0a", "has no payload"),
    ("curl -d '{}' https://example.com", "has no URL of a push"),
    ("curl -d '[]' https://a.b/3/device/0a", "is an array, not an object"),
    ("curl -d '{' https://a.b/3/device/0a", "Unexpected end of text"),
    ("curl -d @- https://a.b/3/device/0a", "reads its body from standard input"),
    (
      "curl -d @/nonexistent https://a.b/3/device/0a",
      "The payload file /nonexistent does not exist."
    ),
    ("curl -d '{}' https://a.b/4/broadcasts/apps/x", "does not say to which"),
  ]

  @Test("that is no push is refused", arguments: refusals)
  func refusal(_ row: (text: String, says: String)) {
    expectFailure(row.says) { try CurlPush(row.text) }
  }

  @Test("becomes strict JSON in a file that is called so, which check takes for a scenario")
  func strict() throws {
    try withTemporaryFolder { folder in
      let words = ["--from-curl", try folder.write("push.sh", Self.console), "--output"]
      let path = folder.file("push.json")
      #expect(try InitCommand.parse(words + [path]).run(context()).exitCode == .success)
      let json = try JSONReader().read(folder.text("push.json"))
      #expect(json["notification"]?["payload"]?["id"]?.number?.text == "1.50")
      let scenario = try readScenario(path, context())
      #expect(scenario.settings.environment?.value == .named(.sandbox))
      let checked = try Check([path], Settings(), context()).checkedFiles()
      #expect(checked.map(\.kind) == [.scenario] && checked.flatMap(\.problems).isEmpty)
    }
  }

  @Test("that is not there is told before an output that is")
  func missing() throws {
    try withFile("s.json5", "") { path in
      let words = ["--from-curl", "/nonexistent/push.sh", "--output", path]
      let failure = #expect(throws: Failure.self) { try InitCommand.parse(words).run(context()) }
      #expect(failure?.sentence.contains("/nonexistent/push.sh") ?? false)
    }
  }

  @Test("goes neither with the answers of a project, nor over a file that is there")
  func contradictions() throws {
    try withTemporaryFolder { folder in
      let file = try folder.write("push.sh", Self.console)
      let words = ["--from-curl", file, "--output", file]
      let refused = [
        (words, "already exists; nothing was written"),
        (words + ["--key", "x"], "'--from-curl' and '--key' cannot"),
        (words + ["--env", "sandbox"], "'--from-curl' and '--env' cannot"),
        (["--output", file], "'--from-curl' is required."),
      ]
      for (words, says) in refused {
        expectFailure(says) { try InitCommand.parse(words).run(context()) }
      }
      #expect(try folder.text("push.sh") == Self.console)
    }
  }

  private func scenario(_ text: String) throws -> Scenario {
    try withFile("curl.json5", try CurlPush(text).scenario(at: "x")) {
      try readScenario($0, context())
    }
  }
}
