import Foundation
import SendingSupport
import TestSupport
import Testing

@Suite("Links and progress on a terminal", .timeLimit(.minutes(15)))
struct TerminalLinkTests {
  static let places: [(words: [String], environment: [String: String], hasLinks: Bool)] = [
    ([], [:], true), ([], ["CI": "true"], false), ([], ["NO_COLOR": "1"], false),
    ([], ["TERM": "dumb"], false), (["--hyperlink", "never"], [:], false),
    (["--hyperlink=always"], ["CI": "true", "NO_COLOR": "1"], true),
  ]

  @Test("lead from what check finds to the line of the file", arguments: places)
  func check(_ row: (words: [String], environment: [String: String], hasLinks: Bool)) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("bad.json", "{\n \"aps\": {\"badge\": \"3\"}}\n")
      let program = try TerminalProgram(
        path: Fanfare.path, ["check", "bad.json"] + row.words, in: fanfare.folder,
        environment: ["TERM": "xterm"].merging(row.environment) { $1 })
      #expect(program.finish() == 2)
      #expect(program.screen.contains("\u{1b}]8;;file://") == row.hasLinks)
      #expect(program.screen.contains("/bad.json#2\u{1b}\\bad.json:2:") == row.hasLinks)
      #expect(program.screen.contains("\u{1b}]8;;https://developer.apple.com/") == row.hasLinks)
    }
  }

  @Test("are not in what a pipe or a program gets, unless asked for")
  func pipe() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("bad.json", #"{"aps": {"badge": "3"}}"#)
      #expect(try !fanfare.run(["check", "bad.json"]).output.contains("\u{1b}"))
      let asked = try fanfare.start(["check", "bad.json", "--hyperlink", "always"]).finish()
      #expect(asked.output.contains("\u{1b}]8;;file://"))
      let json = try fanfare.run(["check", "bad.json", "--hyperlink", "always", "--json"])
      #expect(!json.output.contains("\u{1b}"))
    }
  }

  @Test("the tab's progress is gone when the command ends")
  func progress() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(200))
      let words = [
        "send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi", "--tokens", "list.txt",
        "--rate", "200/s",
      ]
      let program = try TerminalProgram(
        path: Fanfare.path, words, in: fanfare.folder,
        environment: ["TERM": "xterm", "WT_SESSION": "a"])
      #expect(program.finish() == 0)
      let told = program.screen.matches(of: /\u{1B}\]9;4;(\d)(;\d+)?\u{1B}\\/).map { $0.1 }
      #expect(told.contains("1") && told.last == "0")
    }
  }
}
