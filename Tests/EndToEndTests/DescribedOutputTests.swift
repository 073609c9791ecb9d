import APNS
import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing
import Tools

@testable import PushEmulator

@Suite("Every documented JSON output", .needsPostgreSQL, .timeLimit(.minutes(15)))
struct DescribedOutputTests {
  @Test("has the keys that its schema describes and no others, and some run writes each of them")
  func bothWays() throws {
    var samples = OutputSamples()
    try withFanfare { try samples.collectRuns($0) }
    try withFanfare { try samples.collectRows($0) }
    try withFanfare { try samples.collectScenarios($0) }
    try withFanfare { try samples.collectChannels($0) }
    try withFanfare { try samples.collectFiles($0) }
    try withFanfare { try samples.collectEnvironments($0) }
    try withFanfare { try samples.collectUnread($0) }
    try withFanfare { try samples.collectEmulator($0) }
    try samples.collectQueue()
    for format in DescribedFormat.allCases where ![.scenario, .config, .script].contains(format) {
      let schema = JSONSchema(try JSONReader().read(format.schema))
      let values = samples.values[format] ?? []
      for value in values {
        #expect(schema.faults(in: value) == [], "\(format.rawValue): \(value.encodedString())")
      }
      let written = values.reduce(into: Set<String>()) { $0.formUnion(schema.keys(in: $1)) }
      let missing = schema.keys.subtracting(written).filter { !isRare($0, in: format) }.sorted()
      #expect(missing == [], "\(format.rawValue): no run writes these")
    }
  }

  /// Whether a key is written only in what other tests bring about, such as lost workers, or in
  /// outputs that share the fields of others.
  private func isRare(_ key: String, in format: DescribedFormat) -> Bool {
    let rare: [DescribedFormat: [String]] = [
      .summary: ["$.push.skippedFor", "$.changedList"], .inspect: ["$[]|5."],
      .emulator: ["$.manage"],
      .step: ["$.unread|0", "$.asked", "$.cause", "$.push.skippedFor"],
      .work: ["$.unread|0", "$.asked", "$.push.skippedFor"],
      .preview: ["$|0.problems[].", "$|1.steps[].problems[].", "$|1.steps[].liveActivity"],
      .historyShow: ["$|0.summary|0.push.skippedFor", "$|0.queue.resentInDoubt[]"],
      .historyTail: ["$|1.skippedFor", "$|2"],
    ]
    return (rare[format] ?? []).contains(where: key.hasPrefix)
  }
}

/// What real runs print, by format.
private struct OutputSamples {
  private(set) var values: [DescribedFormat: [JSON]] = [:]

  /// Adds a text, or its lines.
  mutating func add(_ format: DescribedFormat, _ text: String) throws {
    let whole = try? JSON(text: text)
    let all = try whole.map { [$0] } ?? text.split(separator: "\n").map { try JSON(text: $0) }
    #expect(!all.isEmpty, "\(format.rawValue): nothing was printed")
    values[format, default: []] += all
  }

  mutating func add(
    _ format: DescribedFormat, _ fanfare: Fanfare, _ words: [String],
    environment: [String: String] = [:]
  ) throws {
    let result = try fanfare.run(words, environment: environment)
    #expect(!result.output.isEmpty, "\(words): \(result.errors)")
    try add(format, result.output)
  }

  /// The last value of a format.
  func last(_ format: DescribedFormat) throws -> JSON { try #require(values[format]?.last) }
}

extension OutputSamples {
  /// Commands after two runs, of which the first has a push that the server refuses.
  static let commands: [(DescribedFormat, [String])] = [
    (.historyList, ["history", "list", "--json"]),
    (.historyPushes, ["history", "list", "1", "--json"]), (.historyPushes, ["history", "export"]),
    (.historyShow, ["history", "show", "--json"]),
    (.historyStats, ["history", "stats", "--json"]),
    (.historyStats, ["history", "stats", "--by", "day", "--json"]),
    (.historyStats, ["history", "stats", "--by", "reason", "--json"]),
    (.historyStats, ["history", "stats", "--by", "topic", "--json"]),
    (.historyStats, ["history", "stats", "--by", "environment", "--json"]),
    (.historyDiff, ["history", "diff", "1", "2", "--json"]),
    (.historyTail, ["history", "tail", "1", "--lines", "3", "--json"]),
    (.report, ["report", "results.jsonl", "--json"]),
    (.configShow, ["config", "show", "--json"]), (.explain, ["explain", "--json"]),
    (.example, ["example", "--json"]), (.example, ["example", "voip/incoming-call", "--json"]),
    (.device, ["device", "add", "my-phone", tokenText(1), "--env", "sandbox", "--json"]),
    (.device, ["device", "add", "my-all", "my-phone", "--json"]),
    (.preview, ["preview", "--title", "Hi", "--data", "id=7", "--json"]),
    (.preview, ["preview", "--example", "liveactivity/start", "--json"]),
    (.doctorSelf, ["doctor", "--self", "--json"]),
    (.historyPrune, ["history", "prune", "--keep", "9", "--dry-run", "--json"]),
    (.historyPrune, ["history", "prune", "--keep", "1", "--json"]),
  ]

  mutating func collectRuns(_ fanfare: Fanfare) throws {
    var configuration = EmulatorConfiguration()
    configuration.answer = { push in
      push.token.number == 2 ? .reject(.unregistered, timestamp: 1_700_000_000_000) : nil
    }
    let server = try Server(fanfare, configuration)
    try fanfare.folder.write("list.txt", tokenList(3))
    let files = ["--results", "results.jsonl", "--dead-tokens", "dead.jsonl"]
    try add(.summary, fanfare, server.words + ["--tokens", "list.txt", "--json"] + files)
    try add(.results, try fanfare.folder.text("results.jsonl"))
    try add(.deadTokens, try fanfare.folder.text("dead.jsonl"))
    try add(.summary, fanfare, server.words + ["--to", tokenText(2), "--json"])
    let long = ["--collapse-id", String(repeating: "x", count: 65)]
    try add(.refusal, fanfare, server.words + ["--to", tokenText(2), "--json"] + long)
    try add(.dryRun, fanfare, server.words + ["--to", tokenText(2), "--json", "--dry-run"])
    try add(.plan, fanfare, server.words + ["--to", tokenText(2), "--json", "--plan"])
    try add(
      .plan, fanfare, ["history", "resend", "1", "--only", "rejected", "--plan", "--json"])
    try add(.doctor, fanfare, ["doctor", "--json"] + server.place + credentials)
    for (format, words) in Self.commands { try add(format, fanfare, words) }
    let id = try #require(try last(.historyPushes)["apnsID"]?.string)
    try add(.historyShow, fanfare, ["history", "show", id, "--json"])
  }

  /// Rows that fill a template: one of them badly, and a list that is gone afterwards.
  mutating func collectRows(_ fanfare: Fanfare) throws {
    let server = try Server(fanfare)
    try fanfare.folder.write("vip.csv", "token;unread\n\(tokenText(1));3\n\(tokenText(2));many\n")
    try fanfare.folder.write(
      "order.json", #"{"aps": {"alert": "Hi", "badge": "{{unread|number}}"}}"#)
    _ = try fanfare.run(
      ["send", "--bundle-id", "a.b", "--payload", "order.json", "--tokens", "vip.csv"]
        + ["--results", "results.jsonl"] + server.place + credentials)
    try add(.results, try fanfare.folder.text("results.jsonl"))
    try add(.check, fanfare, ["check", "order.json", "vip.csv", "--json"])
    try add(.historyPushes, fanfare, ["history", "list", "1", "--json"])
    try fanfare.folder.write("vip.csv", "token\n")
    for push in values[.historyPushes]?.suffix(2) ?? [] {
      let id = try #require(push["apnsID"]?.string)
      try add(.historyShow, fanfare, ["history", "show", id, "--json"])
    }
  }

  mutating func collectScenarios(_ fanfare: Fanfare) throws {
    try fanfare.folder.write("a.json5", ScenarioText.good("A"))
    try fanfare.folder.write(
      "b.json5", ScenarioText.dead(expecting: "{status: 410}", more: true))
    try fanfare.folder.write("c.json5", "{bundleId: 'a.b', notification: {payload: {aps: 7}}}")
    try add(.step, fanfare, ["run", "a.json5", "--json", "--results", "results.jsonl"])
    try add(.results, try fanfare.folder.text("results.jsonl"))
    try add(.step, fanfare, ["run", "b.json5", "--json"])
    try add(.step, fanfare, ["run", "a.json5", "c.json5", "--json"])
    try add(.plan, fanfare, ["run", "a.json5", "b.json5", "--plan", "--json"])
    try add(.preview, fanfare, ["preview", "b.json5", "--json"])
    try add(.check, fanfare, ["check", "a.json5", "c.json5", "--json"])
    let files = try last(.check)["files"]?.array ?? []
    values[.problem] = files.flatMap { $0["problems"]?.array ?? [] }
  }

  mutating func collectChannels(_ fanfare: Fanfare) throws {
    let server = try Server(fanfare)
    let place = server.place + credentials + ["--bundle-id", "com.example.app"]
    try add(.channel, fanfare, ["channel", "create", "--json"] + place)
    let id = try #require(try last(.channel)["channel"]?.string)
    try fanfare.folder.write(
      "update.json",
      #"{"aps": {"timestamp": 1700000000, "event": "update", "content-state": {"home": 1}}}"#)
    _ = try fanfare.run(["send", "--payload", "update.json", "--channel", id] + place)
    let live = ["send", "--payload", "update.json", "--channel", id, "--plan", "--json"]
    try add(.plan, fanfare, live + place)
    try add(.channel, fanfare, ["channel", "list", "--json"] + place)
    try add(.channelShow, fanfare, ["channel", "show", id, "--json"] + place)
    try add(.dryRun, fanfare, ["channel", "show", id, "--dry-run", "--json"] + place)
    try add(.channelDelete, fanfare, ["channel", "delete", id, "--yes", "--json"] + place)
  }

  /// Keys, certificates, a provider token, payloads and lists.
  mutating func collectFiles(_ fanfare: Fanfare) throws {
    let workshop = try CertificateWorkshop()
    _ = try workshop.pack(["-passout", "pass:secret"])
    for name in ["all.p12", "leaf.pem"] {
      let file = URL(filePath: fanfare.folder.file(name))
      try Data(try workshop.bytes(name)).write(to: file)
      try #require(chmod(file.path, 0o600) == 0)
    }
    try fanfare.folder.writeSecret("password", "secret")
    try fanfare.folder.write("token", try fanfare.start(["token"] + credentials).finish().output)
    try fanfare.folder.write("junk.txt", "nothing that is known")
    try fanfare.folder.write("list.txt", tokenList(2) + "junk\n")
    try fanfare.folder.write("p.json", #"{"aps": {"alert": "Hi"}, "id": 7}"#)
    let files = [keyFile, "all.p12", "token", "junk.txt", "list.txt", "p.json"]
    try add(
      .inspect, fanfare, ["inspect", "--json", "--cert-password-file", "password"] + files)
    try add(
      .dryRun, fanfare,
      ["send", "--env", "production", "--cert", "all.p12", "--cert-password-file", "password"]
        + ["--title", "Hi", "--to", tokenText(1), "--dry-run", "--json"])
    try add(
      .plan, fanfare,
      ["send", "--env", "production", "--cert", "all.p12", "--cert-password-file", "password"]
        + ["--title", "Hi", "--to", tokenText(1), "--plan", "--json"])
  }

  mutating func collectEnvironments(_ fanfare: Fanfare) throws {
    let services = try AppleServices(sandbox: { _ in .reject(.badDeviceToken) })
    try fanfare.folder.write("ca.pem", services.authorities)
    let place = ["--env", "auto", "--ca", "ca.pem", "--proxy", services.proxy.url]
    try add(
      .summary, fanfare,
      ["send", "--title", "Hi", "--bundle-id", "com.example.app", "--to", device("0a1b"), "--json"]
        + place + credentials)
    try add(.historyShow, fanfare, ["history", "show", "--json"])
  }
}

extension OutputSamples {
  /// The emulator's journal, and what only a client that breaks the rules makes it write.
  mutating func collectEmulator(_ fanfare: Fanfare) throws {
    try fanfare.folder.write("script.json5", Self.script)
    try fanfare.folder.write("alert.json", Self.alert)
    try fanfare.folder.write("bad.json", #"{"aps": {"alert": 7}}"#)
    try fanfare.folder.write("live.json", Self.activity)
    let emulator = try RunningCommand(
      fanfare, "--inbox", "0", "--journal", "journal.jsonl", "--script", "script.json5")
    values[.emulator] = [emulator.ready]
    let place = ["--server", emulator.url, "--ca", emulator.ready["ca"]?.string ?? ""]
    let common = place + credentials + ["--bundle-id", "com.example.app"]
    let token = ["--to", "dead" + tokenText(1).dropFirst(4)]
    for words in [
      ["send", "--payload", "alert.json", "--collapse-id", "x"] + token,
      ["send", "--payload", "bad.json", "--force", "--type", "alert"] + token,
      ["send", "--payload", "live.json"] + token, ["channel", "create"],
    ] { _ = try fanfare.run(words + common) }
    _ = try emulator.end()
    try add(.journal, try fanfare.folder.text("journal.jsonl"))
    var refused = ReceivedPush(connection: 1, stream: 1)
    refused.isRefusedByHTTP2 = true
    var odd = ReceivedPush(connection: 1, stream: 3, note: "No JSON.", certificate: "shop")
    odd.request.body = Array("no JSON".utf8)
    var binary = odd
    binary.request.body = [0xFF]
    for push in [refused, odd, binary] {
      var writer = JSONWriter()
      push.write(to: &writer)
      try add(.journal, String(decoding: writer.bytes, as: UTF8.self))
    }
  }

  private static let script = """
    {rules: [{when: {tokenPrefix: "dead"},
      answer: {reason: "Unregistered", timestamp: 1700000000000}}]}
    """

  private static let alert = #"""
    {"aps": {"alert": {"title": "T", "subtitle": "S", "body": "B"}, "badge": 1, "sound": "default",
      "thread-id": "t", "category": "c", "interruption-level": "active"}}
    """#

  private static let activity = #"""
    {"aps": {"timestamp": 1700000000, "event": "update", "content-state": {"home": 1},
      "stale-date": 4000000000}}
    """#

  /// A run that is stopped before it has read its list.
  mutating func collectUnread(_ fanfare: Fanfare) throws {
    let run = try ResumableRun(of: 20_000, in: fanfare)
    _ = try run.send(signal: SIGINT, atRequest: 300)
    try add(.historyList, fanfare, ["history", "list", "--json"])
    try add(.plan, fanfare, ["resume", "--plan", "--json"])
    try add(.summary, try run.resume("--json", signal: SIGINT, atRequest: 10).output)
    try add(.historyShow, fanfare, ["history", "show", "--json"])
    try add(.historyStats, fanfare, ["history", "stats", "--json"])
  }

  /// A run in a queue, with a worker that sent one of its pushes again.
  mutating func collectQueue() throws {
    var samples = self
    try withQueue(of: 1, answer: { _ in .reject(.badDeviceToken) }) { queue in
      try samples.add(.work, try queue.work("--json").finish().output)
    }
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      _ = try fanfare.send(
        "--to", tokenText(1), "--to", tokenText(2), "--history", database.address)
      let place = ["--history", database.address]
      let queue = try QueueRows(in: database, count: 202)
      try queue.addWorker(1, accepted: 1)
      try queue.addChunk(from: 3, worker: 1, mark: 12)
      try queue.addOther(2, worker: 1)
      try samples.add(.historyShow, fanfare, ["history", "show", "1", "--json"] + place)
      let others = try samples.last(.historyShow)["queue"]?["otherResults"]?.array
      let id = try #require(others?.first?["apnsID"]?.string)
      try samples.add(.historyShow, fanfare, ["history", "show", id, "--json"] + place)
      try samples.add(.stop, fanfare, ["stop", "1", "--json"] + place)
      try samples.add(.historyList, fanfare, ["history", "list", "--json"] + place)
      try samples.add(.historyShow, fanfare, ["history", "show", "1", "--json"] + place)
      try samples.add(
        .historyTail, fanfare, ["history", "tail", "1", "--lines", "1", "--json"] + place)
      try samples.add(
        .enqueue, fanfare,
        ["send", "--enqueue", "--bundle-id", "com.example.app", "--title", "Hi", "--json"]
          + ["--env", "sandbox", "--to", tokenText(1)] + credentials + place)
    }
    self = samples
  }
}
