import APNS
import Foundation
import JSONText
import PushEmulator
import SQLHistory
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("A run that is killed")
struct KillTests {
  private static let count = ListLength.wanted == .long ? 100_000 : 6000

  /// What one kill can make arrive twice: the pushes in flight on the one connection.
  private static let bound = Window.cap

  /// A moment of a run, and of each resumption, by the number of the request.
  struct Moments: CustomTestStringConvertible {
    let seed: UInt64
    let requests: [Int]

    init(seed: UInt64) {
      self.seed = seed
      var random = SeededRandom(seed: seed)
      let kills = Int.random(in: 1...3, using: &random)
      requests = (0..<kills).map { kill in
        Int.random(in: 1...(KillTests.count / (kill + 2)), using: &random)
      }
    }

    var testDescription: String { "seed \(seed): killed at requests \(requests)" }
  }

  static let moments = (1...12).map { Moments(seed: $0) }

  @Test("is resumed with nobody lost, and twice only what was in doubt", arguments: moments)
  func atLeastOnce(_ moments: Moments) throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: Self.count, in: fanfare)
      #expect(try run.send(atRequest: moments.requests[0]).exitCode == nil)
      for request in moments.requests.dropFirst() {
        #expect(try run.resume(atRequest: request).exitCode == nil)
      }
      let last = try run.resume("--json")
      #expect(last.exitCode == 0, "\(last.errors.suffix(300))")
      let summary = try JSON(text: last.output)
      expectSum(of: summary)
      #expect(summary["accepted"]?.int == Self.count)
      run.expectNobodyLost()
      run.expectSameIDs()
      run.expectTwiceOnlyInDoubt()
      #expect(run.again <= moments.requests.count * Self.bound)
      let nothing = try run.resume()
      #expect(nothing.exitCode == 0 && nothing.errors.contains("No run in the history"))
    }
  }

  /// Connections, streams on each, and the time to an answer in milliseconds.
  static let windows = [(1, 10, 1), (8, 20, 20), (2, 100, 5), (4, 50, 5), (1, 500, 5)]

  @Test(
    "sends twice no more than can have been in flight", arguments: windows,
    [[], ["--at-most-once"]])
  func inFlight(_ window: (connections: Int, streams: Int, delay: Int), words: [String]) throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(
        of: Self.count, in: fanfare, connections: window.connections, streams: window.streams
      ) { _ in .delay(milliseconds: window.delay, then: .accept) }
      #expect(try run.send(words, atRequest: Self.count / 2).exitCode == nil)
      let last = try run.resume("--json")
      let summary = try JSON(text: last.output)
      expectSum(of: summary)
      let most = window.connections * window.streams
      if words.isEmpty {
        run.expectNobodyLost()
        run.expectTwiceOnlyInDoubt()
        #expect(run.again <= most && !last.errors.contains("no notes"))
      } else {
        run.expectNobodyTwice()
        // Each connection but one holds up to 16 who come before one that another has sent to.
        let unknown = try #require(summary["unknown"]?.int)
        #expect(unknown <= most + 16 * (window.connections - 1) && unknown > 0)
      }
    }
  }

  @Test("without its notes, says that it does not know what was answered")
  func withoutNotes() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: Self.count, in: fanfare)
      #expect(try run.send(atRequest: Self.count / 2).exitCode == nil)
      try FileManager.default.removeItem(
        atPath: fanfare.folder.file(".local/state/fanfare/history.sqlite.run-1.sent"))
      let last = try run.resume()
      #expect(last.exitCode == 0 && last.errors.contains("has no notes of the answers"))
      run.expectNobodyLost()
      run.expectTwiceOnlyInDoubt()
    }
  }

  @Test(
    "between a commit and its lines in --results, has them there once it was resumed",
    arguments: [[], ["--at-most-once"]], ["csv", "jsonl"])
  func results(words: [String], ending: String) throws {
    try withFanfare { fanfare in
      let (run, name) = (try ResumableRun(of: Self.count, in: fanfare), "all.\(ending)")
      _ = try run.send(words + ["--results", name], atRequest: 4500)
      // As if it had been killed some lines earlier.
      let lines = try Self.lines(of: fanfare.folder.text(name))
      try #require(lines.count > 100)
      let kept = lines.dropLast(70).map { $0 + "\n" }.joined()
      try fanfare.folder.write(name, kept + lines[lines.count - 70].dropLast(9))
      let last = try run.resume("--results", name)
      #expect(last.errors.contains("\(name) lacked "))
      let accepted = try Self.lines(of: fanfare.folder.text(name)).filter {
        $0.contains("accepted")
      }
      #expect(Set(accepted).count == accepted.count)
      #expect(try accepted.count == run.acceptedInHistory.count)
    }
  }

  @Test("among its last lines of --results, sends to nobody again who has one")
  func lastLines() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 200, in: fanfare)
      // The pipe does not hold all lines, so the run cannot end before it is killed.
      let program = try fanfare.start(run.words + ["--results", "-"])
      let first = try #require(program.readLine())
      program.send(SIGKILL)
      let rest = try program.finish()
      #expect(rest.exitCode == nil)
      let told = try ([first] + Self.lines(of: rest.output).dropLast().map(String.init))
        .compactMap { try JSON(text: $0)["token"]?.string }
      #expect(try run.resume().exitCode == 0)
      run.expectNobodyLost()
      let twice = run.witness.sights.filter { $1.ids.count > 1 }.keys
      expectSame(Set(told).intersection(twice), [])
    }
  }

  @Test(
    "while deferred pushes are sent again, has those unknown in --results that it may have sent",
    arguments: [[], ["--at-most-once"]])
  func claimedAgain(words: [String]) throws {
    try withFanfare { fanfare in
      let isBusy = Atomic(true)
      let run = try ResumableRun(of: Self.count, in: fanfare) { _ in
        isBusy.load(ordering: .relaxed) ? .reject(.serviceUnavailable) : nil
      }
      let results = ["--results", "all.csv"]
      #expect(try run.send(words + ["--no-breaker"] + results).exitCode == 4)
      isBusy.store(false, ordering: .relaxed)
      #expect(try run.resume("--now", "--results", "all.csv", atRequest: 1500).exitCode == nil)
      let killed = try fanfare.folder.results("all.csv").count
      #expect(try run.resume("--now", "--results", "all.csv").exitCode == (words.isEmpty ? 0 : 4))
      let rows = try fanfare.folder.results("all.csv")
      #expect(rows[killed...].contains { $0.outcome == "unknown" })
      let told = Dictionary(rows.map { ($0.sequence, $0.outcome) }, uniquingKeysWith: { $1 })
      let unknown = try run.history.texts(
        "SELECT id & 0xFFFFFFFFFF FROM pushes WHERE outcome = 4")
      #expect(unknown.isEmpty == words.isEmpty)
      expectSame(Set(unknown.compactMap { Int($0) }), Set(told.filter { $1 == "unknown" }.keys))
    }
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(whereSeparator: \.isNewline)
  }

  @Test("at a low rate, calls in doubt what was sent, not what was claimed ahead")
  func slow() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 1000, in: fanfare)
      _ = try run.send(["--rate", "200/s"], atRequest: 100)
      let last = try run.resume("--json")
      let summary = try JSON(text: last.output)
      #expect(last.exitCode == 0 && summary["accepted"]?.int == 1000)
      run.expectNobodyLost()
      run.expectTwiceOnlyInDoubt()
      // What was in flight, or not committed yet.
      #expect(run.inDoubt.count <= 100)
      #expect(try #require(summary["resentInDoubt"]?.int) == run.inDoubt.count)
      let most = run.inDoubt.count == 1 ? "1 push" : "\(run.inDoubt.count) pushes"
      #expect(last.errors.contains("At most \(most) may have been sent"))
      #expect(last.errors.contains("\nNo push after number "))
    }
  }

  @Test(
    "at most once, sends to nobody twice, and says of whom it does not know",
    arguments: moments.prefix(6))
  func atMostOnce(_ moments: Moments) throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: Self.count, in: fanfare)
      _ = try run.send(["--at-most-once"], atRequest: moments.requests[0])
      let last = try run.resume(killedAt: moments.requests.dropFirst())
      let summary = try JSON(text: last.output)
      expectSum(of: summary)
      run.expectNobodyTwice()
      let (accepted, unknown) = (summary["accepted"]?.int ?? 0, summary["unknown"]?.int ?? 0)
      #expect(accepted + unknown == Self.count && unknown > 0)
      #expect(last.exitCode == 4)
      // Who is called accepted got it, and who is unknown had been told to be in doubt.
      let known = try run.acceptedInHistory
      #expect(known.count == accepted)
      expectSame(known.subtracting(run.witness.processed), [])
      let doubtful = Set((1...Self.count).map(tokenText)).subtracting(known)
      expectSame(doubtful.subtracting(run.inDoubt.map(tokenText)), [])
      let nothing = try run.resume()
      #expect(nothing.exitCode == 0 && nothing.errors.contains("No run in the history"))
    }
  }
}
