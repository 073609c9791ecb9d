internal import APNS
import Foundation
internal import History
internal import PushModel
internal import SQLHistory

extension FuzzTarget {
  /// A damaged history: it is read, resumed and pruned, or refused, and one that is not resumed stays
  /// as it is.
  ///
  /// Each line damages ``SampleHistory``: `runs.started 2 -1` gives the third row of a table another
  /// value, `@4096 255` the file another byte.
  static let history = FuzzTarget("History") { bytes in
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let damage = lines.prefix(16).compactMap { Damage(String($0)) }
    let damaged = try SampleHistory.withFile { path in
      try Data(SampleHistory.bytes).write(to: URL(filePath: path))
      for change in damage { change.apply(to: path) }
      return try Data(contentsOf: URL(filePath: path))
    }
    for check in HistoryCheck.all {
      try SampleHistory.withFile { path in
        try damaged.write(to: URL(filePath: path))
        try check(path)
      }
    }
  }
}

/// A change to a history that no version of this tool makes.
private enum Damage {
  case value(table: String, column: String, row: Int, text: String)
  case byte(UInt8, at: Int)

  init?(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    if words.count == 2, words[0].hasPrefix("@"), let offset = Int(words[0].dropFirst()),
      let byte = UInt8(words[1])
    {
      self = .byte(byte, at: offset)
      return
    }
    guard words.count == 3, SampleHistory.columns.contains(words[0]), let row = Int(words[1]) else {
      return nil
    }
    let names = words[0].split(separator: ".").map(String.init)
    self = .value(table: names[0], column: names[1], row: row, text: words[2])
  }

  func apply(to path: String) {
    switch self {
    case .value(let table, let column, let row, let text):
      let value = Int64(text).map { "\($0)" } ?? "'\(text.replacing("'", with: "''"))'"
      // STRICT refuses a text where a number belongs.
      try? SQLiteText(path).run(
        """
        UPDATE OR IGNORE \(table) SET \(column) = \(value)
          WHERE \(column) IS (SELECT \(column) FROM \(table) LIMIT 1 OFFSET \(max(0, row)))
        """)
    case .byte(let byte, let offset):
      guard SampleHistory.bytes.indices.contains(offset),
        let file = try? FileHandle(forUpdating: URL(filePath: path))
      else { return }
      try? file.seek(toOffset: UInt64(offset))
      try? file.write(contentsOf: [byte])
      try? file.close()
    }
  }
}

/// What is done with a history. A `HistoryError` is never a finding.
private enum HistoryCheck {
  static let all: [@Sendable (String) throws -> Void] =
    [
      read, count, follow, prune,
    ] + (1...3).compactMap(RunNumber.init).map { run in { try resume(run, $0) } }

  /// So many pushes are asked for; there are fewer.
  private static let many: UInt64 = 60

  private static func allowingRefusal(_ body: () throws -> Void) throws {
    do { try body() } catch is HistoryError {}
  }

  @Sendable private static func read(_ path: String) throws {
    try allowingRefusal {
      let reader = try HistoryReader(path)
      _ = try [reader.environments(), reader.scenarios(), reader.allReasons()]
      _ = try reader.newestRun()
      var runs: [RunEntry] = []
      try allowingRefusal {
        try reader.forEachRun(HistoryFilter()) { run in
          runs.append(run)
          return true
        }
      }
      for run in runs { try allowingRefusal { try read(run, reader) } }
      for filter in filters { try allowingRefusal { try read(filter, reader) } }
    }
  }

  private static func read(_ run: RunEntry, _ reader: HistoryReader) throws {
    _ = (run.claimedWithoutResult, run.recipients.pushes, reader.isBeingSent(run.run))
    _ = try reader.family(of: run.run)
    _ = try reader.relatedResults(of: run.run, sequence: 6)
    try reader.forEachWithoutResult(of: run.run) { _ in }
    try reader.hold(run.run).release()
  }

  private static var filters: [HistoryFilter] {
    var filters = Array(repeating: HistoryFilter(), count: 5)
    filters[1].token = TokenPattern("0000000f")
    filters[2].token = TokenPattern("f")
    filters[3].apnsID = APNSID(APNSID.RunBits(1 << 59 | 7, 1 << 13 | 3), sequence: 7)
    filters[4].outcomes = [.rejected, .unknown]
    return filters
  }

  private static func read(_ filter: HistoryFilter, _ reader: HistoryReader) throws {
    for newestFirst in [true, false] {
      try reader.forEachPush(filter, newestFirst: newestFirst) { (push) throws(HistoryError) in
        _ = try reader.keptPayload(of: push)
        return true
      }
    }
  }

  @Sendable private static func count(_ path: String) throws {
    try allowingRefusal {
      let reader = try HistoryReader(path)
      for grouping in PushGrouping.allCases {
        for filter in filters.prefix(2) {
          try allowingRefusal { _ = try reader.statistics(filter, by: grouping) }
        }
      }
    }
  }

  @Sendable private static func follow(_ path: String) throws {
    try allowingRefusal {
      let follower = try HistoryReader(path).follower(HistoryFilter())
      _ = try follower.begin(last: 5)
      let ledger = try SQLLedger.resume(.first, at: path, now: .max >> 20, sendsEarly: true)
      try send(ledger)
      try follower.look { _ in }
    }
  }

  private static func resume(_ run: RunNumber, _ path: String) throws {
    try allowingRefusal {
      let before = try Data(contentsOf: URL(filePath: path))
      do {
        let ledger = try SQLLedger.resume(run, at: path, now: SampleHistory.start + 3_600_000)
        try allowingRefusal { try send(ledger) }
      } catch HistoryError.corrupt {
        let after = try Data(contentsOf: URL(filePath: path))
        try expect(before == after, "a history that is refused stays as it is")
      }
    }
  }

  /// Sends what is left, as a run does.
  private static func send(_ ledger: SQLLedger) throws {
    guard let resuming = ledger.resuming else { return }
    let (plan, standings) = (resuming.plan, try resuming.standings())
    _ = (plan.ready, plan.inDoubt, plan.left(of: PushTotal(count: 60, isExact: true)))
    var inDoubt: UInt64 = 0
    try resuming.forEachInDoubt { inDoubt += UInt64($0.count) }
    let pushes = SampleHistory.pushes(Int(many))
    let due = try pushes.filter { push in
      plan.step(for: try standings.standing(of: push.sequence), now: SampleHistory.start) != .leave
    }
    try ledger.claim(upTo: many)
    try ledger.record(due.map { SampleHistory.result($0) }, now: SampleHistory.start)
    try ledger.end(pushes.count)
  }

  @Sendable private static func prune(_ path: String) throws {
    try allowingRefusal {
      let pruning = try HistoryPruning(path)
      let rule = PruningRule(keep: 1, takesUnfinished: true)
      _ = try pruning.remove(try pruning.plan(rule, now: SampleHistory.start))
    }
  }
}
