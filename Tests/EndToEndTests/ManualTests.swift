import SendingSupport
import TestSupport
import Testing

@Suite("fanfare manual on a terminal")
struct ManualTests {
  /// Runs it with these programs, and nothing else, in PATH.
  private func screen(
    _ programs: [String: String], _ environment: [String: String] = [:],
    of words: [String] = ["manual"]
  ) throws -> String {
    try withFanfare { fanfare in
      try fanfare.folder.makeFolder("bin")
      for (name, script) in programs {
        try fanfare.folder.writeProgram("bin/\(name)", "#!/bin/sh\n\(script)\n")
      }
      let variables = ["TERM": "xterm", "PATH": fanfare.folder.file("bin")]
      let program = try TerminalProgram(
        path: Fanfare.path, words, in: fanfare.folder,
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

  private static let shell = ["sh": #"exec /bin/sh "$@""#]

  @Test("so help opens in the pager that PAGER names, but not the short one")
  func help() throws {
    let pager = ["PAGER": #"{ read -r line; echo "pager shows: $line"; }"#]
    for words in [["send", "--help"], ["help", "send"], ["history"]] {
      #expect(try screen(Self.shell, pager, of: words).hasPrefix("pager shows: S"), "\(words)")
    }
    for words in [["send", "-h"], [], ["version"]] {
      #expect(try !screen(Self.shell, pager, of: words).contains("pager"), "\(words)")
    }
  }

  @Test("help opens in less, and is printed without one, or if PAGER is empty or missing")
  func less() throws {
    let help = ["send", "--help"]
    let less = ["less": #"read -r line; echo "less $LESS shows: $line""#]
    let programs = Self.shell.merging(less) { $1 }
    #expect(try screen(programs, of: help).hasPrefix("less FRX shows: Send a notification"))
    #expect(try screen(programs, ["LESS": "R"], of: help).hasPrefix("less R shows: Send"))
    #expect(try screen(Self.shell, of: help).hasPrefix("Send a notification"))
    #expect(try screen(programs, ["PAGER": ""], of: help).hasPrefix("Send a notification"))
    let missing = try screen(programs, ["PAGER": "none"], of: help)
    #expect(missing.contains("not found") && missing.contains("Send a notification"))
    #expect(try screen(programs, ["TERM": "dumb"], of: help).hasPrefix("Send a notification"))
  }

  @Test("help is never shown in a pager without a terminal")
  func noTerminal() throws {
    let result = try withFanfare {
      try $0.run(["send", "--help"], environment: ["PAGER": "echo pager; cat", "TERM": "xterm"])
    }
    #expect(result.exitCode == 0 && result.output.hasPrefix("Send a notification"))
    #expect(!result.output.contains("pager") && result.errors.isEmpty)
  }
}
