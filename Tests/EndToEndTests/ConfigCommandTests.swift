import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare config")
struct ConfigCommandTests {
  private static let project = """
    {
      default: "staging",
      profiles: {
        staging: {
          bundleID: "com.example.app",
          environment: "sandbox",
          credentials: {
            key: {env: "STAGING_KEY"}, keyID: "ABC123DEFG", teamID: "DEF123GHIJ",
            passwordFile: "password",
          },
          rate: "500/s",
        },
        loop: {credentials: {profile: "nobody"}},
      },
    }
    """

  private func show(
    _ words: [String] = [], _ environment: [String: String] = [:],
    _ prepare: (Fanfare) throws -> Void = { _ in }
  ) throws -> Program.Result {
    try withFanfare { fanfare in
      try fanfare.folder.write("fanfare.json", Self.project)
      try prepare(fanfare)
      return try fanfare.run(["config", "show"] + words, environment: environment)
    }
  }

  private func setting(_ name: String, of result: Program.Result) throws -> [String?] {
    let setting = try JSON(text: result.output)["settings"]?[name]
    return [setting?["value"]?.string, setting?["origin"]?.string]
  }

  @Test("tells each setting and where it comes from")
  func settings() throws {
    let result = try show(
      ["--json", "--timeout", "5s", "--no-token-cache"], ["FANFARE_BUNDLE_ID": "a.variable"])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try setting("profile", of: result) == ["staging", "fanfare.json:2:12"])
    #expect(try setting("bundleID", of: result) == ["a.variable", "FANFARE_BUNDLE_ID"])
    #expect(try setting("environment", of: result) == ["sandbox", "fanfare.json:6:7"])
    #expect(try setting("timeout", of: result) == ["5s", "--timeout"])
    #expect(try setting("rate", of: result) == ["500/s", "fanfare.json:11:7"])
    #expect(try setting("tokenCache", of: result) == ["off", "--no-token-cache"])
    #expect(try setting("retries", of: result) == ["0", nil])
    #expect(try setting("keyID", of: result) == ["ABC123DEFG", "fanfare.json:8:36"])
    #expect(try setting("passwordFile", of: result) == ["password", "fanfare.json:9:9"])
    let files = try JSON(text: result.output)["files"]?.array
    #expect(files?.map { $0["isThere"] } == [true, false])
  }

  @Test("shows a table to people")
  func table() throws {
    let lines = try show().output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("setting ") == true)
    #expect(lines.contains { $0.hasPrefix("environment   sandbox") && $0.hasSuffix(":6:7") })
    #expect(lines.contains { $0.hasPrefix("timeout ") && $0.hasSuffix("default") })
    #expect(lines.last?.hasPrefix("files: fanfare.json, /") == true)
  }

  static let secrets: [(words: [String], variables: [String: String], value: String)] = [
    ([], [:], "STAGING_KEY is not set"),
    ([], ["STAGING_KEY": "-----BEGIN PRIVATE KEY-----\\nsesame"], "STAGING_KEY is set"),
    ([], ["STAGING_KEY": "sesame"], "STAGING_KEY is set"),
    ([], ["STAGING_KEY": "\(keyFile)"], keyFile),
    ([], ["FANFARE_KEY": "-----BEGIN PRIVATE KEY-----\\nsesame"], "FANFARE_KEY is set"),
    (["--key", keyFile], [:], keyFile),
    (["--key", "c2VzYW1lc2VzYW1lc2VzYW1l"], [:], "(hidden, as it may be the key itself)"),
  ]

  @Test("never shows what a secret is", arguments: secrets)
  func secret(_ row: (words: [String], variables: [String: String], value: String)) throws {
    let password = ["FANFARE_KEY_PASSWORD": "sesame"]
    let result = try show(row.words + ["--json"], row.variables.merging(password) { $1 })
    #expect(try setting("key", of: result)[0] == row.value)
    #expect(!result.output.contains("sesame") && !result.output.contains("c2VzYW1l"))
    let isOwn = row.variables["STAGING_KEY"] != nil || row == ([], [:], row.value)
    #expect(try setting("password", of: result)[0] == (isOwn ? nil : "set"))
  }

  static let ids: [(id: String, shown: String)] = [
    ("ABC123DEFG", "ABC123DEFG"), ("abc123defg", "invalid (10 characters, ends in defg)"),
    ("sesame", "invalid (6 characters)"),
    ("c2VzYW1lc2VzYW1lc2VzYW1l", "invalid (24 characters, ends in YW1l)"),
    ("PRIVATE KEY\nsesame\n\u{1b}", "invalid (20 characters, ends in me\\u{a}\\u{1b})"),
  ]

  @Test("shows no key where an ID was expected", arguments: ids)
  func identifier(_ row: (id: String, shown: String)) throws {
    for result in [
      try show(["--json", "--key", keyFile, "--key-id", row.id, "--team-id", row.id]),
      try show(
        ["--json"],
        ["FANFARE_KEY": keyFile, "FANFARE_KEY_ID": row.id, "FANFARE_TEAM_ID": row.id]),
    ] {
      #expect(try setting("keyID", of: result)[0] == row.shown)
      #expect(try setting("teamID", of: result)[0] == row.shown)
      #expect(!result.output.contains("sesame") && !result.output.contains("c2VzYW1l"))
    }
  }

  @Test("runs no command, and shows none of its words")
  func command() throws {
    let result = try show(["--profile", "mine", "--json"]) { fanfare in
      try fanfare.folder.makeFolder(".config/fanfare")
      try fanfare.folder.writeSecret(
        ".config/fanfare/config.json",
        "{profiles: {mine: {credentials: {key: {command: ['touch', 'sesame']}}}}}")
    }
    #expect(try setting("key", of: result).first == "printed by a command, which is not run here")
    #expect(!result.output.contains("sesame"))
  }

  @Test("shows what holds for a scenario")
  func scenario() throws {
    let result = try show(["s.json5", "--json"]) { fanfare in
      try fanfare.folder.write(
        "s.json5",
        "{bundleID: 'a.b', variables: {n: 1}, notification: {payload: {aps: {}}}}")
    }
    #expect(try setting("bundleID", of: result) == ["a.b", "s.json5:1:12"])
    #expect(try setting("variables.n", of: result) == ["1", "s.json5"])
  }

  static let checks: [(text: String, code: Int32, says: [String])] = [
    ("{}", 0, ["1 configuration: no problems"]),
    (project, 0, ["10:", "warning: There is no profile 'nobody'."]),
    (
      "{default: 'b', profiles: {a: {port: 'x', rte: 1}}}", 2,
      ["fanfare.json:1:37: profiles.a.port", "profiles.a.rte", "Did you mean 'rate'?"]
    ),
    (
      "{default: 'stagin', profiles: {staging: {}}}", 2,
      ["fanfare.json:1:11: default: error: There is no profile 'stagin'", "'staging'"]
    ),
    (
      "{profiles: {a: {credentials: {key: 'AuthKey_ABC123DEFG.p8', teamID: 'short'}}}}", 2,
      ["profiles.a.credentials.teamID: not a team ID"]
    ),
    ("{,}", 2, ["fanfare.json:1:2: "]),
  ]

  @Test("is what check looks at in fanfare.json, without opening a key", arguments: checks)
  func check(_ row: (text: String, code: Int32, says: [String])) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("fanfare.json", row.text)
      for words in [["fanfare.json"], ["."]] {
        let result = try fanfare.run(["check"] + words)
        #expect(result.exitCode == row.code, "\(result)")
        for text in row.says.filter({ $0 != "10:" }) {
          #expect(result.output.contains(text), "\(result.output)")
        }
      }
    }
  }

  @Test("that is broken does not keep check from other files, and is told once")
  func brokenBeside() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("fanfare.json", "{profiles: {a: {port: 'x'}}}")
      try fanfare.folder.write("p.json", #"{"aps": {"alert": "Hi"}, "name": {}}"#)
      try fanfare.folder.write(
        "s.json5", "{profile: 'a', credentials: {profile: 'a'}, notification: {payload: 'p.json'}}")
      let result = try fanfare.run(["check", "p.json", "s.json5", "--json"])
      #expect(result.exitCode == 2)
      let files = try JSON(text: result.output)["files"]?.array
      #expect(files?.map { $0["file"]?.string } == ["p.json", "s.json5", "fanfare.json"])
      #expect(files?.last?["kind"] == "configuration")
      #expect(try JSON(text: result.output)["errors"] == 1)
    }
  }

  @Test("prints the schemas")
  func schemas() throws {
    let result = try withFanfare { try $0.run(["config", "schema", "config"]) }
    #expect(try JSON(text: result.output)["title"] == "The profiles of fanfare")
  }
}
