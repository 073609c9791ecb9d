import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare history tail")
struct HistoryTailTests {
  private static let count = 3000

  @Test("shows what another process sends, each push once, until it is stopped")
  func follows() throws {
    try withFanfare { fanfare in
      #expect(try fanfare.send("--to", device("0a1b")).exitCode == 0)
      let run = try ResumableRun(of: Self.count, in: fanfare)
      let tail = try fanfare.start(["history", "tail", "--json", "--lines", "1"])
      // From here on it follows.
      let first = try #require(tail.readLine())
      #expect(try JSON(text: first)["run"] == 1)
      #expect(try run.send().exitCode == 0)
      var events: [JSON] = []
      while events.last?["event"] != "ended", let line = tail.readLine() {
        events.append(try JSON(text: line))
      }
      #expect(events.first?["event"] == "began" && events.last?["accepted"]?.int == Self.count)
      let told = events.compactMap { $0["event"] == "push" ? $0["sequence"]?.int : nil }
      #expect(told.count == Self.count && Set(told) == Set(1...Self.count))
      tail.send(SIGINT)
      #expect(try tail.finish().exitCode == 130)
    }
  }

  @Test("of a run that is being sent shows all of it and ends with it")
  func ofOneRun() throws {
    try withFanfare { fanfare in
      let (arrived, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let run = try ResumableRun(of: Self.count, in: fanfare) { push in
        guard push.token.number == 1500 else { return nil }
        arrived.signal()
        goOn.wait()
        return nil
      }
      let send = try fanfare.start(run.words)
      arrived.wait()
      let tail = try fanfare.start(["history", "tail", "1", "--lines", "0"])
      goOn.signal()
      #expect(try send.finish().exitCode == 0)
      let result = try tail.finish()
      #expect(result.exitCode == 0 && result.errors.isEmpty)
      #expect(result.output.hasSuffix("run 1 ended: 3,000 accepted\n"))
      let all = try fanfare.run(["history", "tail", "1", "--lines", "5000", "--json"])
      #expect(all.exitCode == 0)
      #expect(all.output.split(separator: "\n").count == Self.count + 1)
    }
  }

  @Test("shows ten results that are there, and keeps its columns after the longest reason")
  func columns() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 11, in: fanfare) { push in
        push.token.number % 2 == 1 ? .reject(.tooManyProviderTokenUpdates) : nil
      }
      _ = try run.send(["--retries", "0"])
      let tail = try fanfare.run(["history", "tail", "1"])
      let lines = tail.output.split(separator: "\n").filter { $0.contains("…") }
      let columns = lines.map { $0.prefix { $0 != "…" }.count }
      #expect(lines.count == 10 && Set(columns).count == 1, "\(tail.output)")
      #expect(lines.contains { $0.contains("accepted") } && lines.contains { $0.contains("429") })
    }
  }

  @Test("of a run that was killed says so with its exit code, and follows it when it is resumed")
  func killed() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: Self.count, in: fanfare)
      #expect(try run.send(atRequest: 300).exitCode == nil)
      #expect(try fanfare.run(["history", "tail", "1"]).exitCode == 4)
      let tail = try fanfare.start(["history", "tail", "--json", "--lines", "1"])
      let isThere = try run.history.texts("SELECT count(*) FROM pushes") != ["0"]
      if isThere { _ = tail.readLine() }
      let before = try Set(
        run.history.texts("SELECT id & 0xFFFFFFFF FROM pushes WHERE outcome < 3"))
      guard isThere else { return tail.send(SIGKILL) }
      #expect(try run.resume().exitCode == 0)
      var told: Set<String> = []
      while let line = tail.readLine() {
        let event = try JSON(text: line)
        if event["event"] == "ended" { break }
        if event["event"] == "began" { #expect(event["passes"] == 2) }
        if let sequence = event["sequence"]?.int { #expect(told.insert("\(sequence)").inserted) }
      }
      expectSame(told, Set((1...Self.count).map(String.init)).subtracting(before))
      tail.send(SIGTERM)
      #expect(try tail.finish().exitCode == 143)
    }
  }

  @Test("ends when nobody reads it any more")
  func closedPipe() throws {
    try withFanfare { fanfare in
      #expect(try fanfare.send("--to", device("0a1b")).exitCode == 0)
      let shell = try Program(
        path: try requirePath(of: "bash"),
        ["-c", "\"$0\" history tail 2>&1 | head -n 1; echo ${PIPESTATUS[0]}", Fanfare.path],
        in: fanfare.folder
      ).finish()
      let lines = shell.output.split(separator: "\n")
      #expect(lines.count == 2 && lines.first?.contains("accepted") == true && lines.last == "0")
    }
  }
}
