import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare send --channel")
struct BroadcastCommandTests {
  private static let channel = "dHN0LXNyY2gtY2hubA=="
  private static let path = "/4/broadcasts/apps/com.example.app"
  private static let update =
    #"{"aps": {"event": "update", "timestamp": 1700000000, "#
    + #""content-state": {"home": 1}}}"#

  /// A server that is watched and has a channel, and the words that lead to it.
  private struct Bench {
    let fanfare: Fanfare
    let witness = Witness()
    let server: Server

    init(
      _ fanfare: Fanfare, answer: @escaping @Sendable (Attempt) -> EmulatorAnswer? = { _ in nil }
    ) throws {
      self.fanfare = fanfare
      server = try Server(fanfare, witness.configuration(attempts: answer))
      let id = try ChannelID(BroadcastCommandTests.channel)
      let app = try BundleID("com.example.app")
      server.emulator.replaceChannels(by: [
        Channel(id: id, app: app, policy: .nothing, created: 1_700_000_000)
      ])
      try fanfare.folder.write("update.json", BroadcastCommandTests.update)
    }

    func words(to channel: String = BroadcastCommandTests.channel) -> [String] {
      ["send", "--bundle-id", "com.example.app", "--payload", "update.json", "--channel", channel]
        + server.place + credentials
    }

    func send(
      _ words: String..., to channel: String = BroadcastCommandTests.channel
    ) throws -> Program.Result {
      try fanfare.run(self.words(to: channel) + words)
    }

    func json(_ words: String...) throws -> JSON {
      try JSON(text: try fanfare.run(words + ["--json"]).output)
    }

    var ids: [String] { witness.sights[BroadcastCommandTests.channel]?.ids ?? [] }
  }

  private func withBench(_ body: (Bench) throws -> Void) throws {
    try withFanfare { try body(Bench($0)) }
  }

  @Test("posts to the app's path under an apns-request-id, and names the channel")
  func accepted() throws {
    try withBench { bench in
      let result = try bench.send()
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.output.hasPrefix("accepted  200  channel \(Self.channel)\n"))
      #expect(result.output.contains("apns-request-id"))
      #expect(bench.ids.count == 1)
      let request = try #require(try bench.json("history", "show", bench.ids[0])["request"])
      #expect(request["url"]?.string == bench.server.emulator.url + Self.path)
      let names = request["headers"]?.object?.keys ?? []
      #expect(
        names == [
          "apns-channel-id", "apns-push-type", "apns-priority", "apns-expiration",
          "apns-request-id",
        ])
    }
  }

  @Test("has the channel in place of a device token in results, summary and history")
  func results() throws {
    try withBench { bench in
      let result = try bench.send("--json", "--results", "out.jsonl")
      let push = try #require(try JSON(text: result.output)["push"])
      let line = try JSON(text: try bench.fanfare.folder.text("out.jsonl"))
      let listed = try bench.json("history", "list", "1")
      for json in [push, line, listed] {
        #expect(json["token"]?.content == .null)
        #expect(json["channel"]?.string == Self.channel)
        #expect(json["apnsID"]?.string == bench.ids[0])
      }
      let run = try bench.json("history", "show", "1")
      #expect(run["channel"]?.string == Self.channel && run["topic"] == "com.example.app")
      let report = try bench.json("report", "out.jsonl")
      #expect(report["total"] == 1 && report["brokenLines"] == 0)
      let template = try bench.send("--template", "{{channel}} {{token|default('-')}} {{status}}")
      #expect(template.output == "\(Self.channel) - 200\n")
    }
  }

  @Test("is exported with its URL and headers", arguments: ["har", "curl", "csv"])
  func exports(format: String) throws {
    try withBench { bench in
      _ = try bench.send()
      let export = try bench.fanfare.run(["history", "export", "1", "--format", format])
      #expect(export.exitCode == 0 && export.output.contains(Self.channel))
      #expect(export.output.contains(format == "csv" ? "channel" : Self.path))
      #expect(!export.output.contains("/3/device/") && !export.output.contains("apns-id"))
    }
  }

  @Test("that is not registered is rejected with its reason")
  func unknown() throws {
    try withBench { bench in
      let result = try bench.send("--quiet", to: "QUJD")
      #expect(result.exitCode == 1)
      #expect(result.errors.contains("channel QUJD: rejected: 400 ChannelNotRegistered"))
    }
  }

  @Test("that a channel cannot store is explained when it is refused, and in the history")
  func cause() throws {
    try withBench { bench in
      let result = try bench.send("--expiration", "1h")
      #expect(result.exitCode == 1 && result.errors.contains("[channel-storage-unknown]"))
      let id = try #require(try bench.json("history", "list", "1")["apnsID"]?.string)
      let shown = try bench.fanfare.run(["history", "show", id])
      for output in [result.output, shown.output] {
        #expect(output.contains("Most likely: The channel stores nothing"), "\(output)")
      }
    }
  }

  @Test("that breaks a rule is refused before anything is sent")
  func refused() throws {
    try withBench { bench in
      let start = try bench.send("--event", "start")
      #expect(start.exitCode == 2 && start.errors.contains("[channel-start]"))
      let form = try bench.send(to: "no base64")
      #expect(form.exitCode == 2 && form.errors.contains("[channel-form]"))
      #expect(bench.witness.sights.isEmpty)
    }
  }

  @Test("with --dry-run shows the request, and sends none")
  func dryRun() throws {
    try withBench { bench in
      let request = try JSON(text: try bench.send("--dry-run", "--json").output)
      #expect(request["url"]?.string == bench.server.emulator.url + Self.path)
      #expect(request["headers"]?["apns-request-id"] != nil)
      #expect(request["headers"]?["apns-id"] == nil && bench.ids.isEmpty)
    }
  }

  @Test("is repeated by --again, also one push of it, and sent again by history resend")
  func again() throws {
    try withBench { bench in
      _ = try bench.send()
      let again = try bench.fanfare.run(["send", "--again"])
      #expect(again.exitCode == 0, "\(again.errors)")
      #expect(again.errors.contains("to channel \(Self.channel)"))
      let one = try bench.fanfare.run(["send", "--again=\(bench.ids[0])"])
      #expect(one.exitCode == 0, "\(one.errors)")
      let resent = try bench.fanfare.run(["history", "resend", bench.ids[0]])
      #expect(resent.exitCode == 0, "\(resent.errors)")
      #expect(bench.ids.count == 4 && Set(bench.ids).count == 4)
      let other = try bench.fanfare.run(
        ["send", "--again", "--to", tokenText(1), "--event", "end"])
      #expect(other.exitCode == 0, "\(other.errors)")
      #expect(bench.witness.sights[tokenText(1)]?.ids.count == 1 && bench.ids.count == 4)
    }
  }

  @Test("without an answer is sent again under the same ID, unless it must go out once at most")
  func inDoubt() throws {
    for words in [[], ["--at-most-once"]] {
      try withFanfare { fanfare in
        let bench = try Bench(fanfare) { $0.attempt == 1 ? .processed(then: .drop(.rst)) : nil }
        let result = try fanfare.run(bench.words() + words + ["--json"])
        let summary = try JSON(text: result.output)
        #expect(result.exitCode == (words.isEmpty ? 0 : 4), "\(result.errors)")
        #expect(summary["push"]?["outcome"]?.string == (words.isEmpty ? "accepted" : "unknown"))
        #expect(bench.ids.count == (words.isEmpty ? 2 : 1) && Set(bench.ids).count == 1)
      }
    }
  }

  @Test("that is killed is resumed under the same ID")
  func killed() throws {
    try withFanfare { fanfare in
      let executioner = Executioner()
      let bench = try Bench(fanfare) { _ in
        executioner.noteRequest()
        return nil
      }
      let killed = try executioner.start(SIGKILL, atRequest: 1) {
        try fanfare.start(bench.words())
      }.finish()
      #expect(killed.exitCode == nil && executioner.hasStruck)
      let resumed = try fanfare.run(["resume"])
      #expect(resumed.exitCode == 0, "\(resumed.errors)")
      #expect(resumed.errors.contains("com.example.app, channel \(Self.channel), "))
      #expect(resumed.output.hasPrefix("accepted  200  channel \(Self.channel)\n"))
      #expect(bench.ids.count == 2 && Set(bench.ids).count == 1)
    }
  }
}
