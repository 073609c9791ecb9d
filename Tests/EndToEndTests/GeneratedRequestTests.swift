import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("Requests that schemathesis generates from the API's description")
struct GeneratedRequestTests {
  private static let generator = PythonPackages(
    ["schemathesis==4.32.5"], folder: "schemathesis", proof: "import schemathesis")

  /// All phases, with as many examples as take half a minute.
  private static let common = """
    request-timeout = 20.0
    warnings = false
    headers = { Authorization = "Bearer ${SERVER_KEY}" }

    [generation]
    max-examples = 20
    no-shrink = true


    """

  private static let inbox = """
    # A stream that does not end.
    [[operations]]
    include-operation-id = "followEvents"
    enabled = false

    # Nobody sends the pushes that it would wait for.
    [[operations]]
    include-operation-id = "waitForPushes"
    parameters = { timeout = "0s" }

    # OpenAPI has no way to ask for a content type where there is no body.
    [[operations]]
    include-method = "DELETE"
    headers = { Content-Type = "application/json" }

    # A schema cannot compare two values, such as the times of a stall.
    [[operations]]
    include-operation-id = "putScript"
    [operations.checks]
    positive_data_acceptance.enabled = false
    """

  private static let studio = """
    # A schema cannot say which paths and words are allowed.
    [checks]
    positive_data_acceptance.enabled = false

    [[operations]]
    include-operation-id = "followRun"
    enabled = false

    # OpenAPI has no way to ask for a content type where there is no body.
    [[operations]]
    include-operation-id = "cancelRun"
    headers = { Content-Type = "application/json" }

    [[operations]]
    include-operation-id = "restoreFile"
    headers = { Content-Type = "application/json" }
    """

  @Test("are answered by the inbox as it says, in every phase", .needs(generator))
  func inbox() throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(fanfare, "--inbox", "0")
      let url = try #require(emulator.ready["inbox"]?.string)
      try ask(url, Self.inbox, "inbox-api.json", fanfare)
      #expect(try emulator.end() == 143)
    }
  }

  @Test("are answered by the studio as it says, in every phase", .needs(generator))
  func studio() throws {
    try withFanfare { fanfare in
      try fanfare.folder.makeFolder("shop")
      let studio = try fanfare.start(["studio", "shop"])
      try ask(try #require(studio.readLine()), Self.studio, "studio-api.json", fanfare)
      studio.send(SIGTERM)
      #expect(studio.waitForEnd() == 143)
    }
  }

  private func ask(
    _ url: String, _ settings: String, _ description: String, _ fanfare: Fanfare
  ) throws {
    let python = try Self.generator.python
    let parts = url.split(separator: "key=")
    let root = try #require(parts.first).prefix { $0 != "?" && $0 != "#" }
    let settings = try fanfare.folder.write("schemathesis.toml", Self.common + settings)
    let file = projectFolder.appending(path: "docs/\(description)")
    let run = try Program(
      path: python,
      [
        "-c", "from schemathesis.cli import schemathesis; schemathesis()", "--config-file",
        settings, "run", file.standardized.path,
        "--url", String(root.dropLast()), "--seed", "35", "--no-color",
      ],
      in: fanfare.folder, environment: ["SERVER_KEY": parts.last.map(String.init) ?? ""]
    ).finish()
    #expect(run.exitCode == 0, "\(run.output.suffix(6000))")
  }
}
