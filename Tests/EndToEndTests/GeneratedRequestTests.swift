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
  private static let settings = """
    request-timeout = 20.0
    warnings = false
    headers = { Authorization = "Bearer ${INBOX_KEY}" }

    [generation]
    max-examples = 20
    no-shrink = true

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

  @Test("are answered as it says, in every phase", .needs(generator))
  func all() throws {
    let python = try Self.generator.python
    try withFanfare { fanfare in
      let emulator = try RunningCommand(fanfare, "--inbox", "0")
      let inbox = try #require(emulator.ready["inbox"]?.string)
      let parts = inbox.split(separator: "key=")
      let root = try #require(parts.first).prefix { $0 != "?" && $0 != "#" }
      let settings = try fanfare.folder.write("schemathesis.toml", Self.settings)
      let description = URL(filePath: #filePath).appending(path: "../../../docs/inbox-api.json")
      let run = try Program(
        path: python,
        [
          "-c", "from schemathesis.cli import schemathesis; schemathesis()", "--config-file",
          settings, "run", description.standardized.path,
          "--url", String(root.dropLast()), "--seed", "35", "--no-color",
        ],
        in: fanfare.folder,
        environment: ["INBOX_KEY": parts.last.map(String.init) ?? ""]
      ).finish()
      #expect(run.exitCode == 0, "\(run.output.suffix(6000))")
      #expect(try emulator.end() == 143)
    }
  }
}
