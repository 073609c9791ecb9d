import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("The files of results of a run that was stopped")
struct ResumedFilesTests {
  private static let count = 5000
  private static let files = ["--results", "r.jsonl", "--dead-tokens", "d d.csv"]
  private static let options = "--results r.jsonl --dead-tokens 'd d.csv'"

  /// Stops a run to a list with some dead device tokens.
  private func stopped(_ fanfare: Fanfare) throws -> (run: ResumableRun, output: String) {
    let run = try ResumableRun(of: Self.count, in: fanfare) { push in
      push.number % 100 == 0 ? .reject(.unregistered, timestamp: 1_700_000_000_000) : nil
    }
    let result = try run.send(Self.files, signal: SIGINT, atRequest: 300)
    #expect(result.exitCode == 130)
    return (run, result.output)
  }

  /// The command that a report ends with.
  private func hint(in output: String) throws -> String {
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("go on with") })
    return line.dropFirst("go on with".count).drop { $0 == " " }.description
  }

  /// Fails unless the files have everybody once.
  private func expectAll(_ fanfare: Fanfare) throws {
    let lines = try fanfare.folder.lines("r.jsonl").map { try JSON(text: $0) }
      .filter { $0["outcome"] == "accepted" || $0["outcome"] == "rejected" }
    let dead = Set(lines.filter { $0["outcome"] == "rejected" }.compactMap { $0["token"]?.string })
    #expect(lines.count == Self.count && Set(lines.map { $0["token"]?.string }).count == Self.count)
    let rows = try fanfare.folder.text("d d.csv").split(whereSeparator: \.isNewline).dropFirst()
    #expect(rows.count == dead.count && dead.count > 10)
    expectSame(Set(rows.map { String($0.prefix(64)) }), dead)
  }

  @Test("are named by the printed command, which loses nothing", .needs("bash"))
  func printed() throws {
    try withFanfare { fanfare in
      let stopped = try stopped(fanfare)
      let hint = try hint(in: stopped.output)
      #expect(hint == "fanfare resume 1 \(Self.options)")
      #expect(try self.hint(in: fanfare.run(["history", "show", "1"]).output) == hint)
      let line = "\"$0\"\(hint.dropFirst("fanfare".count))"
      let last = try run("bash", ["-c", line, Fanfare.path], in: fanfare.folder)
      #expect(last.exitCode == 1, "\(last.errors)")
      #expect(last.output.contains(/\ndead tokens +[1-9]\d* in this pass, in d d\.csv\n/))
      stopped.run.expectNobodyTwice()
      try expectAll(fanfare)
      // Of both passes.
      let shown = try fanfare.run(["history", "show", "1"]).output
      #expect(shown.contains(/\nreasons *\n  Unregistered +50\n/), "\(shown)")
    }
  }

  @Test("are told when a pass does not write them, and completed from the history afterwards")
  func forgotten() throws {
    try withFanfare { fanfare in
      let first = try stopped(fanfare)
      let rest = try fanfare.run(["resume", "--json"])
      let note = "r.jsonl and d d.csv are not written in this pass; afterwards, 'fanfare resume "
      #expect(rest.exitCode == 1 && rest.errors.contains(note), "\(rest.errors)")
      try expectBoth(rest.output, after: first.run)
      let refused = try fanfare.run(["resume", "1", "--dead-tokens", "list.txt"])
      #expect(refused.exitCode == 2 && refused.errors.contains("would overwrite list.txt"))
      let completed = try fanfare.run(["resume", "1"] + Self.files)
      #expect(completed.exitCode == 0)
      #expect(
        completed.errors.contains(/r.jsonl lacked \d,\d{3} results of/), "\(completed.errors)")
      #expect(completed.errors.contains("d d.csv lacked "), "\(completed.errors)")
      #expect(completed.errors.contains("Run 1 has nothing left to do."))
      try expectAll(fanfare)
      #expect(try !fanfare.run(["resume", "1"] + Self.files).errors.contains("lacked"))
      try expectAll(fanfare)
    }
  }

  /// Fails unless a summary names the figures of the run and those of its second pass.
  private func expectBoth(_ output: String, after run: ResumableRun) throws {
    let (summary, pass) = (try JSON(text: output), try JSON(text: output)["thisPass"])
    let reasons = summary["reasons"]?.object?.members.compactMap(\.value.int).reduce(0, +)
    #expect(summary["total"]?.int == Self.count && pass?["rejected"]?.int == reasons)
    let rejected = (summary["rejected"]?.int ?? 0) - (pass?["rejected"]?.int ?? 0)
    let accepted = (summary["accepted"]?.int ?? 0) - (pass?["accepted"]?.int ?? 0)
    #expect(
      rejected > 0 && accepted > 100 && pass?["total"]?.int == Self.count - accepted - rejected)
  }

  @Test("are completed although nothing is due, and although another run sent the rest")
  func notDue() throws {
    try withFanfare { fanfare in
      let busy = BusyDevices()
      let run = try ResumableRun(of: BusyDevices.numbers.upperBound, in: fanfare) {
        busy.answer($0)
      }
      let lists = ["--limit", "\(BusyDevices.numbers.upperBound - 8)"]
      let sent = try fanfare.run(run.words + lists + ["--json"])
      let total = try JSON(text: sent.output)["total"]?.int ?? 0
      let deferred = try JSON(text: sent.output)["deferred"]?.int ?? 0
      #expect(sent.exitCode == 4 && deferred > 0 && total > deferred, "\(sent.errors)")
      let early = try fanfare.run(["resume", "1", "--results", "miss.jsonl"])
      #expect(early.exitCode == 4, "\(early.errors)")
      #expect(early.errors.contains("miss.jsonl lacked "), "\(early.errors)")
      #expect(try fanfare.folder.lines("miss.jsonl").count == total)
      #expect(try fanfare.run(["history", "resend", "1"]).exitCode == 0)
      let since = try fanfare.run(["resume", "1", "--now", "--results", "other.jsonl"])
      #expect(since.exitCode == 2, "\(since.errors)")
      #expect(since.errors.contains("other.jsonl lacked "), "\(since.errors)")
      #expect(try fanfare.folder.lines("other.jsonl").count == total)
    }
  }

  @Test("may be others in a later pass; those of the run are told all the same")
  func others() throws {
    try withFanfare { fanfare in
      let stopped = try stopped(fanfare)
      let last = try fanfare.run(["resume", "--results", "rest.jsonl", "--dead-tokens", "d d.csv"])
      #expect(
        last.errors.contains("r.jsonl is not written in this pass; afterwards, 'fanfare resume"))
      #expect(!last.errors.contains("d d.csv is not"))
      #expect(last.errors.contains("rest.jsonl gets the results of this pass."), "\(last.errors)")
      let again = try fanfare.run(["resume", "1", "--results", "rest.jsonl"])
      #expect(again.errors.contains("rest.jsonl lacked "), "\(again.errors)")
      #expect(!again.errors.contains("gets the results of this pass"))
      stopped.run.expectNobodyTwice()
    }
  }

  @Test("are left alone by a dry run, and never what the run reads")
  func untouched() throws {
    try withFanfare { fanfare in
      let stopped = try stopped(fanfare)
      #expect(try fanfare.run(["resume", "1"]).exitCode == 1)
      let before = try fanfare.folder.text("r.jsonl")
      let dry = try fanfare.run(["resume", "1", "--dry-run", "--results", "r.jsonl"])
      #expect(dry.exitCode == 0 && dry.errors.contains("nothing left to do"), "\(dry.errors)")
      #expect(try fanfare.folder.text("r.jsonl") == before)
      try fanfare.folder.write("fanfare.json", "{}")
      let words = ["--results", "fanfare.json", "--results-format", "jsonl"]
      let refused = try fanfare.run(["resume", "1"] + words)
      #expect(refused.exitCode == 2 && refused.errors.contains("would overwrite fanfare.json"))
      #expect(try fanfare.folder.text("fanfare.json") == "{}")
      stopped.run.expectNobodyTwice()
    }
  }

  @Test("have a format only where there is a file")
  func formatAlone() throws {
    try withFanfare { fanfare in
      let result = try fanfare.run(["resume", "1", "--results-format", "csv"])
      #expect(result.exitCode == 2 && result.errors.contains("give --results FILE"))
    }
  }
}
