import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare history prune")
struct HistoryPruneTests {
  private static let history = ".local/state/fanfare/history.sqlite"

  @Test("removes what is told, says what it removed, and leaves no list behind")
  func removes() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(3000))
      for _ in 0..<3 { #expect(try fanfare.send("--tokens", "list.txt").exitCode == 0) }
      try fanfare.folder.write("\(Self.history).run-1.list-1", "\(device("0a1b"))\n")
      let before = try fanfare.run(["history", "prune", "--keep", "1", "--dry-run"])
      #expect(before.output == "Would delete 2 runs with 6,000 pushes.\n")
      #expect(try runs(fanfare) == 3)
      let result = try fanfare.run(["history", "prune", "--keep", "1", "--json"])
      let report = try JSON(text: result.output)
      #expect(result.exitCode == 0 && report["runs"] == 2 && report["pushes"] == 6000)
      let bytes = try #require(report["bytes"]?.int)
      #expect(bytes > 100_000 && report["space"] == "givenBack")
      #expect(try runs(fanfare) == 1)
      #expect(try fanfare.folder.fileNames(".local/state/fanfare") == ["history.sqlite"])
      let old = try fanfare.run(["history", "prune", "--older-than", "30d"])
      #expect(old.output.hasPrefix("Deleted 0 runs with 0 pushes;"))
      #expect(try fanfare.run(["history", "show", "1"]).errors.contains("no run 1"))
    }
  }

  @Test("leaves a run that could be resumed, and the run goes on afterwards")
  func unfinished() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 3000, in: fanfare)
      _ = try run.send(signal: SIGINT, atRequest: 100)
      let result = try fanfare.run(["history", "prune", "--keep", "0"])
      #expect(
        result.output.contains("Kept 1 run that could still be resumed; --unfinished deletes it."))
      #expect(try run.resume().exitCode == 0)
      run.expectNobodyLost()
      run.expectNobodyTwice()
    }
  }

  @Test("leaves a run alone that is being sent, which loses nothing")
  func whileSending() throws {
    try withFanfare { fanfare in
      let (arrived, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let run = try ResumableRun(of: 3000, in: fanfare) { push in
        guard push.token.number == 1500 else { return nil }
        arrived.signal()
        goOn.wait()
        return nil
      }
      #expect(try fanfare.send("--tokens", "list.txt").exitCode == 0)
      let send = try fanfare.start(run.words)
      arrived.wait()
      let prune = ["history", "prune", "--keep", "0", "--unfinished"]
      let result = try fanfare.run(prune)
      #expect(result.exitCode == 0 && result.output.hasPrefix("Deleted 1 run with 3,000 pushes;"))
      #expect(result.output.contains("Kept 1 run that is being sent."))
      #expect(result.output.contains("Other processes are using the history."))
      goOn.signal()
      #expect(try send.finish().exitCode == 0)
      #expect(try run.acceptedInHistory.count == 3000)
      #expect(try fanfare.run(prune).output.hasPrefix("Deleted 1 run with 3,000 pushes;"))
      #expect(try fanfare.send("--to", device("0a1b")).exitCode == 0)
      #expect(try fanfare.run(["history", "list", "--json"]).output.hasPrefix(#"{"run":3,"#))
    }
  }

  @Test("wants to be told what goes")
  func nothingTold() throws {
    try withFanfare { fanfare in
      let result = try fanfare.run(["history", "prune", "--dry-run"])
      #expect(result.exitCode == 2)
      #expect(result.errors.contains("'--older-than TIME' or '--keep N' is required."))
    }
  }

  @Test("takes no time to come", arguments: ["2999-01-01", "2999-01-01T00:00:00Z", "32472144000"])
  func future(time: String) throws {
    try withFanfare { fanfare in
      #expect(try fanfare.send("--to", device("0a1b")).exitCode == 0)
      let result = try fanfare.run(["history", "prune", "--older-than", time])
      #expect(result.exitCode == 2 && result.errors.contains("--older-than cannot be '\(time)'"))
      #expect(try runs(fanfare) == 1)
      #expect(try fanfare.run(["history", "prune", "--older-than", "0s"]).exitCode == 0)
    }
  }

  private func runs(_ fanfare: Fanfare) throws -> Int {
    try fanfare.run(["history", "list", "--json"]).output.split(separator: "\n").count
  }
}

extension TemporaryFolder {
  /// The names of the files in a folder in it, in order.
  fileprivate func fileNames(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file(name)).sorted()
  }
}
