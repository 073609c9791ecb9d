import APNS
import CommandLineKit
import JSONText
import PushModel
import Recipients
import Reporting
internal import Runs
import Settings
import TestSupport
import Testing

@testable import FanfareCLI

@Suite("Settings")
struct SettingsTests {
  @Test("have a row in the table for each property, each with a name of its own")
  func complete() {
    // Options that change the payload share a property.
    let properties = Mirror(reflecting: Settings()).children.count - 1
    #expect(Settings.fields.count == properties + PayloadOption.table.count)
    #expect(Set(Settings.fields.map(\.name)).count == Settings.fields.count)
  }

  @Test("are small enough for several of them on a stack of 512 KiB, as threads of macOS have")
  func size() {
    #expect(MemoryLayout<Settings>.size <= 3000)
  }

  /// What a table of options is parsed into, and words without which it is not.
  static let commands:
    [(name: String, about: CommandDescription, parse: @Sendable ([String]) throws -> Settings)] = [
      ("send", SendCommand.describe(at: []), { try SendCommand.parse($0).options }),
      (
        "run", RunCommand.describe(at: []),
        { try RunCommand.parse(["s.json5"] + $0).options }
      ),
      ("resume", ResumeCommand.describe(at: []), { try ResumeCommand.parse($0).options }),
      (
        "history resend", HistoryResendCommand.describe(at: []),
        { try HistoryResendCommand.parse(["1"] + $0).resend.options }
      ),
    ]

  /// Options that are no settings: they choose what a command works on.
  static let others: [String: Set<String>] = [
    "send": ["--again"],
    "run": [
      "--list", "--only", "--from", "--parallel", "--script", "--junit", "--tap", "--markdown",
    ],
    "resume": ["--now", "--force"],
    "history resend": ["--only", "--reason", "--limit", "--include-resent", "--expiration"],
  ]

  private static let samples = [
    "--badge": "3", "--relevance-score": "0.5", "--data": "k=1", "--var": "n=Ada",
    "--header": "apns-new:x", "--to": "0a1b2c3d", "--limit": "5", "--shard": "1/2",
    "--server": "https://a.example:1", "--port": "2197", "--connections": "2", "--timeout": "5s",
    "--max-time": "10m",
    "--rate": "5/s", "--retries": "1", "--retry-delay": "1m", "--set": "aps.badge:=1",
    "--content-state": #"{"a":1}"#, "--attributes": "{}", "--stale-date": "1h",
    "--dismissal-date": "2026-11-22", "--critical": "0.5", "--yes": "0123456789abcdef",
  ]

  @Test("hold every option of every command that sends, and keep what is to be repeated")
  func options() throws {
    for (name, about, parse) in Self.commands {
      let rows = about.groups.flatMap(\.parameters)
        .filter { $0.kind != .argument && $0.name != "help" }
      for row in rows where !(Self.others[name]?.contains(row.label) ?? false) {
        let word = Self.samples[row.label] ?? row.choices.first ?? "sample"
        let words = row.isValueOptional ? ["\(row.label)=\(word)"] : [row.label, word]
        let settings = try parse(row.kind == .option ? words : [row.label])
        try expectKept(settings, "\(name) \(row.label)")
      }
    }
  }

  @Test(
    "keep a payload that is on the command line, in the form it was given",
    arguments: [
      ["--payload", #"{"aps":{"alert":"Hi"}}"#], ["--payload", "{broken"],
      ["--example", "alert/plain"],
      ["--critical"], ["--loc-args", "a", "--loc-args", #"["b","c"]"#],
      ["--set", "a=1", "--set", #"b\.c:=[1, 2]"#, "--set", "d:="],
    ])
  func inline(_ words: [String]) throws {
    let settings = try SendCommand.parse(words).options
    let stored = try stored(settings)
    #expect(stored.payloadText?.value == settings.payloadText?.value)
    #expect(stored.example?.value == settings.example?.value)
    #expect(stored.changes.mapValues(\.value) == settings.changes.mapValues(\.value))
    #expect(stored.payload == nil && stored != Settings())
  }

  @Test("of a payload come whole from one layer, and so do a text and its localization")
  func onePayload() throws {
    let lower = try SendCommand.parse(["--payload", "{}", "--title", "a", "--loc-key", "k"]).options
    let upper = try SendCommand.parse(
      ["--payload", "@p.json", "--title-loc-key", "T", "--body", "b"]
    ).options
    let merged = upper.over(lower)
    #expect(merged.payload?.value == "p.json" && merged.payloadText == nil)
    #expect(Set(merged.changes.keys) == ["titleLocKey", "body"])
    let other = try SendCommand.parse(["--example", "order"]).options.over(upper)
    #expect(other.example != nil && other.payload == nil)
    #expect(other.changes["body"]?.value == "b")
  }

  /// Expects that exactly one setting was said, and that it is kept as its row in the table says.
  private func expectKept(_ settings: Settings, _ option: String) throws {
    let said = Settings.fields.filter { $0.setting(settings) != nil }
    #expect(said.count == 1, "\(option) says nothing, or more than one thing")
    guard let field = said.first else { return }
    let stored = try stored(settings)
    let isKept = [.repeated, .repeatedIfOption].contains(field.keeping)
    let value = field.setting(settings)?.value.json
    #expect(field.setting(stored)?.value.json == (isKept ? value : nil), "\(option)")
  }

  /// The same settings after they were stored.
  private func stored(_ settings: Settings) throws -> Settings {
    let text = settings.kept.encodedString(.compact)
    return try #require(Settings(json: try JSONReader().read(Array(text.utf8))) { $0 })
  }

  @Test("never keep what was a risk to take, nor what holds for one command")
  func notKept() throws {
    let words = [
      "--force", "--yes", "--apns-id", "x", "--results", "r.csv", "--quiet", "--tls-key-log",
      "--no-history",
    ]
    #expect(try stored(SendCommand.parse(words).options) == Settings())
  }

  @Test("keep no proxy that a variable or profile names, and no command that prints a secret")
  func secrets() throws {
    var settings = Settings()
    settings.proxy = Setting("http://ada:lovelace@p", .setting("HTTPS_PROXY"))
    settings.key = Setting(.command(["pass", "key"]), .file("config.json"))
    #expect(settings.kept == .init(.object(JSONObject())))
  }

  @Test("have paths that count from where the command was given")
  func paths() throws {
    let words = ["--key", "a.p8", "--ca", "/ca.pem", "--tokens", "-", "--suppress", "no.txt"]
    let json = try SendCommand.parse(words).options.kept
    let settings = try #require(
      Settings(json: json) { $0.hasPrefix("/") || $0 == "-" ? $0 : "/lists/" + $0 })
    #expect(settings.key?.value == .file("/lists/a.p8") && settings.ca?.value == "/ca.pem")
    #expect(settings.tokens?.value == ["-"] && settings.suppress?.value == ["/lists/no.txt"])
  }

  @Test("that this version does not know are none", arguments: [#"{"news":1}"#, #"{"port":"x"}"#])
  func unknown(_ text: String) throws {
    #expect(Settings(json: try JSONReader().read(text)) { $0 } == nil)
  }

  static let counts: [(stored: String, count: ConnectionCount)] = [
    (#"{"connections":4}"#, .fixed(4)), (#"{"connections":"4"}"#, .fixed(4)),
    (#"{"connections":"auto"}"#, .auto), (#"{"rate":"5/s"}"#, .auto),
  ]

  @Test("of runs say how many connections as each version wrote it", arguments: counts)
  func connections(_ row: (stored: String, count: ConnectionCount)) throws {
    let run = try #require(Settings(json: try JSONReader().read(row.stored)) { $0 })
    #expect(Settings().over(run).over(.builtIn).connections?.value == row.count)
    let options = try SendCommand.parse(["--connections", "2"]).options
    #expect(options.over(run.below(options)).connections?.value == .fixed(2))
    #expect(try stored(run).connections?.value == run.connections?.value)
  }

  @Test(
    "with a number of connections that no option takes are none",
    arguments: ["0", "65", "1.5", "\"all\"", "true"])
  func damaged(_ count: String) throws {
    #expect(Settings(json: try JSONReader().read("{\"connections\":\(count)}")) { $0 } == nil)
  }

  @Test("take from a lower layer what they leave out, and credentials whole")
  func merging() throws {
    let upper = try SendCommand.parse(
      ["--key", "a.p8", "--rate", "5/s", "--priority", "5", "--bundle-id", "a.b"]
    ).options
    let lower = try SendCommand.parse(
      ["--key", "b.p8", "--team-id", "DEF123GHIJ", "--timeout", "9s", "--priority", "10"]
        + ["--type", "voip", "--topic", "c.d.voip"]
    ).options
    let merged = upper.over(lower)
    #expect(merged.key?.value == .file("a.p8") && merged.teamID == nil)
    #expect(merged.rate?.value.text == "5/s" && merged.timeoutMilliseconds == 9000)
    #expect(merged[.priority]?.value == "5" && merged[.pushType]?.value == "voip")
    #expect(merged[.topic] == nil)
  }

  @Test("have a key or a certificate, and not both", arguments: [true, false])
  func twoCredentials(areOptions: Bool) throws {
    let words = areOptions ? ["--key", "a.p8", "--cert", "b.p12"] : []
    let variables = areOptions ? [:] : ["FANFARE_KEY": "a", "FANFARE_CERT": "b"]
    let options = try SendCommand.parse(words).options
    let error = #expect(throws: Failure.self) { try options.merged(context(variables)) }
    let names = areOptions ? ["--key", "--cert"] : ["FANFARE_KEY", "FANFARE_CERT"]
    #expect(names.allSatisfy { error?.sentence.contains($0) ?? false }, "\(error?.sentence ?? "")")
  }

  @Test("of a run give way to a place and credentials that are given anew, each whole")
  func below() throws {
    let run = try SendCommand.parse(
      ["--server", "https://a.b:1", "--ca", "ca.pem", "--proxy", "http://p:1", "--rate", "5/s"]
        + ["--key", "a.p8", "--team-id", "DEF123GHIJ", "--no-token-cache"]
    ).options
    func over(_ words: [String]) throws -> Settings {
      let options = try ResumeCommand.parse(words).options
      return options.over(run.below(options))
    }
    for words in [["--env", "production"], ["--server", "https://c.d:1"]] {
      let elsewhere = try over(words)
      #expect(elsewhere.ca == nil && elsewhere.proxy == nil)
      #expect(elsewhere.server?.value == (words[0] == "--server" ? words[1] : nil))
      #expect(elsewhere.rate != nil && elsewhere.key != nil)
    }
    let trusting = try over(["--ca", "new.pem"])
    #expect(trusting.ca?.value == "new.pem" && trusting.server != nil && trusting.proxy != nil)
    let other = try over(["--cert", "b.p12"])
    #expect(other.key == nil && other.teamID == nil && other.tokenCache == nil)
    #expect(other.proxy != nil)
  }
}
