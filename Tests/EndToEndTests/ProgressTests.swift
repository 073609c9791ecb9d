import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("Progress on a terminal", .timeLimit(.minutes(15)))
struct ProgressTests {
  private func start(_ fanfare: Fanfare, term: String, _ words: [String]) throws -> TerminalProgram
  {
    var list = tokenList(400).split(separator: "\n").map(String.init)
    list.insert("no token", at: 300)
    try fanfare.folder.write("list.txt", list.joined(separator: "\n"))
    let send = [
      "send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi", "--tokens", "list.txt",
      "--rate", "400/s",
    ]
    return try TerminalProgram(
      path: Fanfare.path, send + words, in: fanfare.folder,
      environment: ["TERM": term, "NO_COLOR": "1"])
  }

  @Test("is one line at the bottom, gone when the summary comes")
  func line() throws {
    try withFanfare { fanfare in
      let program = try start(fanfare, term: "xterm", [])
      #expect(program.finish() == 1)
      let screen = Screen(program.screen)
      #expect(program.screen.contains("/400  ") && program.screen.contains("  ETA 0:0"))
      #expect(!screen.lines.contains { $0.contains("ETA") })
      #expect(screen.lines.contains { $0.hasPrefix("list.txt:301: skipped: ") })
      #expect(screen.lines.contains { $0.hasPrefix("accepted ") && $0.hasSuffix("400") })
    }
  }

  static let silent: [(term: String, words: [String])] = [
    ("dumb", ["--no-history"]), ("xterm", ["--quiet"]), ("xterm", ["--json"]),
    ("xterm", ["--results", "-"]), ("xterm", ["--progress", "never"]),
  ]

  @Test("is not shown where nobody could read it, or asked for silence", arguments: silent)
  func nothing(_ row: (term: String, words: [String])) throws {
    try withFanfare { fanfare in
      let program = try start(fanfare, term: row.term, row.words)
      _ = program.finish()
      #expect(!program.screen.contains("in flight") && !program.screen.contains("\u{1b}[K"))
    }
  }
}

/// What is left on a terminal in the end.
private struct Screen {
  var lines: [String] = []

  init(_ text: String) {
    lines = text.replacingOccurrences(of: "\r\n", with: "\n").split(separator: "\n").map { line in
      String(line.components(separatedBy: "\r\u{1b}[K").last ?? "")
    }
  }
}
