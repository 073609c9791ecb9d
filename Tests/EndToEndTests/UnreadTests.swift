import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("Recipients that a stopped run has not read")
struct UnreadTests {
  private static let count = 20_000

  @Test("the summary, history show and resume say the same of them")
  func agreement() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: Self.count, in: fanfare)
      let first = try run.send(signal: SIGINT, atRequest: 300)
      let words = try #require(unread(in: first.output))
      #expect(words.hasPrefix("about ") && words.hasSuffix(" of list.txt"))
      #expect(unread(in: try fanfare.run(["history", "show", "1"]).output) == words)
      let second = try run.resume("--json", signal: SIGINT, atRequest: 10)
      #expect(second.errors.contains("Not read yet: \(words)."))
      try expectAllAccounted(second.output, pass: 2)
      let show = try fanfare.run(["history", "show", "1", "--json"]).output
      let kept = try #require(try JSON(text: show)["summary"]?.object)
      let printed = try #require(try JSON(text: second.output).object)
      // The history does not keep the figures of a single pass.
      #expect(kept.members == printed.members.filter { $0.key != "thisPass" })
      #expect(printed["thisPass"] != nil)
      let last = try run.resume()
      #expect(last.exitCode == 0 && unread(in: last.output) == nil)
      #expect(last.output.contains(" in this pass\n"))
      #expect(try fanfare.run(["history", "show", "1"]).output.contains(" pushes/s in pass 3\n"))
      run.expectNobodyLost()
      run.expectNobodyTwice()
    }
  }

  @Test("after a kill their number is not known: show, stats, the page and resume say so")
  func killed() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: Self.count, in: fanfare)
      #expect(try run.send(atRequest: 300).exitCode == nil)
      let words = "an unknown number of recipients"
      let lock = fanfare.folder.file(".local/state/fanfare/history.sqlite.run-1.lock")
      #expect(FileManager.default.fileExists(atPath: lock))
      #expect(unread(in: try fanfare.run(["history", "show"]).output) == words)
      let show = try JSON(text: try fanfare.run(["history", "show", "--json"]).output)
      #expect(show["unread"]?.object != nil && show["unread"]?["recipients"]?.int == nil)
      let note = "Not read: \(words). 'fanfare resume 1' continues."
      let stats = try fanfare.run(["history", "stats"]).output
      #expect(stats.contains("Run 1 was killed: only its results are counted"))
      #expect(stats.contains(note))
      #expect(try fanfare.run(["history", "export", "--html", "-"]).output.contains(note))
      let last = try run.resume()
      #expect(last.exitCode == 0)
      #expect(last.errors.contains("Not read yet: \(words)."))
      #expect(!FileManager.default.fileExists(atPath: lock))
      #expect(unread(in: try fanfare.run(["history", "show"]).output) == nil)
      #expect(try !fanfare.run(["history", "stats"]).output.contains("Run 1"))
    }
  }

  @Test("a run that is killed after the end of its list has nothing left to read")
  func killedAtTheEnd() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 300, in: fanfare)
      // Slow enough for a commit after the end of the list.
      #expect(try run.send(["--rate", "200/s"], atRequest: 290).exitCode == nil)
      let show = try fanfare.run(["history", "show"]).output
      #expect(unread(in: show) == nil && !show.contains("claimed, no result  up to"))
      #expect(try !run.resume().errors.contains("Not read yet"))
    }
  }

  /// Also of a pass that was stopped before it came as far as the one before it.
  private func expectAllAccounted(_ output: String, pass: Int) throws {
    let summary = try JSON(text: output)
    expectSum(of: summary)
    let (lines, unread) = (summary["lines"]?.int ?? 0, summary["unread"])
    #expect(unread?["list"] == "list.txt" && unread?["line"]?.int == lines)
    #expect(lines + (unread?["recipients"]?.int ?? 0) == Self.count)
    #expect(summary["pass"]?.int == pass)
  }

  /// What a report says of them; nil when it says nothing.
  private func unread(in output: String) -> String? {
    let line = output.split(separator: "\n").first { $0.hasPrefix("not read ") }
    return line.map { $0.dropFirst("not read".count).drop { $0 == " " } }.map(String.init)
  }

  @Test("history show counts what a run that was stopped by refusals never claimed")
  func neverClaimed() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: Self.count, in: fanfare) { _ in .reject(.topicDisallowed) }
      let summary = try JSON(text: try run.send(["--json"]).output)
      #expect((summary["notAttempted"]?.int ?? 0) > Self.count / 2)
      #expect(summary["unread"]?.object == nil)
      let show = try JSON(text: try fanfare.run(["history", "show", "1", "--json"]).output)
      expectSum(of: show)
      #expect(show["notAttempted"] == summary["notAttempted"])
    }
  }
}
