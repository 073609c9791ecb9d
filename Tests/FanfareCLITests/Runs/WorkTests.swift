import APNS
import CommandLineKit
import Delivery
import History
import JSONText
import PushModel
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Runs
@testable import Settings

@Suite("Work on the queue")
struct WorkTests {
  @Test("is told by options what it takes and how long it may be silent")
  func parsing() throws {
    let command = try WorkCommand.parse(
      ["12", "--stay", "--name", "sender-3", "--lease", "2m", "--connections", "4"])
    #expect(command.run.map(\.number?.rawValue) == [12])
    #expect(command.work.stays && command.work.workerName == "sender-3")
    #expect(command.work.lease.milliseconds == 120_000)
    #expect(command.work.settings.connections?.value == .fixed(4))
    #expect(try WorkCommand.parse([]).work.lease.milliseconds == 90_000)
    for lease in ["9s", "11m", "soon"] {
      let problem = #expect(throws: UsageProblem.self) {
        try WorkCommand.parse(["--lease", lease])
      }
      guard case .badValue("--lease", lease, let why, _, _)? = problem else {
        Issue.record("\(problem as Any)")
        continue
      }
      #expect(why == .expected("a length of time from 10s to 10m"))
    }
    for lease in ["10s", "10m"] {
      #expect(try WorkCommand.parse(["--lease", lease]).work.lease.argumentText == lease)
    }
    #expect(try StopCommand.parse(["12"]).run?.number?.rawValue == 12)
    #expect(throws: UsageProblem.missingArgument("RUN")) { try StopCommand.parse([]) }
  }

  @Test(
    "takes from a run how it is sent, and nothing that says where, as whom, or with which files")
  func whitelist() {
    #expect(
      Set(Settings.fields.filter(\.isForWorkers).map(\.name)) == [
        "rate", "retries", "retryDelay", "timeout", "breaker", "keepPayloads", "connections",
      ])
  }

  @Test("does not look at what else a row says")
  func hostile() throws {
    let text = """
      {"settings": {"server": "https://evil.example", "environment": "https://evil.example",
        "ca": "evil.pem", "serverCA": "evil.pem", "proxy": "http://evil.example:1", "port": 1,
        "broadcastHost": "evil.example", "key": "/etc/shadow", "keyID": "EVIL000000",
        "cert": {"command": ["sh", "-c", "true"]}, "passwordFile": 7, "history": "evil.sqlite",
        "results": "/etc/passwd", "deadTokens": "evil.txt", "template": "x", "dryRun": true,
        "trustProject": true, "tlsKeyLog": true, "force": true, "unheardOf": [1],
        "rate": "30/m", "retries": 2},
        "folder": "/evil", "recipients": 7, "suppressed": "all", "isTemplate": true}
      """
    let inputs = try #require(RunInputs(forWorkers: text))
    var expected = Settings()
    expected.rate = Setting(try #require(WrittenRate("30/m")), .storedRun)
    expected.retries = Setting(2, .storedRun)
    #expect(inputs.settings == expected)
    #expect(inputs.recipients.isEmpty && inputs.suppressed.isEmpty && inputs.folder.isEmpty)
    #expect(inputs.isTemplate)
    #expect(RunInputs(forWorkers: #"{"settings": {"rate": "as fast as light"}}"#) == nil)
  }

  @Test("shares the connections of the run with the other workers, and has its own to itself")
  func connections() throws {
    let most = ConnectionCount.mostAutomatic
    for (count, origin, shared) in [
      (nil, .storedRun, most), (.auto, .storedRun, most), (.auto, .setting("x"), most),
      (.fixed(4), .storedRun, 4), (.fixed(4), .setting("--connections"), nil),
    ] as [(ConnectionCount?, Origin, Int?)] {
      var settings = Settings()
      settings.connections = count.map { .init($0, origin) }
      #expect(settings.sharedConnections == shared, "\(String(describing: count)) \(origin)")
    }
  }

  @Test("leaves what has no final result, and what is not told by the lists is not left")
  func remainder() {
    var tally = OutcomeTally()
    (tally.accepted, tally.rejected, tally.skipped, tally.unknown) = (4, 2, 1, 1)
    (tally.deferred, tally.notAttempted) = (2, 5)
    for (lines, isAtMostOnce, count, words) in [
      (21, true, 13, "13 of 21 pushes are left, 2 of them deferred"),
      (15, true, 7, "7 of 15 pushes are left, 2 of them deferred"),
      (0, true, 7, "7 of 15 pushes are left, 2 of them deferred"),
      (0, false, 8, "8 of 15 pushes are left, 2 of them deferred"),
    ] {
      let run = entry(tally, lines: lines, isAtMostOnce: isAtMostOnce)
      let left = QueueRemainder(run, now: 0)
      #expect(left.count == count && left.deferred == 2 && left.words == words)
    }
    var one = OutcomeTally()
    one.notAttempted = 1
    #expect(QueueRemainder(entry(one, lines: 1), now: 0).words == "1 of 1 push is left")
    #expect(QueueRemainder(entry(one, lines: 2), now: 0).words == "2 of 2 pushes are left")
  }

  private func entry(
    _ tally: OutcomeTally, lines: Int, isAtMostOnce: Bool = false
  ) -> RunEntry {
    let sample = run().entry
    var record = sample.record
    record.atMostOnce = isAtMostOnce
    return RunEntry(
      run: sample.run, record: record, state: .interrupted, ended: nil, tally: tally,
      recipients: RecipientCounts(lines: lines), claimed: tally.total, last: nil, resumptions: 0)
  }

  @Test(
    "finds credentials by a name that is no secret",
    arguments: ["key DEF123GHIJ/ABC123DEFG", "certificate Apple Push Services: com.example.shop"])
  func names(_ text: String) throws {
    #expect(try #require(CredentialID(text: text)).text == text)
  }

  @Test(
    "knows no other names of credentials",
    arguments: [
      "", "key", "key ABC123DEFG", "key def123ghij/ABC123DEFG", "command rm -rf", "certificate",
    ])
  func otherNames(_ text: String) { #expect(CredentialID(text: text) == nil) }

  @Test("is for runs of its own service, whatever their port, and for no other")
  func environments() throws {
    for (options, environment, fits) in [
      ([], "sandbox", true), ([], "production", false), (["--port", "2197"], "sandbox", true),
      ([], "https://api.sandbox.push.apple.com:2197", true),
      ([], "https://api.push.apple.com:2197", false), ([], "https://evil.example", false),
      ([], "emulator", false), ([], "", false),
    ] as [([String], String, Bool)] {
      let settings = try WorkCommand.parse(["--env", "sandbox"] + options).work.settings
      let server = try ServerChoice(settings.merged(context()), context())
      #expect(server.isFor(record(environment)) == fits, "\(options) \(environment)")
    }
    let settings = try WorkCommand.parse(["--server", "https://a.example:1"]).work.settings
    let server = try ServerChoice(settings.merged(context()), context())
    #expect(server.isFor(record("https://a.example:1")))
    #expect(!server.isFor(record("https://a.example:2")))
  }

  private func record(_ environment: String) -> RunRecord {
    RunRecord(
      started: 0, environment: environment, version: "0",
      identity: RunIdentity(given: nil, bits: APNSID.RunBits(1, 2)))
  }
}
