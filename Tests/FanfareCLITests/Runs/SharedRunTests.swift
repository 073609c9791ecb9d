import APNS
import CommandLineKit
import Foundation
import JSONText
import PushModel
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Runs
@testable import Settings

@Suite("What a run keeps in a history that others can write to")
struct SharedRunTests {
  private static let history = "postgresql://db.example.com/push"

  /// The settings of a command that takes up a run.
  private func settings(
    _ stored: String, below words: [String] = [], in history: String = history,
    _ context: Context = context()
  ) throws -> Settings {
    let text = #"{"settings": \#(stored), "folder": "/", "recipients": [], "suppressed": []}"#
    let run = try #require(RunNumber(rawValue: 12))
    let inputs = try #require(RunInputs(json: text, from: .run(run, in: history)))
    let options = try SendCommand.parse(words).options
    return try options.merged(over: inputs.settings.below(options), context)
  }

  static let places: [(stored: String, deeds: [String])] = [
    (
      #"{"environment": "https://evil.example", "ca": "/evil.pem", "proxy": "http://e.example:1"}"#,
      [
        "sends your credentials to https://evil.example",
        "connects through the proxy http://e.example:1",
        "trusts the certificates in /evil.pem",
      ]
    ),
    (#"{"server": "https://evil.example"}"#, ["sends your credentials to https://evil.example"]),
    (
      #"{"environment": "sandbox", "serverCA": "/evil.pem"}"#,
      ["trusts the certificates in /evil.pem"]
    ),
    (
      #"{"environment": "sandbox", "channel": "c", "broadcastHost": "evil.example:1"}"#,
      ["sends your credentials to https://evil.example:1"]
    ),
    (
      #"""
      {"environment": "https://127.0.0.1:1", "ca": "/evil.pem", "channel": "c",
       "broadcastHost": "evil.example"}
      """#,
      ["sends your credentials to https://evil.example", "trusts the certificates in /evil.pem"]
    ),
    (#"{"environment": "https://127.0.0.1:1", "ca": "/ca.pem"}"#, []),
    (#"{"environment": "https://api.push.apple.com:2197"}"#, []),
    (#"{"environment": "production", "port": 2197, "key": "/k.p8", "keyID": "ABC123DEFG"}"#, []),
    (#"{"environment": "emulator"}"#, []),
  ]

  @Test(
    "says nothing of where to send unasked, unless it is a history of one's own", arguments: places)
  func asked(_ row: (stored: String, deeds: [String])) throws {
    let shared = ProjectTrust(try settings(row.stored), context())
    #expect(shared.requests.map(\.deed) == row.deeds)
    for request in shared.requests {
      #expect(request.sentence == "run 12 of the history at \(Self.history) \(request.deed)")
      #expect(request.key == "\(Self.history)\t \(request.deed)")
    }
    let own = ProjectTrust(try settings(row.stored, in: "history.sqlite"), context())
    #expect(own.requests.isEmpty)
  }

  /// A server and what else belongs to it.
  private static let place =
    #"{"environment": "https://push.example", "ca": "/ca.pem", "proxy": "http://p.example:1"}"#

  static let overriding: [(words: [String], variables: [String: String], count: Int)] = [
    ([], [:], 3), (["--env", "sandbox"], [:], 0), (["--server", "https://push.example"], [:], 0),
    (["--ca", "other.pem"], [:], 2), (["--ca", "other.pem", "--proxy", ""], [:], 1),
    ([], ["FANFARE_SERVER": "https://push.example"], 2),
    ([], ["FANFARE_SERVER": "https://other.example", "FANFARE_CA": "/other.pem"], 3),
    ([], ["FANFARE_ENV": "sandbox"], 3),
    (
      [],
      [
        "FANFARE_SERVER": "https://push.example", "FANFARE_CA": "/ca.pem",
        "HTTPS_PROXY": "http://p.example:1",
      ], 0
    ),
  ]

  @Test(
    "is not asked about where an option, or a variable with the same, says it",
    arguments: overriding)
  func overridden(_ row: (words: [String], variables: [String: String], count: Int)) throws {
    let context = context(row.variables)
    let settings = try settings(Self.place, below: row.words, context)
    #expect(ProjectTrust(settings, context).requests.count == row.count)
  }

  @Test("is not asked about where the user's own profile says the same, even if the run names it")
  func ownProfile() throws {
    try withTemporaryFolder { folder in
      try folder.makeFolder(".config/fanfare")
      try folder.write(
        ".config/fanfare/config.json",
        "{profiles: {ours: {environment: {server: 'https://push.example', ca: '/ca.pem'}}}}")
      var context = context()
      context.configuration = Configuration(folder: nil, ["HOME": folder.path])
      for (profile, count) in [(#""profile": "ours", "#, 1), ("", 3)] {
        let stored = "{" + profile + Self.place.dropFirst()
        let settings = try settings(stored, context)
        #expect(ProjectTrust(settings, context).requests.count == count, "\(profile)")
      }
    }
  }

  @Test("is taken for what a run keeps, in every history", arguments: [history, "history.sqlite"])
  func unkept(_ history: String) throws {
    let stored = """
      {"results": "/etc/passwd", "deadTokens": 7, "template": "x", "history": "evil.sqlite",
       "yes": true, "force": true, "trustProject": true, "tlsKeyLog": true, "dryRun": true,
       "quiet": true, "strict": true, "showTokens": true, "credentialsOwner": "x", "apnsID": "x",
       "environment": "sandbox", "title": "Hi"}
      """
    let settings = try settings(stored, in: history)
    #expect(settings.environment?.value == .named(.sandbox))
    #expect(settings.changes["title"]?.value == "Hi")
    let said = Settings.fields.filter { $0.setting(settings)?.origin.isStored ?? false }
    #expect(said.map(\.name) == ["environment", "title"])
  }

  @Test("holds no command: a run with one is damaged", arguments: ["key", "cert", "passwordFile"])
  func commands(_ name: String) {
    let text = """
      {"settings": {"\(name)": {"command": ["touch", "here"]}}, "folder": "/", "recipients": [],
       "suppressed": []}
      """
    #expect(RunInputs(json: text, from: .storedRun) == nil)
  }
}
