import APNS
import Delivery
import Foundation
import History
import PushModel
import Reporting
import SQLHistory
import TestSupport
import Testing

@testable import Runs

@Suite("Results that were committed, and kept from a file by a kill")
struct CompletedResultsTests {
  private let identity = RunIdentity(given: nil, bits: APNSID.RunBits(7, 7))

  /// Commits results of a run, each of these batches at once.
  private func commit(_ batches: [[PushResult]], to ledger: SQLLedger) throws {
    for batch in batches {
      try ledger.claim(upTo: 8)
      try ledger.record(batch, now: presentSecond * 1000)
      try ledger.commit()
    }
  }

  private func begin(in folder: TemporaryFolder) throws -> SQLLedger {
    let record = RunRecord(
      started: presentSecond * 1000, environment: "emulator", version: "1", identity: identity)
    return try SQLLedger.begin(record, at: folder.file("h.sqlite"))
  }

  private func resume(in folder: TemporaryFolder) throws -> SQLLedger {
    try SQLLedger.resume(
      .first, at: folder.file("h.sqlite"), now: presentSecond * 1000, sendsEarly: true)
  }

  private func committed(in folder: TemporaryFolder) throws -> CommittedRun {
    let history = try HistoryReader(folder.file("h.sqlite"))
    return CommittedRun(history: history, entry: try #require(try history.newestRun()))
  }

  private func write(_ results: [PushResult], to path: String, continues: Bool = false) throws {
    var file = try ResultFile(path, context())
    _ = try file.begin(continues: continues)
    file.write(results, apnsID: identity.apnsID)
  }

  private func complete(_ path: String, in folder: TemporaryFolder) throws -> Int {
    var file = try ResultFile(path, context())
    _ = try file.begin(continues: true)
    return try file.complete(from: try committed(in: folder))
  }

  private static let eight = results(
    (0..<8).map { $0 == 5 ? (.rejected, .dead) : (.accepted, .good) })
  private static let halves = [Array(eight.prefix(4)), Array(eight.suffix(4))]

  @Test(
    "are added, and nothing twice, wherever the file ends", arguments: ["csv", "jsonl", "tsv"],
    1...8)
  func wherever(ending: String, kept: Int) throws {
    for half in [0, 40] {
      try withTemporaryFolder { folder in
        try commit(Self.halves, to: try begin(in: folder))
        let path = folder.file("r.\(ending)")
        try write(Self.eight, to: path)
        let whole = try folder.text("r.\(ending)")
        let lines = whole.split(separator: ending == "jsonl" ? "\n" : "\r\n")
        let count = kept + lines.count - 8
        let torn = count < lines.count ? lines[count].prefix(half) : ""
        let cut = lines[..<count].map { $0 + (ending == "jsonl" ? "\n" : "\r\n") }.joined() + torn
        try folder.write("r.\(ending)", cut)
        #expect(try complete(path, in: folder) == 8 - kept)
        #expect(try folder.text("r.\(ending)") == whole)
        #expect(try complete(path, in: folder) == 0)
      }
    }
  }

  @Test(
    "are added to an empty file when the pass had no other commit", arguments: ["csv", "jsonl"])
  func first(ending: String) throws {
    try withTemporaryFolder { folder in
      let ledger = try begin(in: folder)
      try commit([Self.eight], to: ledger)
      #expect(try complete(folder.file("new.\(ending)"), in: folder) == 0)
      try write([], to: folder.file("r.\(ending)"))
      #expect(try complete(folder.file("r.\(ending)"), in: folder) == 8)
      try write([], to: folder.file("s.\(ending)"))
      try ledger.finish(RunEnding(.interrupted, recipients: .init(lines: 8), at: 0))
      #expect(try complete(folder.file("s.\(ending)"), in: folder) == 0)
    }
  }

  @Test("are not added to a file of something else")
  func foreign() throws {
    try withTemporaryFolder { folder in
      try commit(Self.halves, to: try begin(in: folder))
      var file = try ResultFile(folder.file("r.jsonl"), context())
      _ = try file.begin(continues: false)
      file.write(Self.eight, apnsID: RunIdentity(given: nil, bits: .init(8, 8)).apnsID)
      #expect(try complete(folder.file("r.jsonl"), in: folder) == 0)
      try folder.write("text.jsonl", "one\ntwo,\"three\n")
      #expect(try complete(folder.file("text.jsonl"), in: folder) == 0)
    }
  }

  @Test("of a later pass are added although the file has earlier ones of the same pushes")
  func laterPass() throws {
    try withTemporaryFolder { folder in
      let deferred = results(Self.eight.map { _ in (.deferred, .dead) })
      try commit([deferred], to: try begin(in: folder))
      try write(deferred, to: folder.file("r.csv"))
      let second = try resume(in: folder)
      try second.resuming?.beginPass()
      try commit(Self.halves, to: second)
      #expect(try complete(folder.file("r.csv"), in: folder) == 8)
      #expect(try complete(folder.file("r.csv"), in: folder) == 0)
    }
  }

  @Test(
    "tell as well whom a killed pass may have sent to again, once the next one has begun",
    arguments: [false, true])
  func settled(isSentTo: Bool) throws {
    try withTemporaryFolder { folder in
      let path = folder.file("r.csv")
      let deferred = results(Self.eight.map { _ in (.deferred, .dead) })
      try commit([deferred], to: try begin(in: folder))
      try write(deferred, to: path)
      try resume(in: folder).claim(upTo: 8)
      let next = try resume(in: folder)
      #expect(try complete(path, in: folder) == 0)
      try next.resuming?.beginPass()
      if isSentTo { try commit([Array(Self.eight.prefix(3))], to: next) }
      #expect(try complete(path, in: folder) == 8)
      let last = try folder.text("r.csv").split(separator: "\r\n").suffix(8)
      #expect(last.count { $0.contains(",unknown,") } == (isSentTo ? 5 : 8))
      #expect(try complete(path, in: folder) == 0)
    }
  }

  @Test("of a pass that has just begun are added to a file that is new as well")
  func justBegun() throws {
    try withTemporaryFolder { folder in
      let path = folder.file("new.csv")
      try commit([results(Self.eight.map { _ in (.deferred, .dead) })], to: try begin(in: folder))
      try resume(in: folder).claim(upTo: 8)
      var file = try ResultFile(path, context())
      _ = try file.begin(continues: true)
      try resume(in: folder).resuming?.beginPass()
      try file.add(after: 1, of: try committed(in: folder))
      let lines = try folder.text("new.csv").split(separator: "\r\n").dropFirst()
      #expect(lines.count == 8 && lines.allSatisfy { $0.contains(",unknown,") })
      #expect(try complete(path, in: folder) == 0)
    }
  }

  @Test("are not those of a pass that came to nobody")
  func notAttempted() throws {
    try withTemporaryFolder { folder in
      let deferred = results(Self.eight.map { _ in (.deferred, .dead) })
      try commit([deferred], to: try begin(in: folder))
      try write(deferred, to: folder.file("r.csv"))
      let idle = results(Self.eight.map { _ in (.notAttempted, nil) })
      let second = try resume(in: folder)
      try second.resuming?.beginPass()
      try commit([idle], to: second)
      try write(idle, to: folder.file("r.csv"), continues: true)
      #expect(try complete(folder.file("r.csv"), in: folder) == 0)
    }
  }

  @Test("are added to dead device tokens, too", arguments: ["csv", "jsonl", "txt"])
  func deadTokens(ending: String) throws {
    try withTemporaryFolder { folder in
      let ledger = try begin(in: folder)
      try commit(Self.halves, to: ledger)
      let path = folder.file("dead.\(ending)")
      for count in [0, 1, 0] {
        var file = try DeadTokenFile(path)
        _ = try file.begin(continues: true)
        // A file that is new has nothing to make up for.
        #expect(try file.complete(from: try committed(in: folder)) == count)
        #expect(file.count == 0)
      }
      let tokens = try folder.text("dead.\(ending)").split(separator: "0a1b2c3d4e5f15")
      #expect(tokens.count == 2 || ending == "txt")
    }
  }

  @Test("of a run with nothing left are added to any file", arguments: ["csv", "jsonl"])
  func over(ending: String) throws {
    try withTemporaryFolder { folder in
      let ledger = try begin(in: folder)
      try commit(Self.halves, to: ledger)
      try ledger.finish(RunEnding(.finished, recipients: .init(lines: 8), at: 0))
      var run = try committed(in: folder)
      run.isOver = true
      for (count, dead) in [(8, 1), (0, 0)] {
        var file = try ResultFile(folder.file("new.\(ending)"), context())
        _ = try file.begin(continues: true)
        #expect(try file.complete(from: run) == count)
        var tokens = try DeadTokenFile(folder.file("dead.\(ending)"))
        _ = try tokens.begin(continues: true)
        #expect(try tokens.complete(from: run) == dead)
      }
    }
  }

  @Test("of dead device tokens are added since the last that the file has")
  func deadSince() throws {
    try withTemporaryFolder { folder in
      let path = folder.file("dead.csv")
      let dead = results((0..<6).map { _ in (.rejected, .dead) }).map { [$0] }
      let ledger = try begin(in: folder)
      try commit(dead, to: ledger)
      try ledger.finish(RunEnding(.interrupted, recipients: .init(lines: 6), at: 0))
      var file = try DeadTokenFile(path)
      _ = try file.begin(continues: false)
      file.write(dead[2])
      #expect(try file.complete(from: try committed(in: folder)) == 0)
      var again = try DeadTokenFile(path)
      _ = try again.begin(continues: true)
      #expect(try again.complete(from: try committed(in: folder)) == 3)
    }
  }

  @Test("of dead device tokens are all added once the run is over, whichever passes wrote the file")
  func deadOfEarlierPasses() throws {
    try withTemporaryFolder { folder in
      let path = folder.file("dead.jsonl")
      let untimed = Response(status: .gone, reason: .unregistered)
      let expired = Response(status: .gone, reason: .expiredToken, timestamp: 1)
      let bad = Response(status: .badRequest, reason: .badDeviceToken)
      let all = results(
        [.dead, untimed, expired, bad, .dead, .dead, .good].map { response in
          (response.isAccepted ? .accepted : .rejected, response)
        })
      let deferred = results(all.map { _ in (.deferred, .good) })
      let ledger = try begin(in: folder)
      // The first pass wrote no file, and put a push off that died later.
      try commit([Array(all.prefix(4)) + Array(deferred.suffix(3))], to: ledger)
      try ledger.finish(RunEnding(.finished, recipients: .init(lines: 7), at: 0))
      let second = try resume(in: folder)
      try second.resuming?.beginPass()
      try commit(all.suffix(3).map { [$0] }, to: second)
      var file = try DeadTokenFile(path)
      _ = try file.begin(continues: false)
      file.write([all[5]])
      try second.finish(RunEnding(.finished, recipients: .init(lines: 7), at: 0))
      var run = try committed(in: folder)
      run.isOver = true
      for count in [4, 0] {
        var again = try DeadTokenFile(path)
        _ = try again.begin(continues: true)
        #expect(try again.complete(from: run) == count)
        // Those of this pass alone are counted.
        #expect(again.count == 0)
      }
      let tokens = try folder.lines("dead.jsonl").map { $0.prefix(24).suffix(2) }.sorted()
      #expect(tokens == ["10", "11", "12", "14", "15"], "\(tokens)")
    }
  }

  @Test("are found from the end of the file, whatever blocks it is read in")
  func lines() throws {
    try withTemporaryFolder { folder in
      let lines = [0, 1, 65_534, 65_535, 65_536, 3, 200_000, 7].map {
        String(repeating: "x", count: $0) + "\n"
      }
      let descriptor = open(try folder.write("lines", lines.joined()), O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      var found: [String] = []
      readLines(fromEndOf: descriptor) { line in
        found.append(String(decoding: line, as: UTF8.self))
        return true
      }
      #expect(found.reversed() == lines)
    }
  }
}
