import APNS
import Foundation
import HTTP2
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("fanfare run with channels")
struct ScenarioChannelTests {
  private static let id = "dHN0LXNyY2gtY2hubA=="

  /// A start to two devices, and two updates over the channel.
  static func match(channel: String = "{create: {store: true}}") -> String {
    let start = """
      {timestamp: "{{now}}", event: "start", "content-state": {home: 0}, "attributes-type": "Match",
       attributes: {home: "N"}, "input-push-channel": "{{channel}}", alert: {title: "T", body: "B"}}
      """
    let update = #"{timestamp: "{{now}}", event: "update", "content-state": {home: 1}}"#
    return """
      {name: "Match", bundleID: "com.example.scores", channel: \(channel), steps: [
       {name: "start", recipients: ["\(device("0a1b"))", "\(device("0a1c"))"],
        notification: {payload: {aps: \(start)}}},
       {name: "goal", notification: {expiration: "30m", payload: {aps: \(update)}}},
       {name: "end", notification: {payload: {aps: \(update.replacing("update", with: "end"))}}}]}
      """
  }

  @Test("Creates a channel, starts on devices with it, sends to it, and deletes it")
  func whole() throws {
    let seen = Requests()
    try withMatch(answering: { seen.note($0) }) { server in
      let result = try run(server, "--json", "--verbose")
      #expect(result.exitCode == 0, "\(result.errors)")
      let steps = try result.output.split(separator: "\n").map { try JSON(text: $0) }
      #expect(steps.map { $0["accepted"] } == [2, 1, 1])
      let requests = seen.all
      #expect(
        requests.map(\.kind) == [
          .channel, .device, .device, .broadcast, .broadcast, .channel,
        ])
      let id = try #require(requests.last?.channel)
      let body = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
      #expect(String(decoding: requests[0].body, as: UTF8.self) == body)
      #expect(requests.suffix(3).map(\.channel) == [id, id, id])
      for push in requests[1...2] {
        let payload = try JSONReader().read(push.body)
        #expect(payload["aps"]?["input-push-channel"]?.string == id)
      }
      #expect(requests[5].headers[":method"] == "DELETE")
      #expect(result.errors.contains("channel \(id): created, stores the latest push\n"))
      #expect(result.errors.contains("channel \(id): deleted\n"))
      #expect(server.emulator.channels.isEmpty)
      #expect(try known(server).isEmpty)
    }
  }

  @Test("A list from standard input serves the one step that goes to devices")
  func piped() throws {
    try withMatch { server in
      let list = server.fanfare.folder.file("list.txt")
      try "\(device("0a1d"))\n".write(toFile: list, atomically: false, encoding: .utf8)
      let result = try server.fanfare.run(words(server) + ["--tokens", "-"], input: .file(list))
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(server.emulator.channels.isEmpty)
    }
  }

  @Test("One emulator inside serves the channel and all steps")
  func inside() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("match.json5", Self.match())
      for more in [[], ["--parallel", "2"]] {
        let result = try fanfare.run(["run", "match.json5", "--env", "emulator"] + more)
        #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
        #expect(result.output.hasSuffix("1 scenario, 3 steps: 3 passed\n"))
      }
    }
  }

  @Test(
    "A step that fails ends with the channel deleted, and offers no way to go on",
    arguments: [(Reason.badPriority, "400 BadPriority", 1), (.serviceUnavailable, "503 Serv", 4)])
  func failingStep(_ reason: Reason, text: String, code: Int32) throws {
    try withMatch(answering: { $0.kind == .broadcast ? .reject(reason) : nil }) { server in
      let result = try run(server)
      #expect(result.exitCode == code)
      #expect(!result.output.contains("--from") && !result.output.contains("fanfare resume"))
      #expect(result.output.contains("FAIL 2 goal") && result.output.contains(text))
      #expect(server.emulator.channels.isEmpty)
    }
  }

  @Test("A channel that cannot be created fails the first step, in every report")
  func notCreated() throws {
    try withMatch(answering: { $0.kind == .channel ? .reject(.featureNotEnabled) : nil }) {
      server in
      let reports = ["--junit", "j.xml", "--tap", "t.tap", "--markdown", "m.md"]
      let result = try run(server, reports)
      #expect(result.exitCode != 0)
      #expect(result.output.contains("The channel was not created: 400 FeatureNotEnabled"))
      #expect(result.output.hasSuffix("3 steps: 1 failed, 2 not run\n"))
      for name in ["j.xml", "t.tap", "m.md"] {
        #expect(try server.fanfare.folder.text(name).contains("400 FeatureNotEnabled"))
      }
      let json = try JSON(text: run(server, "--json").output.split(separator: "\n")[0])
      #expect(json["error"]?.string?.contains("FeatureNotEnabled") == true && json["step"] == 1)
    }
  }

  @Test("A channel that cannot be deleted fails the scenario, with the command that deletes it")
  func notDeleted() throws {
    let answer: @Sendable (IncomingPush) -> EmulatorAnswer? = {
      $0.headers[":method"] == "DELETE" ? .reject(.badCertificate) : nil
    }
    try withMatch(answering: answer) { server in
      let result = try run(server, "--junit", "j.xml")
      let id = try #require(server.emulator.channels.first?.id.text)
      #expect(result.exitCode == 1)
      #expect(result.output.contains("ok   3 end"))
      #expect(result.output.contains("FAIL deletion of the channel"))
      #expect(result.output.contains("Channel \(id) was not deleted: 403 BadCertificate"))
      let way = "--bundle-id com.example.scores --server \(server.emulator.url)"
      #expect(result.output.contains("'fanfare channel delete \(id) \(way) --ca "))
      #expect(result.output.hasSuffix("3 passed, 1 failed\n"))
      #expect(try server.fanfare.folder.text("j.xml").contains("BadCertificate"))
      #expect(try known(server) == [id])
    }
  }

  @Test("A channel that somebody else deleted needs no deletion")
  func deletedElsewhere() throws {
    let answer: @Sendable (IncomingPush) -> EmulatorAnswer? = {
      $0.headers[":method"] == "DELETE" ? .reject(.channelNotRegistered) : nil
    }
    try withMatch(answering: answer) { server in
      let result = try run(server)
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(try known(server).isEmpty)
    }
  }

  static let endings: [(signal: Int32, code: Int32)] = [(SIGINT, 130), (SIGTERM, 143)]

  @Test("Ctrl-C deletes the channel", arguments: endings)
  func interrupted(_ row: (signal: Int32, code: Int32)) throws {
    let arrived = DispatchSemaphore(value: 0)
    try withMatch(answering: Self.silence(arrived)) { server in
      let program = try start(server, "--timeout", "500ms")
      arrived.wait()
      program.send(row.signal)
      let result = try program.finish()
      #expect(result.exitCode == row.code, "\(result.output)\(result.errors)")
      #expect(server.emulator.channels.isEmpty)
      #expect(try known(server).isEmpty)
    }
  }

  @Test("After a kill, the history still knows the channel")
  func killed() throws {
    let arrived = DispatchSemaphore(value: 0)
    try withMatch(answering: Self.silence(arrived)) { server in
      let program = try start(server)
      arrived.wait()
      program.send(SIGKILL)
      _ = try program.finish()
      let ids = server.emulator.channels.map(\.id.text)
      #expect(ids.count == 1)
      #expect(try known(server) == ids)
    }
  }

  @Test("An option replaces the channel, which is neither created nor deleted")
  func otherChannel() throws {
    try withMatch { server in
      let channel = Channel(
        id: try ChannelID(Self.id), app: try BundleID("com.example.scores"), policy: .latest,
        created: 0)
      server.emulator.replaceChannels(by: [channel])
      let result = try run(server, "--channel", Self.id, "--tokens", "list.txt")
      #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
      #expect(result.output.contains("1 start  5 of 5"))
      #expect(result.output.contains("2 goal  1 of 1"))
      #expect(server.emulator.channels == [channel])
    }
  }

  @Test("A dry run creates nothing, and says so")
  func dryRun() throws {
    try withMatch { server in
      let result = try run(server, "--dry-run")
      #expect(result.exitCode == 0 && server.emulator.requestCount == 0)
      #expect(result.errors.contains("match.json5: would create a channel that stores the latest"))
      #expect(result.output.contains("POST /4/broadcasts/apps/com.example.scores HTTP/2"))
      #expect(result.output.contains("apns-channel-id: Y3JlYXRlZCBieSBhIHJ1bg=="))
    }
  }

  @Test("check finds nothing wrong, and knows what the channel will store")
  func check() throws {
    try withMatch { server in
      #expect(try server.fanfare.run(["check", "match.json5"]).exitCode == 0)
      try server.fanfare.folder.write("match.json5", Self.match(channel: "{create: {}}"))
      for words in [
        ["check", "match.json5"], ["run", "match.json5"] + server.place + credentials,
      ] {
        let result = try server.fanfare.run(words)
        #expect(result.exitCode == 2)
        #expect((result.output + result.errors).contains("[channel-storage]"))
      }
      #expect(server.emulator.requestCount == 0)
    }
  }

  @Test("Options that no step has a use for are refused")
  func idle() throws {
    try withMatch { server in
      let update = #"{aps: {timestamp: 1, event: "end", "content-state": {}}}"#
      try server.fanfare.folder.write(
        "channel.json5",
        "{bundleID: 'a.b', channel: '\(Self.id)', notification: {payload: \(update)}}")
      try server.fanfare.folder.write("device.json5", ScenarioText.good("A"))
      let rows = [
        (["run", "channel.json5", "--to", device("0a1b")], "'--to' names device tokens"),
        (["run", "device.json5", "--channel", Self.id], "'--channel' names a channel"),
      ]
      for (words, says) in rows {
        let result = try server.fanfare.run(words + server.place + credentials)
        #expect(result.exitCode == 2 && result.errors.contains(says), "\(result.errors)")
      }
      #expect(server.emulator.requestCount == 0)
    }
  }
}

extension ScenarioChannelTests {
  /// A server, and the scenario in a file.
  private func withMatch(
    answering answer: @escaping @Sendable (IncomingPush) -> EmulatorAnswer? = { _ in nil },
    _ body: (Server) throws -> Void
  ) throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = answer
      try fanfare.folder.write("match.json5", Self.match())
      try fanfare.folder.write("list.txt", tokenList(5))
      try body(try Server(fanfare, configuration))
    }
  }

  /// No push to a device is answered; the first signals that it has come.
  private static func silence(
    _ arrived: DispatchSemaphore
  ) -> @Sendable (IncomingPush) -> EmulatorAnswer? {
    { push in
      guard push.kind == .device else { return nil }
      arrived.signal()
      return .swallow
    }
  }

  private func words(_ server: Server) -> [String] {
    ["run", "match.json5"] + server.place + credentials
  }

  private func run(_ server: Server, _ more: String...) throws -> Program.Result {
    try run(server, more)
  }

  private func run(_ server: Server, _ more: [String]) throws -> Program.Result {
    try server.fanfare.run(words(server) + more)
  }

  private func start(_ server: Server, _ more: String...) throws -> Program {
    try server.fanfare.start(words(server) + more)
  }

  /// The channels that the history knows and that were not deleted.
  private func known(_ server: Server) throws -> [String] {
    try server.fanfare.run(["channel", "list", "--known", "--ids"]).output
      .split(separator: "\n").map(String.init)
  }
}

/// The requests that an emulator took.
private final class Requests: Sendable {
  private let requests = Mutex<[IncomingPush]>([])

  var all: [IncomingPush] { requests.withLock { $0 } }

  func note(_ push: IncomingPush) -> EmulatorAnswer? {
    requests.withLock { $0.append(push) }
    return nil
  }
}
