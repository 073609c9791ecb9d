import APNS
import Foundation
import HTTP2
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
      // Long enough for an ETA, which comes after a second.
      "--rate", "200/s",
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

  @Test("shows a pause that the server asked for, as --verbose and the summary do")
  func pause() throws {
    try withFanfare { fanfare in
      let busy = CustomAnswer(
        status: .unavailable, body: .reason(.serviceUnavailable),
        fields: [Field("retry-after", "1")])
      let run = try ResumableRun(of: 1000, in: fanfare) { push in
        push.token.number == 500 ? .custom(busy) : nil
      }
      let program = try TerminalProgram(
        path: Fanfare.path, run.words + ["--verbose", "--rate", "1000/s"], in: fanfare.folder,
        environment: ["TERM": "xterm", "NO_COLOR": "1"])
      #expect(program.finish() == 4)
      #expect(program.screen.contains("paused 0:01 (Retry-After)"))
      #expect(program.screen.contains("(Retry-After): nothing is sent for 1 s."))
      #expect(program.screen.contains(" s, for Retry-After"))
    }
  }

  @Test("tells what is waited for before anything is answered, and while all that is left waits")
  func waiting() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 3, in: fanfare) { _ in .reject(.tooManyRequests) }
      let program = try TerminalProgram(
        path: Fanfare.path, run.words, in: fanfare.folder,
        environment: ["TERM": "xterm", "NO_COLOR": "1"])
      #expect(program.wait(for: "3 waiting: 429 TooManyRequests, next try in "))
      #expect(program.screen.contains("0/3  "))
      program.type("\u{3}")
      #expect(program.finish() == 130)
    }
  }

  @Test("goes by time where the server is silent")
  func silentServer() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 3, in: fanfare) { _ in .swallow }
      let program = try TerminalProgram(
        path: Fanfare.path, run.words, in: fanfare.folder,
        environment: ["TERM": "xterm", "NO_COLOR": "1"])
      #expect(program.wait(for: "0/3  0/s  0 accepted  "))
      program.type("\u{3}")
      program.type("\u{3}")
      _ = program.finish()
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
