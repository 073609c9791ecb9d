import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare run")
struct ScenarioTests {
  static let hello = """
    // A comment, as JSON5 allows.
    {
      name: "Hello",
      bundleID: "com.example.scenario",
      environment: "emulator",
      recipients: ["\(device("0a1b2c3d4e5f"))", "../tokens/beta.txt"],
      notification: {type: "alert", priority: 5, payload: "../payloads/hello.json"},
    }
    """

  @Test("sends what a scenario says, with paths relative to its file")
  func plain() throws {
    let result = try withScenario { try $0.run(["run", "scenarios/hello.json5", "--json"]) }
    #expect(result.exitCode == 0)
    #expect(result.errors == "Hello\n")
    let summary = try JSON(text: result.output)
    expectSum(of: summary)
    #expect(summary["accepted"] == 3 && summary["environment"] == "emulator")
  }

  @Test("lets options override what it says")
  func overrides() throws {
    let result = try withScenario {
      try $0.run(
        [
          "run", "scenarios/hello.json5", "--dry-run", "--json", "--to", device("0a1c"), "--title",
          "Other",
        ]
          + ["--bundle-id", "com.example.other"])
    }
    let request = try JSON(text: result.output)
    #expect(request["headers"]?["apns-topic"] == "com.example.other")
    #expect(request["headers"]?["apns-priority"] == "5")
    #expect(request["payload"]?["aps"]?["alert"] == ["title": "Other", "body": "Welcome"])
    #expect(request["url"]?.string?.hasSuffix("/3/device/\(deviceTail("0a1c"))") == true)
  }

  @Test("sends to the server that an option names")
  func otherServer() throws {
    try withScenario { fanfare in
      let server = try Server(fanfare)
      let words = ["run", "scenarios/hello.json5", "--json"] + server.place + credentials
      #expect(try JSON(text: fanfare.run(words).output)["accepted"] == 3)
      #expect(server.emulator.requestCount == 3)
    }
  }

  @Test("signs in with the key of the scenario")
  func key() throws {
    try withScenario { fanfare in
      let server = try Server(fanfare)
      try fanfare.folder.write(
        "scenarios/server.json5",
        """
        {bundleID: "a.b", environment: {server: "\(server.emulator.url)", ca: "../ca.pem"},
         credentials: {key: "../\(keyFile)", teamID: "DEF123GHIJ"}, recipients: ["\(device("0a1b"))"],
         notification: {payload: {aps: {alert: "Hi"}}}}
        """)
      let result = try fanfare.run(["run", "scenarios/server.json5"])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(server.emulator.requestCount == 1)
    }
  }

  @Test("runs several, and exits with what tells most")
  func several() throws {
    try withScenario { fanfare in
      try fanfare.folder.write("tokens/beta.txt", "\(device("0a1c"))\nbad\n")
      try fanfare.folder.write("scenarios/good.json5", ScenarioText.good("A"))
      let words = ["run", "scenarios/hello.json5", "scenarios/good.json5", "--json"]
      let result = try fanfare.run(words)
      #expect(result.exitCode == 1)
      let accepted = try result.output.split(separator: "\n").map { try JSON(text: $0)["accepted"] }
      #expect(accepted == [2, 1])
    }
  }

  @Test("sends nothing when one of several is broken")
  func brokenAmongSeveral() throws {
    try withScenario { fanfare in
      try fanfare.folder.write("broken.json5", "{")
      let words = ["run", "scenarios/hello.json5", "broken.json5", "--json"]
      let result = try fanfare.run(words)
      #expect(result.exitCode == 2 && result.errors.contains("broken.json5:1:2: "))
      let lines = try result.output.split(separator: "\n").map { try JSON(text: $0) }
      #expect(lines.contains { $0["error"] != nil } && lines.allSatisfy { $0["passed"] == false })
    }
  }

  static let broken: [(text: String, says: [String])] = [
    (
      "{bundleId: \"a.b\",\n  notification: {payload: {aps: {}}, prority: 5}}",
      [
        "s.json5:1:2: bundleId: error: ", "Did you mean 'bundleID'?",
        "s.json5:2:38: notification.prority: error: ", "Did you mean 'priority'?",
      ]
    ),
    (
      "{environment: 7,\n recipients: \"\(device("0a1b"))\",\n credentials: {keyID: 1}}",
      [
        "s.json5:1:15: environment: ", "s.json5:2:14: recipients: ", "credentials.key: ",
        "'notification' is missing",
      ]
    ),
    ("[1]", ["s.json5:1:1: ", "not an object"]),
    ("{name: 'x' name: 'y'}", ["s.json5:1:12: "]),
    (
      "{environment: {server: 'http://a.example'}, notification: {payload: 'none.json'}}",
      ["s.json5:1:24: environment.server", "https://HOST", "s.json5:1:69: notification.payload"]
    ),
  ]

  @Test(
    "tells all that is wrong with a file at once, each with line, column and fix",
    arguments: broken)
  func problems(_ row: (text: String, says: [String])) throws {
    let result = try withFanfare { fanfare in
      try fanfare.folder.write("s.json5", row.text)
      return try fanfare.run(["run", "s.json5"])
    }
    #expect(result.exitCode == 2 && result.output == "")
    for text in row.says { #expect(result.errors.contains(text), "\(result.errors)") }
  }

  @Test("names a scenario that cannot be read", arguments: ["none.json5", "scenarios/none.json5"])
  func missing(_ name: String) throws {
    let result = try withScenario { try $0.run(["run", name]) }
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("The scenario file \(name) "))
  }

  private func withScenario<Result>(_ body: (Fanfare) throws -> Result) throws -> Result {
    try withFanfare { fanfare in
      for name in ["scenarios", "tokens", "payloads"] {
        try FileManager.default.createDirectory(
          atPath: fanfare.folder.file(name), withIntermediateDirectories: false)
      }
      try fanfare.folder.write("scenarios/hello.json5", Self.hello)
      try fanfare.folder.write("tokens/beta.txt", "\(device("0a1c"))\n\(device("0a1d"))\n")
      try fanfare.folder.write(
        "payloads/hello.json", #"{"aps": {"alert": {"title": "Hello", "body": "Welcome"}}}"#)
      return try body(fanfare)
    }
  }
}

@Suite("fanfare run with several scenarios")
struct SeveralScenariosTests {
  private func scenario(_ name: String, _ payload: String, _ token: String) -> String {
    """
    {name: "\(name)", bundleID: "com.example.app", environment: "emulator",
     recipients: ["\(token)"], notification: {payload: \(payload)}}
    """
  }

  @Test("puts the results of all of them into one file, each under its own list")
  func results() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("a.json5", scenario("A", "{aps: {alert: 'a'}}", device("0a1b")))
      try fanfare.folder.write("b.json5", scenario("B", "{aps: {alert: 'b'}}", device("0a1c")))
      let result = try fanfare.run(["run", "a.json5", "b.json5", "--results", "all.csv"])
      #expect(result.exitCode == 0)
      let path = fanfare.folder.file("all.csv")
      let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\r\n")
      #expect(rows.count == 3)
      #expect(rows[0].hasPrefix("sequence,list,"))
      #expect(rows[1].hasPrefix("1,a.json5: recipients[0],1,\(device("0a1b")),"))
      #expect(rows[2].hasPrefix("1,b.json5: recipients[0],1,\(device("0a1c")),"))
    }
  }

  @Test("does not let two of them read standard input")
  func input() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("a.json5", scenario("A", "{aps: {alert: 'a'}}", device("0a1b")))
      let result = try fanfare.run(["run", "a.json5", "a.json5", "--tokens", "-"])
      #expect(result.exitCode == 2)
      #expect(
        result.errors.contains("'--tokens -' can be read only once, so not by several scenarios."))
      let from = try fanfare.run(["run", "a.json5", "a.json5", "--from", "1"])
      #expect(from.errors.contains("'--from' works with a single scenario only."))
      let both = try fanfare.run(["run", "-", "--tokens", "-"])
      #expect(both.exitCode == 2)
      #expect(both.errors.contains("'scenario -' and '--tokens -' cannot be used together."))
    }
  }
}
