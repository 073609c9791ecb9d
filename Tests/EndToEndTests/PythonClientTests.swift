import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("Python clients of others")
struct PythonClientTests {
  /// What the second one needs of Python is not in every version of it.
  private static let clients = PythonPackages(
    ["aioapns==4.0", "apns2-up==0.9.0"], folder: "python-clients",
    proof: "import aioapns, apns2.client, ssl; ssl.match_hostname")

  /// The programs that docs/clients.md shows.
  static let programs = ((try? MarkdownPage("docs/clients.md").blocks(in: ["python"])) ?? []).map {
    $0.joined(separator: "\n") + "\n"
  }

  @Test("are all in the document")
  func some() {
    #expect(Self.programs.map { $0.contains("aioapns") } == [true, false])
    #expect(Self.programs.last?.contains("apns2.client") == true)
  }

  @Test(
    "send to the emulator unmodified, and find in the inbox what they sent",
    .enabled(
      if: clients.python != nil,
      "python3 cannot install \(clients.requirements.joined(separator: " and "))"),
    arguments: programs)
  func sends(_ program: String) throws {
    let python = try #require(Self.clients.python)
    try withFanfare { fanfare in
      let emulator = try RunningCommand(fanfare, "--inbox", "0")
      let script = try fanfare.folder.write("client.py", program)
      let result = try Program(
        path: python, [script], in: fanfare.folder, environment: environment(of: emulator)
      ).finish()
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(try emulator.end() == 143)
    }
  }

  private func environment(of emulator: RunningCommand) -> [String: String] {
    [
      "APNS_PORT": emulator.url.split(separator: ":").last.map(String.init) ?? "",
      "APNS_CA": emulator.ready["ca"]?.string ?? "",
      "INBOX": emulator.ready["inbox"]?.string ?? "",
    ]
  }
}
