import APNS
import CommandLineKit
import Testing

@testable import PushModel
@testable import fanfare

@Suite("What the history keeps of a run's options")
struct RunSettingsTests {
  private func settings(_ words: [String]) -> RunSettings {
    RunSettings(
      words: words, folder: "/lists",
      recipients: [.list(.init(path: "run 12", fingerprint: nil))], suppressed: [],
      isTemplate: true, resends: RunNumber(rawValue: 12))
  }

  @Test("is read as it was written", arguments: [nil, RunNumber(rawValue: 12)])
  func roundTrip(resends: RunNumber?) {
    var settings = settings(["--env", "sandbox", "--keep-payloads"])
    settings.resends = resends
    #expect(RunSettings(json: settings.json) == settings)
  }

  @Test("gives way to where and who a command says, and its payloads stay kept")
  func options() throws {
    let words = ["--env", "sandbox", "--key", "/a.p8", "--rate", "5/s", "--keep-payloads"]
    let silent = try settings(words).options(.init(), .init(), .init())
    #expect(silent.server.environment == .sandbox && silent.credentials.key == "/a.p8")
    var (server, credentials) = (ServerOptions(), CredentialOptions())
    server.environment = .production
    credentials.certificate = "b.p12"
    var telling = TellingOptions()
    telling.json = true
    let said = try settings(words).options(server, credentials, telling)
    #expect(said.server.environment == .production)
    #expect(said.credentials.certificate == "b.p12" && said.credentials.key == nil)
    #expect(said.telling.json && said.telling.keepPayloads && said.running.rate != nil)
    let own = try settings(["--server", "https://a.b:1", "--ca", "/ca.pem"]).options(
      server, credentials, telling)
    #expect(own.server.server == nil && own.server.roots == nil)
    server = ServerOptions()
    server.roots = "new.pem"
    let trusting = try settings(["--server", "https://a.b:1", "--ca", "/ca.pem"]).options(
      server, credentials, telling)
    #expect(trusting.server.server != nil && trusting.server.roots == "new.pem")
    #expect(throws: Failure.self) {
      try settings(["--no-such-option"]).options(server, credentials, telling)
    }
  }
}
