import SendingSupport
import TestSupport
import Testing

@Suite("fanfare manual on a terminal")
struct ManualTests {
  /// Runs it with these programs, and nothing else, in PATH.
  private func screen(
    _ programs: [String: String], _ environment: [String: String] = [:]
  ) throws -> String {
    try withFanfare { fanfare in
      try fanfare.folder.makeFolder("bin")
      for (name, script) in programs {
        let path = try fanfare.folder.write("bin/\(name)", "#!/bin/sh\n\(script)\n")
        _ = try run("chmod", ["+x", path], in: fanfare.folder)
      }
      let variables = ["TERM": "xterm", "PATH": fanfare.folder.file("bin")]
      let program = try TerminalProgram(
        path: Fanfare.path, ["manual"], in: fanfare.folder,
        environment: variables.merging(environment) { $1 })
      #expect(program.finish() == 0, "\(program.screen)")
      let names = try fanfare.folder.names()
      #expect(!names.contains { $0.hasPrefix("fanfare-manual") })
      return program.screen
    }
  }

  private static let man = #"for file; do :; done; read -r line <"$file"; echo "man shows: $line""#

  @Test("opens in man")
  func man() throws {
    let screen = try screen(["man": Self.man], ["PAGER": "false"])
    #expect(screen.hasPrefix("man shows: .Dd "))
  }

  @Test("without man is plain text in the pager that PAGER names")
  func pager() throws {
    let shell = ["sh": #"exec /bin/sh "$@""#]
    let pager = #"read -r line; echo "pager shows: $line"; :"#
    for programs in [shell, shell.merging(["man": "exit 16"]) { $1 }] {
      let screen = try screen(programs, ["PAGER": "{ \(pager); }"])
      #expect(screen.hasPrefix("pager shows: Send Apple push notifications"), "\(screen)")
    }
  }

  @Test("without both is printed as plain text")
  func plain() throws {
    let screen = try screen([:])
    #expect(screen.hasPrefix("Send Apple push notifications"))
    #expect(screen.contains("Usage: fanfare history resend "))
  }
}
