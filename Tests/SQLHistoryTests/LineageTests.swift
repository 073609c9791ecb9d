import APNS
import History
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("Resends of resends", .overAllHistories)
struct LineageTests {
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  private func number(_ run: Int64) throws -> RunNumber {
    try #require(RunNumber(rawValue: run))
  }

  private func lineage(of run: Int64, _ sequences: [UInt64]) throws -> Lineage {
    var lineage = Lineage(of: try number(run))
    for sequence in sequences { lineage.add(sequence) }
    return lineage
  }

  /// A run whose first pushes were accepted, and the others not sent.
  private func write(_ accepted: Int, of count: Int, _ lineage: Lineage? = nil) throws {
    let ledger = try SQLLedger.begin(.sample(), lineage, at: path)
    try ledger.claim(upTo: UInt64(count))
    let pushes = try Push.samples(count)
    try ledger.record(pushes.prefix(accepted).map { $0.result(.accepted, .yes) }, now: dawn)
    try ledger.commit()
  }

  private func origins() throws -> [String] {
    let database = try Database.open(path)
    let statement = try Statement(
      "SELECT (id >> 40) || '.' || (id & 255) || ' ' || (origin >> 40) || '.' || (origin & 255) "
        + "FROM origins ORDER BY id", on: database)
    var rows: [String] = []
    while try statement.step() { rows.append(statement.text(0) ?? "") }
    return rows
  }

  @Test("are written down before a push is sent, as pushes of the oldest run")
  func written() throws {
    try write(4, of: 4)
    try write(0, of: 3, try lineage(of: 1, [1, 2, 4]))
    try write(0, of: 2, try lineage(of: 2, [1, 3]))
    #expect(try origins() == ["2.1 1.1", "2.2 1.2", "2.3 1.4", "3.1 1.1", "3.2 1.4"])
    let reader = try HistoryReader(path)
    #expect(try reader.family(of: try number(3)).map(\.run.rawValue) == [1, 2, 3])
    let entry = try #require(try reader.run(try number(3)))
    #expect(entry.record.resends?.rawValue == 2)
  }

  @Test("tell what became of a push in all of them, whether it has a result itself or not")
  func related() throws {
    try write(0, of: 4)
    try write(2, of: 3, try lineage(of: 1, [2, 3, 4]))
    try write(1, of: 1, try lineage(of: 2, [3]))
    let reader = try HistoryReader(path)
    func results(_ run: Int64, _ sequence: UInt64) throws -> [String] {
      try reader.relatedResults(of: try number(run), sequence: sequence)
        .map { "\($0.run) \($0.outcome.rawValue)" }
    }
    // No run has ended: what it claimed may have been sent.
    #expect(try results(1, 1) == ["1 unknown"])
    #expect(try results(1, 2) == ["1 unknown", "2 accepted"])
    #expect(try results(1, 4) == ["1 unknown", "2 unknown", "3 accepted"])
    #expect(try results(2, 1) == ["1 unknown"])
    #expect(try results(2, 3) == ["1 unknown", "2 unknown", "3 accepted"])
    #expect(try results(3, 1) == ["1 unknown", "2 unknown"])
    try Database.open(path).execute("UPDATE progress SET claimed = 0, pass_claimed = 0")
    let sent = try HistoryReader(path)
    #expect(try sent.relatedResults(of: try number(1), sequence: 4).map(\.run.rawValue) == [3])
    #expect(try sent.relatedResults(of: try number(3), sequence: 1).isEmpty)
    var open: [UInt64] = []
    try reader.forEachWithoutResult(of: try number(2)) { open.append($0) }
    #expect(open == [3])
  }

  @Test("do not doubt what was not due when a pass was killed")
  func notDue() throws {
    let pushes = try Push.samples(2)
    let results = zip(pushes, [0, 10]).map { push, late in
      push.result(.deferred, .busy, at: dawn + late * minute)
    }
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path)
      try ledger.claim(upTo: 2)
      try ledger.record(results, now: dawn)
      try ledger.finishAll(2)
    }
    do {
      let ledger = try SQLLedger.resume(.first, at: path, now: dawn + 15 * minute)
      try ledger.beginPass()
      try ledger.claim(upTo: 2)
    }
    let reader = try HistoryReader(path)
    #expect(try reader.relatedResults(of: .first, sequence: 1).map(\.outcome) == [.unknown])
    #expect(try reader.relatedResults(of: .first, sequence: 2).isEmpty)
  }
}

extension Database {
  /// Keeps every result as a row of its own, not packed.
  func unpackAccepted() throws(HistoryError) {
    try execute(unpackingPushes)
  }
}
