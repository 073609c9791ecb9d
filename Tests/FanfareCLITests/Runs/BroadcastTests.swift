import APNS
import CommandLineKit
import Delivery
import History
import PushModel
import Recipients
import TestSupport
import Testing

@testable import FanfareCLI
@testable import HistoryCommands
@testable import Reporting
@testable import Runs
@testable import Settings

@Suite("A push to a channel")
struct BroadcastTests {
  private static let words = [
    "--channel", sampleChannel, "--bundle-id", "com.example.app", "--event", "update",
    "--content-state", "{}",
  ]

  private func settings(_ words: [String]) throws -> Settings {
    try SendCommand.parse(words).options.merged(context())
  }

  private func draft(_ words: [String]) throws -> Draft {
    var assembly = DraftAssembly(try settings(words), context())
    return try assembly.draft()
  }

  private func message(_ words: [String], force: Bool = false) throws -> Message {
    try Message(draft(words), in: RuleContext(now: presentSecond), force: force)
  }

  @Test("names the channel, the app in its path, and what APNs would not assume")
  func draft() throws {
    let message = try message(Self.words)
    #expect(message.path == "/4/broadcasts/apps/com.example.app")
    #expect(message.idHeader == .requestID && message.channel == sampleChannel)
    let fields = message.fields.map { "\($0.name): \($0.value)" }
    #expect(
      fields == [
        "apns-channel-id: \(sampleChannel)", "apns-push-type: liveactivity", "apns-priority: 10",
        "apns-expiration: 0",
      ])
  }

  @Test("has the headers that options give", arguments: [false, true])
  func options(force: Bool) throws {
    let words = Self.words + ["--priority", "5", "--expiration", "1h", "--apns-id", Self.id]
    let message = try message(words, force: force)
    #expect(message[.priority] == "5" && message[.expiration] == "\(presentSecond + 3600)")
    #expect(message.apnsID?.description == Self.id && message[.id] == nil)
  }

  private static let id = "1f0e2d3c-4b5a-4978-8695-a4b3c2d1e0f0"

  @Test("says with the option where what is wrong was written")
  func problems() throws {
    let failure = #expect(throws: Failure.self) {
      try message(["--channel", "a b", "--event", "update", "--content-state", "{}"])
    }
    let rules = failure?.problems.map(\.rule) ?? []
    #expect(rules.contains("channel-form") && rules.contains("bundle-id-missing"))
    let origins = failure?.problems.map { $0.origin?.text } ?? []
    #expect(origins.contains("--channel"))
  }

  static let conflicts = [
    ["--to", sampleToken], ["--tokens", "a.txt"], ["--suppress", "a.txt"], ["--limit", "1"],
    ["--shard", "1/2"], ["--duplicates", "send"], ["--topic", "com.example.app"],
    ["--tokens-format", "csv"],
  ]

  @Test("goes with no other recipient, and with nothing to choose among", arguments: conflicts)
  func conflict(_ words: [String]) throws {
    let failure = #expect(throws: Failure.self) { try settings(["--channel", "AAAA"] + words) }
    #expect(
      failure?.sentence == "'--channel' and '\(words[0])' cannot be used together.")
  }

  @Test("goes to no environment that has to be found out")
  func auto() throws {
    let settings = try settings(Self.words + ["--env", "auto"])
    let failure = #expect(throws: Failure.self) {
      try Destination(settings, to: settings.recipientSources, context())
    }
    #expect(failure?.sentence.hasPrefix("--env auto does not work with a channel") ?? false)
  }

  @Test("replaces the recipients of lower layers, and is replaced by others")
  func layers() throws {
    var lower = Settings()
    lower.to = Setting([.token(try DeviceToken(sampleToken))], .storedRun)
    lower.limit = Setting(3, .storedRun)
    let options = try SendCommand.parse(Self.words).options
    #expect(options.over(lower).recipientSources == [.channel(sampleChannel)])
    #expect(options.over(lower).limit == nil)
    let other = try SendCommand.parse(["--to", sampleToken]).options.over(options)
    #expect(other.channel == nil && other.recipientSources.count == 1)
  }

  @Test("is one push to one recipient without a device token")
  func recipients() throws {
    let sources = try settings(Self.words).recipientSources
    #expect(sources.isOnePush && !sources.haveVariables && sources[0].name == "--channel")
    #expect(!sources[0].isReadOnce && sources.oddToken(for: .production) == nil)
  }

  @Test("is kept with its run, and made again of what was kept")
  func record() throws {
    let message = try message(Self.words)
    var record = RunRecord(
      started: presentSecond * 1000, environment: "sandbox", version: "1",
      identity: RunIdentity(given: nil, context().clock))
    message.write(to: &record)
    #expect(record.channel == sampleChannel && record.topic == "com.example.app")
    let settings = try settings(Self.words)
    let inputs = RunInputs(
      settings: settings, folder: "/", recipients: [.channel(sampleChannel, name: "--channel")],
      suppressed: [], isTemplate: false)
    let kept = try #require(RunInputs(json: inputs.json, from: .storedRun))
    #expect(kept.recipients == inputs.recipients)
    #expect(kept.settings.channel?.value == sampleChannel)
    let again = try Message(record, kept, in: RuleContext(now: presentSecond))
    #expect(again.path == message.path && again.channel == sampleChannel)
    #expect(again.fields.count == 4)
  }

  @Test("goes to another host where one is given, and keeps its environment")
  func host() throws {
    let words = ["--env", "sandbox", "--broadcast-host", "push.example.com:8443"]
    let choice = try ServerChoice(settings(Self.words + words), context())
    #expect(choice.environment == .sandbox)
    #expect(choice.address?.description == "https://push.example.com:8443")
    let device = try ServerChoice(settings(["--to", sampleToken] + words), context())
    #expect(device.address == PushEnvironment.sandbox.address)
    expectFailure("'--broadcast-host' and '--env emulator' cannot be used together.") {
      try ServerChoice(
        settings(Self.words + ["--env", "emulator", "--broadcast-host", "a.example"]), context())
    }
    expectFailure("--broadcast-host cannot be 'https://a'.") {
      try ServerChoice(
        settings(Self.words + ["--env", "sandbox", "--broadcast-host", "https://a"]), context())
    }
  }

  @Test("is shown with its channel, which is no secret")
  func shown() {
    #expect(toChannel(.accepted).push.recipient(showsToken: false) == "channel \(sampleChannel)")
    let push = entry(channel: sampleChannel)
    let run = run(channel: sampleChannel)
    #expect(
      run.url(of: push, showsToken: false)
        == "https://127.0.0.1:2197/4/broadcasts/apps/com.example.shop")
    #expect(request(push, run).fields.last?.name == "apns-request-id")
    #expect(run.facts(of: push).isBroadcast)
    #expect(run.entry.record.title.hasSuffix("to channel \(sampleChannel)"))
  }
}
