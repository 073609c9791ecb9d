import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("Python clients of others, unmodified")
struct PythonClientTests {
  private static let aioapns = PythonPackages(
    ["aioapns==4.0"], folder: "aioapns", proof: "import aioapns")
  private static let apns2 = PythonPackages(
    ["apns2-up==0.9.0"], folder: "apns2-up", proof: "import apns2.client")

  /// apns2 needs `ssl.match_hostname`, which Python 3.12 removed.
  private static let hasOldPython =
    (try? output(of: "python3", "-c", "import ssl; ssl.match_hostname")) == ""

  /// The programs that docs/clients.md shows.
  static let programs = ((try? MarkdownPage("docs/clients.md").blocks(in: ["python"])) ?? []).map {
    $0.joined(separator: "\n") + "\n"
  }

  @Test("are all in the document")
  func some() {
    #expect(Self.programs.map { $0.contains("aioapns") } == [true, false])
    #expect(Self.programs.last?.contains("apns2.client") == true)
  }

  @Test("aioapns sends to the emulator, and finds in the inbox what it sent", .needs(aioapns))
  func newer() throws {
    try expectUse(of: Self.programs.first, by: Self.aioapns)
  }

  @Test(
    "apns2 sends to the emulator, and finds in the inbox what it sent",
    .enabled(if: hasOldPython, "apns2 needs Python 3.11 or older"), .needs(apns2))
  func older() throws {
    try expectUse(of: Self.programs.last, by: Self.apns2)
  }

  private func expectUse(of program: String?, by packages: PythonPackages) throws {
    let (program, python) = (try #require(program), try packages.python)
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
