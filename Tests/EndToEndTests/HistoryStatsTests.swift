import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare history stats")
struct HistoryStatsTests {
  private static let history = ".local/state/fanfare/history.sqlite"

  /// Two runs of a list, of which every fourth token is refused.
  private func withRuns(_ body: (Fanfare) throws -> Void) throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 20, in: fanfare) { push in
        push.token.number % 4 == 0 ? .reject(.badDeviceToken) : nil
      }
      #expect(try run.send().exitCode == 1)
      let other = run.words.map { $0 == "com.example.app" ? "com.example.other" : $0 }
      #expect(try fanfare.run(other).exitCode == 1)
      try body(fanfare)
    }
  }

  /// The counts of each group: all, accepted, rejected.
  private func counts(_ fanfare: Fanfare, _ words: [String] = []) throws -> [[Int]] {
    let result = try fanfare.run(["history", "stats", "--json"] + words)
    #expect(result.exitCode == 0 && result.errors.isEmpty)
    return try result.output.split(separator: "\n").map { line in
      let json = try JSON(text: line)
      return ["total", "accepted", "rejected"].map { json[$0]?.int ?? -1 }
    }
  }

  static let questions: [(words: [String], counts: [[Int]])] = [
    ([], [[20, 15, 5], [20, 15, 5], [40, 30, 10]]),
    (["2"], [[20, 15, 5], [20, 15, 5]]),
    (["--by", "reason"], [[30, 30, 0], [10, 0, 10], [40, 30, 10]]),
    (["--by", "topic"], [[20, 15, 5], [20, 15, 5], [40, 30, 10]]),
    (["--by", "environment"], [[40, 30, 10], [40, 30, 10]]),
    (["--outcome", "rejected"], [[5, 0, 5], [5, 0, 5], [10, 0, 10]]),
    (["--since", "2100-01-01"], [[0, 0, 0]]),
  ]

  @Test("counts what was sent, by each of its words")
  func groups() throws {
    try withRuns { fanfare in
      for question in Self.questions {
        let found = try counts(fanfare, question.words)
        #expect(found == question.counts, "\(question.words)")
      }
      let days = try counts(fanfare, ["--by", "day"])
      #expect(days.last == [40, 30, 10])
    }
  }

  @Test("is a table without bars where there is no terminal, and bars fill one that there is")
  func bars() throws {
    try withRuns { fanfare in
      let words = ["history", "stats", "--by", "reason"]
      let plain = try fanfare.run(words).output
      #expect(plain.contains("BadDeviceToken") && !plain.contains("█"))
      #expect(plain.split(separator: "\n").last?.hasPrefix("total") == true)
      let program = try TerminalProgram(
        path: Fanfare.path, words, in: fanfare.folder, environment: ["TERM": "xterm"])
      #expect(program.finish() == 0)
      // It is 80 columns wide: the bars have a table of their own.
      let blocks = String(repeating: "█", count: 40)
      #expect(program.screen.contains(blocks) && !program.screen.contains(blocks + "█"))
      #expect(program.screen.contains("BadDeviceToken  \u{1b}[31m░░░░░░░░░░░░░\u{1b}"))
    }
  }

  @Test("prints a reason harmlessly, whatever a server made of it")
  func hostileReason() throws {
    try withRuns { fanfare in
      try SQLiteFile(fanfare.folder.file(Self.history)).execute(
        "UPDATE reasons SET word = char(27) || '[2J'' ; DROP TABLE runs; --' || char(10) || '=1+1'")
      let result = try fanfare.run(["history", "stats", "--by", "reason"])
      #expect(result.output.contains(#"\u{1b}[2J' ; DROP TABLE runs; --\u{a}=1+1"#))
      let json = try fanfare.run(["history", "stats", "--by", "reason", "--json"])
      #expect(json.output.contains(#""reason":"\u001b[2J' ; DROP TABLE runs; --\n=1+1""#))
      let reason = "x'; DROP TABLE runs; --"
      #expect(try fanfare.run(["history", "stats", "--reason", reason]).exitCode == 0)
      let tail = try fanfare.run(["history", "tail", "1", "--reason", reason])
      #expect(tail.exitCode == 0 && tail.output.hasSuffix("run 1 ended: 15 accepted, 5 rejected\n"))
      let found = try counts(fanfare)
      #expect(found.count == 3)
    }
  }
}
