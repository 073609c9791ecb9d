import APNS
import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

/// Apple's hosts are emulators behind a proxy; no push leaves this machine.
@Suite("The environment of a named device")
struct DevicePlaceTests {
  private struct Bench {
    let fanfare: Fanfare
    let services: AppleServices
    let local: Server

    init(_ fanfare: Fanfare) throws {
      self.fanfare = fanfare
      services = try AppleServices()
      local = try Server(fanfare)
      try fanfare.folder.write("apple.pem", services.authorities)
      for (name, token, place) in [("dev", 1, "sandbox"), ("shop", 2, "production")] {
        _ = try fanfare.run(["device", "add", name, tokenText(token), "--env", place])
      }
      _ = try fanfare.run(["device", "add", "mock", tokenText(3), "--env", "emulator"])
      try write(profile: "sandbox")
    }

    /// - Parameter other: the server of the profile `far`, which is on another machine.
    func write(profile name: String, other: String = "https://apns.invalid") throws {
      try fanfare.folder.write(
        "fanfare.json",
        """
        {default: '\(name)', profiles: {
          emulator: {environment: 'emulator'}, sandbox: {environment: 'sandbox'},
          production: {environment: 'production'}, inbox: {environment: 'inbox'},
          near: {environment: {server: '\(local.emulator.url)', ca: 'ca.pem'}},
          far: {environment: {server: '\(other)'}}}}
        """)
    }

    /// What arrived at Apple's two and on this machine.
    var counts: [Int] {
      [services.sandbox, services.production, local.emulator].map(\.requestCount)
    }

    func send(_ words: [String], _ variables: [String: String] = [:]) throws -> Program.Result {
      let apple = ["FANFARE_CA": "apple.pem", "HTTPS_PROXY": services.proxy.url]
      let what = ["send", "--bundle-id", "a.b", "--title", "Hi"] + credentials
      return try fanfare.run(what + words, environment: apple.merging(variables) { $1 })
    }
  }

  /// What is said beside `--to dev`, a device for the sandbox, and where the push arrives: at the
  /// sandbox, production, or the server on this machine.
  struct Row: CustomTestStringConvertible {
    var words: [String] = []
    var variables: [String: String] = [:]
    var usual = "sandbox"
    var arrives: [Int] = [0, 0, 0]
    var says = ""
    var testDescription: String { "\(words) \(variables) \(usual)" }
  }

  static let rows = [
    Row(words: ["--profile", "emulator"], says: "emulator (profile emulator), though dev is for"),
    Row(usual: "emulator", says: "emulator (profile emulator), though dev is for sandbox"),
    Row(variables: ["FANFARE_ENV": "emulator"], says: "emulator (FANFARE_ENV), though dev"),
    Row(
      variables: ["FANFARE_PROFILE": "emulator"], says: "emulator (profile emulator), though dev"),
    Row(
      words: ["--profile", "near"], arrives: [0, 0, 1], says: "(profile near), though dev is for"),
    Row(usual: "near", arrives: [0, 0, 1], says: "(profile near), though dev is for sandbox"),
    Row(words: ["--env", "emulator"]),
    Row(arrives: [1, 0, 0]), Row(usual: "production", arrives: [1, 0, 0]),
    Row(variables: ["FANFARE_ENV": "sandbox"], arrives: [1, 0, 0]),
    Row(variables: ["FANFARE_ENV": "auto"], arrives: [1, 0, 0]),
    // Nobody trusts the project, so that its server gets nothing.
    Row(usual: "far", arrives: [1, 0, 0]), Row(words: ["--profile", "far"], arrives: [1, 0, 0]),
  ]

  @Test("ranks below what is said to go to an emulator or stay on this machine", arguments: rows)
  func places(_ row: Row) throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      try bench.write(profile: row.usual)
      let sent = try bench.send(["--to", "dev"] + row.words, row.variables)
      #expect(sent.exitCode == 0 && bench.counts == row.arrives, "\(sent)")
      #expect(row.says.isEmpty != sent.output.contains("though"), "\(sent.output)")
      #expect(sent.output.contains(row.says) || row.says.isEmpty, "\(sent.output)")
      let shown = try fanfare.run(
        ["config", "show", "--to", "dev"] + row.words, environment: row.variables)
      #expect(shown.output.contains(row.says) || row.says.isEmpty, "\(shown.output)")
    }
  }

  @Test("of several is told in a summary, where they differ too")
  func several() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      let sent = try bench.send(["--to", "dev", "--to", "shop", "--profile", "emulator"])
      let told = "emulator (profile emulator), though dev is for sandbox, and 1 more"
      #expect(sent.exitCode == 0 && sent.output.contains(told), "\(sent)")
      let undecided = try bench.send(["--to", "dev", "--to", "shop"])
      #expect(undecided.exitCode == 2 && undecided.errors.contains("give --env"))
      let json = try bench.send(["--to", "dev", "--profile", "emulator", "--json=environment"])
      #expect(json.output.contains("\"emulator\""), "\(json)")
    }
  }

  @Test("yields to another server of a trusted project, or of one's own")
  func otherServer() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      for usual in ["far", "sandbox"] {
        try bench.write(profile: usual)
        let words = ["--to", "dev", "--profile", "far", "--timeout", "1s", "--proxy", ""]
        let trusted = try bench.send(words + ["--trust-project"])
        #expect(trusted.exitCode == 3 && bench.counts == [0, 0, 0], "\(trusted)")
      }
      let variable = ["FANFARE_SERVER": bench.local.emulator.url, "FANFARE_CA": "ca.pem"]
      #expect(try bench.send(["--to", "dev"], variable).exitCode == 0)
      #expect(bench.counts == [0, 0, 1])
    }
  }

  @Test(
    "that is Apple's other one is asked about where somebody chose",
    arguments: [
      (["--profile", "production"], [:]), ([], ["FANFARE_ENV": "production"]),
      ([], ["FANFARE_PROFILE": "production"]),
    ] as [([String], [String: String])])
  func conflict(_ row: ([String], [String: String])) throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      let refused = try bench.send(["--to", "dev"] + row.0, row.1)
      #expect(refused.exitCode == 2 && bench.counts == [0, 0, 0], "\(refused)")
      let namer = row.1["FANFARE_ENV"] == nil ? "profile production" : "FANFARE_ENV"
      #expect(
        refused.errors.contains("'dev' is for sandbox, and \(namer) sends to production."),
        "\(refused.errors)")
      #expect(refused.errors.contains("--yes to send there"))
      let chosen = try bench.send(["--to", "dev", "--env", "sandbox"] + row.0, row.1)
      #expect(chosen.exitCode == 0 && bench.counts == [1, 0, 0], "\(chosen)")
      let sure = try bench.send(["--to", "dev", "--yes"] + row.0, row.1)
      #expect(sure.exitCode == 0 && bench.counts == [1, 1, 0], "\(sure)")
      // A device for an emulator never goes to Apple unasked.
      #expect(try bench.send(["--to", "mock"] + row.0, row.1).exitCode == 0)
      #expect(bench.counts == [1, 1, 0])
    }
  }

  @Test("counts in scenarios the same")
  func scenario() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      try bench.write(profile: "emulator")
      try fanfare.folder.write(
        "s.json5",
        """
        {bundleID: 'a.b', recipients: ['device:dev'],
         notification: {payload: {aps: {alert: 'Hi'}}}}
        """)
      let run = try fanfare.run(["run", "s.json5"] + credentials)
      #expect(run.exitCode == 0 && bench.counts == [0, 0, 0], "\(run)")
      let shown = try fanfare.run(["config", "show", "s.json5"])
      #expect(shown.output.contains("emulator (profile emulator), though dev is for sandbox"))
    }
  }
}
