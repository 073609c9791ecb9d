import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("A history that cannot be used")
struct HistoryFaultTests {
  /// Puts something in the way of the history.
  struct Fault: CustomTestStringConvertible {
    let testDescription: String
    let path: String
    let sentence: String
    var prepare: @Sendable (TemporaryFolder) throws -> Void = { _ in }
  }

  static let faults: [Fault] = [
    Fault(
      testDescription: "a folder that cannot be", path: "/dev/null/x/history.sqlite",
      sentence: "cannot open the history: Not a directory"),
    Fault(
      testDescription: "no database", path: "letter.txt", sentence: "not a fanfare history",
      prepare: { try $0.write("letter.txt", String(repeating: "Dear reader, ", count: 500)) }),
    Fault(
      testDescription: "another program's database", path: "music.sqlite",
      sentence: "this database belongs to another program",
      prepare: { try SQLiteFile($0.file("music.sqlite")).execute("CREATE TABLE songs (name)") }),
    Fault(
      testDescription: "a newer version's database", path: "new.sqlite",
      sentence: "the history has format 99",
      prepare: { folder in
        let fanfare = Fanfare(folder: folder)
        _ = try fanfare.send("--to", device("0a1b"), "--history", "new.sqlite")
        try SQLiteFile(folder.file("new.sqlite")).execute("PRAGMA user_version = 99")
      }),
    Fault(
      testDescription: "a database from before the first release", path: "old.sqlite",
      sentence: "a fanfare from before the first release wrote this history",
      prepare: { folder in
        let fanfare = Fanfare(folder: folder)
        _ = try fanfare.send("--to", device("0a1b"), "--history", "old.sqlite")
        try SQLiteFile(folder.file("old.sqlite")).execute("PRAGMA application_id = 1717661286")
      }),
  ]

  @Test(
    "stops before anything is sent, changes nothing, and says how to do without", arguments: faults)
  func refused(_ fault: Fault) throws {
    try withFanfare { fanfare in
      try fault.prepare(fanfare.folder)
      let before = FileManager.default.contents(atPath: fanfare.folder.file(fault.path))
      let server = try Server(fanfare)
      let result = try server.send("--to", device("0a1b"), "--history", fault.path)
      #expect(result.exitCode == 2 && server.emulator.requestCount == 0)
      #expect(result.errors.contains(fault.sentence) && result.errors.contains("--no-history"))
      let after = FileManager.default.contents(atPath: fanfare.folder.file(fault.path))
      #expect(before == after)
      #expect(try server.send("--to", device("0a1b"), "--no-history").exitCode == 0)
      #expect(try fanfare.run(["resume", "--history", fault.path]).exitCode == 2)
    }
  }

  @Test("ends a command in good order although a link is being opened, whatever that has come to")
  func endsWhileDialing() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      for _ in 0..<20 {
        let result = try server.send(
          "--to", device("0a1b"), "--history", "/dev/null/x/history.sqlite")
        #expect(result.exitCode == 2)
      }
    }
  }

  @Test(
    "for want of room in mid-run ends the run with every result saved", arguments: [false, true])
  func noRoom(hasResults: Bool) throws {
    try withFanfare { fanfare in
      let count = 25_000
      let run = try ResumableRun(of: count, in: fanfare)
      let result = try withLittleRoom(run, hasResults ? ["--results", "-"] : ["--json"])
      #expect(result.exitCode == 4)
      #expect(result.errors.contains("The disk has no room left for the history"))
      let told = hasResults ? result.output : try rescued(result.errors)
      let lines = try told.split(separator: "\n").map { try JSON(text: $0) }
      let saved = Set(
        lines.filter { $0["outcome"] == "accepted" }.compactMap { $0["token"]?.string })
      let kept = try run.acceptedInHistory
      #expect(!kept.isEmpty && run.witness.processed.count < count)
      expectSame(saved.union(kept), run.witness.processed)
      if !hasResults {
        let summary = try JSON(text: result.output)
        expectSum(of: summary)
        #expect(summary["accepted"]?.int == run.witness.processed.count)
      }
      #expect(try run.resume().exitCode == 0)
      run.expectNobodyLost()
      run.expectTwiceOnlyInDoubt()
    }
  }

  @Test(
    "with a value that no version writes is refused, and stays as it is",
    arguments: [
      "progress SET claimed = -1", "progress SET accepted = 9223372036854775807",
      "runs SET started = -9223372036854775807", "results SET at = 9223372036854775807",
    ])
  func tampered(change: String) throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let pushes = ["--to", device("0a1b"), "--to", device("0a1c"), "--history", "h.sqlite"]
      #expect(try fanfare.run(server.words + pushes).exitCode == 0)
      let path = fanfare.folder.file("h.sqlite")
      try SQLiteFile(path).changeResults(
        "UPDATE \(change); UPDATE runs SET state = 'running'; PRAGMA wal_checkpoint(TRUNCATE)")
      let before = FileManager.default.contents(atPath: path)
      for words in [["resume"], ["history", "show", "1"], ["history", "stats"]] {
        let result = try fanfare.run(words + ["--history", "h.sqlite"])
        let isRefused = result.exitCode == 2 && result.errors.contains("the history is damaged")
        #expect(isRefused || words != ["resume"] && result.exitCode == 0, "\(words) \(result)")
      }
      #expect(before == FileManager.default.contents(atPath: path))
    }
  }

  @Test("leaves the results and dead tokens of earlier runs alone", arguments: ["send", "run"])
  func earlierResults(_ command: String) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("hello.json5", ScenarioText.good("A"))
      let files = ["r.csv": "earlier results\n", "d.txt": "\(device("0a1b"))\n"]
      for (name, text) in files { try fanfare.folder.write(name, text) }
      let words = [
        "--results", "r.csv", "--dead-tokens", "d.txt", "--history", "/dev/null/x/history.sqlite",
      ]
      let result =
        command == "send"
        ? try Server(fanfare).send(words: ["--to", device("0a1b")] + words)
        : try fanfare.run(["run", "hello.json5"] + words)
      #expect(result.exitCode == 2 && result.errors.contains("cannot open the history"))
      for (name, text) in files { #expect(try fanfare.folder.text(name) == text, "\(name)") }
    }
  }

  @Test(
    "that is deleted or emptied in mid-run is told, with exit code 1", arguments: Loss.allCases)
  func gone(loss: Loss) throws {
    try withFanfare { fanfare in
      let path = fanfare.folder.file("h.sqlite")
      let requests = Atomic(0)
      let run = try ResumableRun(of: 6000, in: fanfare) { _ in
        if requests.add(1, ordering: .relaxed).newValue == 4000 {
          loss.happen(to: path)
        }
        return nil
      }
      let result = try fanfare.run(run.words + ["--history", "h.sqlite"])
      if loss == .logEmptied, result.exitCode == 0 {
        // The history had all that was in its log.
        return #expect(try SQLiteFile(path).texts("PRAGMA quick_check(1)") == ["ok"])
      }
      #expect(result.exitCode == 1 && result.errors.contains("deleted or damaged during the run"))
      #expect(!result.output.contains("go on with") && !result.output.contains("\nrun "))
      run.expectNobodyLost()
    }
  }

  /// What becomes of a history while a run is written to it.
  enum Loss: CaseIterable {
    case deleted
    case emptied
    case logEmptied

    func happen(to path: String) {
      switch self {
      case .deleted: unlink(path)
      case .emptied: truncate(path, 0)
      case .logEmptied: truncate(path + "-wal", 0)
      }
    }
  }

  @Test("that is deleted in mid-run fails the step of a scenario, and no way on is named")
  func goneInScenario() throws {
    try withFanfare { fanfare in
      let path = fanfare.folder.file("h.sqlite")
      let requests = Atomic(0)
      let run = try ResumableRun(of: 6000, in: fanfare) { push in
        if requests.add(1, ordering: .relaxed).newValue == 4000 { unlink(path) }
        return push.token.number == 1 ? .reject(.serviceUnavailable) : nil
      }
      try fanfare.folder.write(
        "a.json5",
        """
        {bundleID: "a.b", recipients: ["list.txt"], steps: [
          {notification: {payload: {aps: {alert: "1"}}}, expect: {acceptedAtLeast: 0.5}},
          {notification: {payload: {aps: {alert: "2"}}}}]}
        """)
      let words = ["run", "a.json5", "--json", "--history", "h.sqlite", "--connections", "1"]
      let result = try fanfare.run(words + run.server.place + credentials)
      #expect(result.exitCode == 4 && !result.output.contains("fanfare resume"))
      let steps = try result.output.split(separator: "\n").map { try JSON(text: $0) }
      #expect(steps.map { $0["passed"] } == [false, false])
      #expect(steps[0]["error"]?.string?.contains("deleted or damaged during the run") == true)
      #expect(steps[0]["run"]?.int == nil && steps[0]["deferred"] == 1)
      #expect(steps[0]["accepted"] == 5999)
    }
  }

  @Test(
    "for want of room, also for --results, has every result saved elsewhere, and says so once",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func noRoomForResults() throws {
    try withFanfare { fanfare in
      try FileManager.default.createSymbolicLink(
        atPath: fanfare.folder.file("r.jsonl"), withDestinationPath: "/dev/full")
      let run = try ResumableRun(of: 25_000, in: fanfare)
      let result = try withLittleRoom(run, ["--results", "r.jsonl", "--quiet"])
      #expect(result.errors.contains("r.jsonl cannot be written"))
      #expect(!result.errors.contains("lacks are in r.jsonl"))
      let lines = try rescued(result.errors).split(separator: "\n").map { try JSON(text: $0) }
      let saved = Set(
        lines.filter { $0["outcome"] == "accepted" }.compactMap { $0["token"]?.string })
      expectSame(saved.union(try run.acceptedInHistory), run.witness.processed)
    }
  }

  /// Runs where no file can be longer than 1.5 MiB. At this rate, what the history lacks stays small,
  /// for the limit is that of the file that takes it, too.
  private func withLittleRoom(
    _ run: ResumableRun, _ words: [String]
  ) throws -> Program.Result {
    try Program(
      path: try requirePath(of: "bash"),
      ["-c", "ulimit -f 1536; exec \"$0\" \"$@\"", Fanfare.path] + run.words
        + ["--rate", "4000/s"] + words,
      in: run.fanfare.folder
    ).finish()
  }

  /// What was saved beside the history.
  private func rescued(_ errors: String) throws -> String {
    let start = try #require(errors.range(of: "The results that it lacks are in "))
    let path = errors[start.upperBound...].prefix { $0 != "\n" }.dropLast()
    return try String(contentsOfFile: String(path), encoding: .utf8)
  }
}
