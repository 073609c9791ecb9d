import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

/// Apple's two services with a refusal each, and who asks them.
private struct TwoServices {
  let services: AppleServices
  let fanfare: Fanfare

  init(_ fanfare: Fanfare, sandbox: Reason? = nil, production: Reason? = nil) throws {
    self.fanfare = fanfare
    services = try AppleServices(
      sandbox: { _ in sandbox.map { .reject($0) } },
      production: { _ in production.map { .reject($0) } })
    try fanfare.folder.write("ca.pem", services.authorities)
  }

  var sandbox: Emulator { services.sandbox }
  var production: Emulator { services.production }
  var proxy: TestProxy { services.proxy }

  func send(_ words: String..., environment: String? = "auto") throws -> Program.Result {
    let place = environment.map { ["--env", $0] } ?? []
    return try fanfare.run(
      [
        "send", "--title", "Hi", "--to", device("0a1b2c3d4e5f"), "--ca", "ca.pem", "--proxy",
        proxy.url,
      ] + place + words)
  }
}

@Suite("The environment of a device token")
struct EnvironmentSearchTests {
  /// What the two services answer, and what becomes of it.
  struct Row: CustomTestStringConvertible {
    let sandbox: Reason?
    let production: Reason?
    let code: Int32
    let asked: [String]
    var testDescription: String {
      [sandbox, production].map { $0?.rawValue ?? "accepted" }.joined(separator: ", ")
    }
  }

  static let rows = [
    Row(sandbox: nil, production: .badDeviceToken, code: 0, asked: ["sandbox"]),
    Row(sandbox: .badDeviceToken, production: nil, code: 0, asked: ["sandbox", "production"]),
    Row(sandbox: .badEnvironmentKey, production: nil, code: 0, asked: ["sandbox", "production"]),
    Row(
      sandbox: .badDeviceToken, production: .unregistered, code: 1,
      asked: ["sandbox", "production"]),
    Row(
      sandbox: .badDeviceToken, production: .badDeviceToken, code: 1,
      asked: ["sandbox", "production"]),
    Row(sandbox: .unregistered, production: nil, code: 1, asked: ["sandbox"]),
    Row(sandbox: .topicDisallowed, production: nil, code: 1, asked: ["sandbox"]),
  ]

  @Test("is looked for in the sandbox, then in production", arguments: rows)
  func auto(_ row: Row) throws {
    try withFanfare { fanfare in
      let services = try TwoServices(
        fanfare, sandbox: row.sandbox, production: row.production)
      let words = ["--bundle-id", "com.example.shop", "--results", "r.jsonl"] + credentials
      let result = try services.fanfare.run(
        [
          "send", "--title", "Hi", "--to", device("0a1b2c3d4e5f"), "--ca", "ca.pem", "--proxy",
          services.proxy.url, "--env", "auto", "--json",
        ] + words)
      #expect(result.exitCode == row.code, "\(result.errors)")
      let json = try JSON(text: result.output)
      #expect(json["environment"]?.string == row.asked.last)
      #expect(json["asked"]?.array?.compactMap { $0["environment"]?.string } == row.asked)
      #expect(try fanfare.folder.lines("r.jsonl").count == row.asked.count)
      #expect(services.sandbox.requestCount == 1)
      #expect(services.production.requestCount == row.asked.count - 1)
    }
  }

  @Test("is told to a person, with what each service said")
  func text() throws {
    try withFanfare { fanfare in
      let found = try TwoServices(fanfare, sandbox: .badDeviceToken)
        .send("--bundle-id", "a.b", "--key", keyFile, "--team-id", "DEF123GHIJ")
      #expect(found.errors.contains("sandbox: 400 BadDeviceToken; asking the next environment"))
      #expect(found.output.contains("belongs to") && found.output.contains("production"))
      let lost = try TwoServices(
        fanfare, sandbox: .badDeviceToken, production: .badDeviceToken
      ).send("--bundle-id", "a.b", "--key", keyFile, "--team-id", "DEF123GHIJ")
      #expect(lost.output.contains("\n  sandbox: 400 BadDeviceToken\n"))
      #expect(lost.output.contains("\n  production: 400 BadDeviceToken\n"))
      #expect(!lost.output.contains("\n  belongs to") && !lost.output.contains("--env"))
    }
  }

  @Test("is asked of a certificate first", arguments: ["shop", "sandbox", "production"])
  func certificate(_ name: String) throws {
    try withFanfare { fanfare in
      _ = try CredentialWorkshop(in: fanfare.folder)
      let services = try TwoServices(fanfare, sandbox: .badDeviceToken, production: nil)
      let result = try services.send("--cert", "\(name).pem", "--cert-key", "\(name).key")
      #expect(result.exitCode == (name == "sandbox" ? 1 : 0), "\(result.errors)")
      #expect(services.sandbox.connectionCount == (name == "production" ? 0 : 1))
      #expect(services.production.connectionCount == (name == "sandbox" ? 0 : 1))
      let isSaid = result.errors.contains("the only one of the certificate")
      #expect(isSaid == (name != "shop"))
    }
  }

  @Test(
    "that is the wrong one is the first suspect",
    arguments: [
      ("sandbox", "--env production"), ("production", "--env sandbox"),
    ])
  func suspect(_ row: (environment: String, fix: String)) throws {
    try withFanfare { fanfare in
      let services = try TwoServices(
        fanfare, sandbox: .badDeviceToken, production: .badDeviceToken)
      let signed = ["--bundle-id", "a.b", "--key", keyFile, "--team-id", "DEF123GHIJ"]
      for words in [signed, signed + ["--json"]] {
        let result = try services.fanfare.run(
          [
            "send", "--title", "Hi", "--to", device("0a1b2c3d4e5f"), "--ca", "ca.pem", "--proxy",
            services.proxy.url, "--env", row.environment,
          ] + words)
        #expect(result.exitCode == 1)
        #expect(result.output.contains(row.fix), "\(result.output)")
        guard words.contains("--json") else { continue }
        let cause = try JSON(text: result.output)["cause"]
        #expect(cause?["fix"]?.string?.contains(row.fix) == true)
      }
    }
  }

  @Test("is looked for with one recipient only")
  func several() throws {
    try withFanfare { fanfare in
      let result = try fanfare.run(
        [
          "send", "--title", "Hi", "--to", device("0a1b"), "--to", device("0a1c"), "--env", "auto",
          "--bundle-id",
          "a.b",
        ] + credentials)
      #expect(result.exitCode == 2)
      #expect(result.errors.contains("--env auto works with a single recipient only."))
    }
  }

  @Test("is looked for as the variable or the scenario says, and a dry run shows both requests")
  func elsewhere() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "a.json5",
        """
        {environment: "auto", recipients: ["\(device("0a1b"))"], bundleID: "a.b",
         notification: {payload: {aps: {alert: "Hi"}}}}
        """)
      let byScenario = try fanfare.run(["run", "a.json5", "--dry-run"])
      let byVariable = try fanfare.run(
        ["send", "--title", "Hi", "--to", device("0a1b"), "--bundle-id", "a.b", "--dry-run"],
        environment: ["FANFARE_ENV": "auto"])
      for result in [byScenario, byVariable] {
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.output.contains("host: api.sandbox.push.apple.com\n"))
        #expect(result.output.contains("host: api.push.apple.com\n"))
      }
    }
  }
}
