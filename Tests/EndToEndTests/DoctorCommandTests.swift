import Foundation
import HTTP2
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare doctor")
struct DoctorCommandTests {
  private static let app = ["--bundle-id", "com.example.app"]

  /// The verdict of each step, by its name.
  private func verdicts(_ output: String) throws -> [String: String] {
    let steps = try #require(try JSON(text: output)["steps"]?.array)
    #expect(steps.count == 12)
    let pairs = steps.map { ($0["step"]?.string ?? "", $0["verdict"]?.string ?? "") }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  private func expect(
    _ result: Program.Result, breaksAt step: String, after good: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let verdicts = try verdicts(result.output)
    #expect(result.exitCode == 3 && verdicts[step] == "broken", sourceLocation: sourceLocation)
    let missed = verdicts.values.count { $0 == "notReached" }
    #expect(missed == 11 - good, sourceLocation: sourceLocation)
    #expect(try JSON(text: result.output)["verdict"] == "broken", sourceLocation: sourceLocation)
  }

  @Test("proves the emulator in its own process, with a key and without")
  func emulator() throws {
    try withFanfare { fanfare in
      let words = ["doctor", "--env", "emulator"] + Self.app
      for credentials in [[], credentials] {
        let text = try fanfare.run(words + credentials)
        #expect(text.exitCode == 0 && text.errors == "", "\(text.output)")
        #expect(text.output.contains("400 BadDeviceToken: the credentials are good."))
        #expect(
          text.output.hasSuffix("Every step works, from the credentials to the answer from APNs.\n")
        )
        let json = try fanfare.run(words + credentials + ["--json"])
        #expect(json.exitCode == 0)
        #expect(Set(try verdicts(json.output).values) == ["ok"])
      }
      #expect(try fanfare.folder.names().filter { $0.hasPrefix("fanfare-ca") } == [])
    }
  }

  @Test("proves another server, and the network alone without a key")
  func server() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let signed = try fanfare.run(["doctor", "--json"] + server.place + credentials + Self.app)
      #expect(try signed.exitCode == 0 && verdicts(signed.output)["push"] == "ok")
      let network = try fanfare.run(["doctor", "--json"] + server.place)
      #expect(try network.exitCode == 0 && verdicts(network.output)["tls"] == "ok")
      #expect(server.emulator.requestCount == 1)
      let text = try fanfare.run(["doctor"] + server.place)
      #expect(text.output.contains("Give --key AuthKey_….p8 and --team-id"))
    }
  }

  @Test("names a key that the server does not know")
  func otherKey() throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(
        fanfare, "--trust", keyFile, "--team-id", "ZZZZZZZZZZ")
      let place = ["--server", emulator.url, "--ca", emulator.ready["ca"]?.string ?? ""]
      let result = try fanfare.run(["doctor"] + place + credentials + Self.app)
      #expect(result.exitCode == 3)
      #expect(result.output.contains("403 InvalidProviderToken"))
      #expect(result.output.contains("Most likely: The key ID and team ID are swapped"))
      #expect(result.output.hasSuffix("Step 11, test push, is broken.\n"))
      #expect(try emulator.end() == 143)
    }
  }

  @Test("names a certificate that has expired, as text and as JSON")
  func expired() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.certificate.validUntil = -60
      let server = try Server(fanfare, configuration)
      let text = try fanfare.run(["doctor"] + server.place)
      #expect(text.exitCode == 3 && text.output.contains("has expired"))
      #expect(text.output.contains("Check this machine's clock first"))
      #expect(text.output.contains("not reached 12"))
      try expect(fanfare.run(["doctor", "--json"] + server.place), breaksAt: "tls", after: 7)
    }
  }

  @Test("names a proxy that wants a password, and never the one it was given")
  func proxy() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let proxy = try TestProxy(credentials: .init(user: "ada", password: "lovelace"))
      let url = "http://ada:byronbyron@127.0.0.1:\(proxy.port)"
      let words = ["doctor", "--json", "--timeout", "20s"] + server.place
      let result = try fanfare.run(words, environment: ["HTTPS_PROXY": url])
      try expect(result, breaksAt: "proxy", after: 6)
      #expect(result.output.contains("407") && result.output.contains("HTTPS_PROXY"))
      #expect(!(result.output + result.errors).contains("byronbyron"))
      let good = "http://ada:lovelace@127.0.0.1:\(proxy.port)"
      let through = try fanfare.run(words, environment: ["HTTPS_PROXY": good])
      #expect(through.exitCode == 0 && !through.output.contains("lovelace"))
    }
  }

  static let keys: [(words: [String], step: String, says: String)] = [
    (["--key", "none.p8", "--team-id", "DEF123GHIJ"], "credentials", "none.p8"),
    (["--key", "ca.pem", "--key-id", "ABC123DEFG", "--team-id", "DEF123GHIJ"], "credentials", ""),
    (["--key", keyFile], "identifiers", "--team-id"),
    (["--key", keyFile, "--team-id", "short"], "identifiers", "--team-id"),
    (
      ["--key", keyFile, "--key-id", "DEF123GHIJ", "--team-id", "ABC123DEFG"], "identifiers",
      "swapped"
    ),
    (["--team-id", "DEF123GHIJ"], "credentials", "--key"),
  ]

  @Test("finds fault with key and ids before anything is connected", arguments: keys)
  func badKey(_ row: (words: [String], step: String, says: String)) throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let result = try fanfare.run(["doctor", "--json"] + server.place + row.words)
      try expect(result, breaksAt: row.step, after: row.step == "credentials" ? 0 : 1)
      #expect(row.says.isEmpty || result.output.contains(row.says), "\(result.output)")
      #expect(server.emulator.connectionCount == 0)
    }
  }

  @Test("touches production only when it was told to")
  func production() throws {
    let result = try withFanfare { try $0.run(["doctor", "--env", "production"]) }
    #expect(result.exitCode == 2 && result.errors.contains("--yes") && result.output == "")
  }

  @Test("waits no longer than --timeout for a server that says nothing")
  func silent() throws {
    let listener = try Listener()
    let words = ["doctor", "--json", "--timeout", "2s"]
    let place = ["--server", "https://127.0.0.1:\(listener.port)"]
    try expect(withFanfare { try $0.run(words + place) }, breaksAt: "tls", after: 7)
  }
}
