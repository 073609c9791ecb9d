import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("A fan-out")
struct FanOutTests {
  /// The lines of the long list.
  static let count =
    switch ListLength.wanted {
    case .short: 10_000
    case .usual: 30_000
    case .long: 1_000_000
    }

  @Test("of a long list of everything that can go wrong is exact, push by push")
  func exact() throws {
    try withFanfare { fanfare in
      let list = FanOutList(count: Self.count)
      let run = try FanOutRun(list, in: fanfare)
      run.expectSummary()
      run.expectResults()
      #expect(run.result.exitCode == 4)
      let dead = try fanfare.folder.lines("dead.txt").map(String.init)
      #expect(dead.count == list.dead.count)
      expectSame(Set(dead), list.dead)
    }
  }

  @Test("in two shards sends to everybody once")
  func shards() throws {
    try withFanfare { fanfare in
      let list = FanOutList(count: 3000)
      let runs = try ["1/2", "2/2"].map { try FanOutRun(list, in: fanfare, "--shard", $0) }
      let tokens = runs.map { Set($0.rows.map(\.token)) }
      #expect(tokens[0].isDisjoint(with: tokens[1]))
      expectSame(tokens[0].union(tokens[1]), Set(list.rows.keys))
      #expect(abs(tokens[0].count - tokens[1].count) < 300)
      for run in runs { expectSum(of: run.summary) }
      #expect(runs[0].summary["badLines"]?.int == list.fates[.badLine])
      #expect(runs[1].summary["badLines"] == 0)
      let sights = runs.map(\.witness.processed)
      #expect(sights[0].isDisjoint(with: sights[1]))
      expectSame(
        sights[0].union(sights[1]), Set(list.rows.filter { $1.fate == .accepted }.keys))
    }
  }

  @Test("with a limit makes the first pushes, and reads no further", arguments: [1, 50, 700])
  func limit(count: Int) throws {
    try withFanfare { fanfare in
      let list = FanOutList(count: 1500)
      let run = try FanOutRun(list, in: fanfare, "--limit", "\(count)")
      expectSum(of: run.summary)
      let first = list.rows.sorted { $0.value.line < $1.value.line }.prefix(count)
      expectSame(Set(run.rows.map(\.token)), Set(first.map(\.key)))
      #expect(run.rows.count == count && run.summary["total"]?.int == count)
      #expect((run.summary["lines"]?.int ?? 0) <= (first.last?.value.line ?? 0) - 1)
    }
  }

  @Test("of several lists, in each format, counts the bad lines of each")
  func formats() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "a.txt",
        "# first\n\(device("0a01"))\n\n\(device("0A01").replacing("0A01", with: "0A 01"))\nxyz\n")
      try fanfare.folder.write(
        "b.csv", "name;device_token\nAna;\(device("0a02"))\nBo;\(device("0a01"))\nCy;\n")
      try fanfare.folder.write(
        "c.jsonl",
        #"""
        {"token": "\#(device("0a03"))", "name": "Di"}
        {"token": "\#(device("0a04"))"
        ["\#(device("0a05"))"]
        {"name": "Ed"}
        {"token": 12}
        {"token": "\#(device("0a02"))", "name": 7}

        """#)
      let result = try fanfare.send(
        "--tokens", "a.txt", "--tokens", "b.csv", "--tokens", "c.jsonl", "--json")
      let summary = try JSON(text: result.output)
      expectSum(of: summary)
      #expect(summary["lines"] == 12 && summary["accepted"] == 3)
      #expect(summary["duplicates"] == 3 && summary["badLines"] == 6)
      #expect(result.exitCode == 1)
    }
  }
}

/// One run over a list, with what both sides wrote down of it.
struct FanOutRun {
  let list: FanOutList
  let witness = Witness()
  let result: Program.Result
  let summary: JSON
  let rows: [ResultRow]

  init(_ list: FanOutList, in fanfare: Fanfare, _ words: String...) throws {
    self.list = list
    let folder = fanfare.folder
    try Data(list.bytes).write(to: URL(filePath: folder.file("list.csv")))
    try folder.write("suppressed.txt", list.suppressed.joined(separator: "\n"))
    try folder.write("payload.json", FanOutList.payload)
    let fates = list.rows.mapValues(\.fate)
    let server = try Server(
      fanfare, witness.configuration { Self.answer(fates[$0.token.hex]) })
    result = try fanfare.start(
      ["send", "--bundle-id", "com.example.app", "--payload", "payload.json"]
        + ["--tokens", "list.csv", "--suppress", "suppressed.txt", "--results", "out.csv"]
        + ["--dead-tokens", "dead.txt", "--json"] + server.place + credentials + words,
      limit: 1200
    ).finish()
    server.emulator.stop()
    summary = try JSON(text: result.output)
    rows = try folder.results("out.csv")
  }

  private static func answer(_ fate: FanOutList.Fate?) -> EmulatorAnswer? {
    switch fate {
    case .unregistered: .reject(.unregistered, timestamp: FanOutList.diedAt)
    case .badDeviceToken: .reject(.badDeviceToken)
    case .deferred: .reject(.serviceUnavailable)
    default: nil
    }
  }

  /// Each figure is what the list foretells.
  func expectSummary() {
    expectSum(of: summary)
    func expect(_ name: String, _ fates: FanOutList.Fate...) {
      let count = fates.reduce(0) { $0 + list.fates[$1, default: 0] }
      #expect(summary[name]?.int == count, "\(name)")
    }
    #expect(summary["lines"]?.int == list.count)
    expect("accepted", .accepted)
    expect("rejected", .unregistered, .badDeviceToken)
    expect("deferred", .deferred)
    expect("skipped", .skipped)
    expect("badLines", .badLine)
    expect("duplicates", .duplicate)
    expect("suppressed", .suppressed)
    #expect(summary["unknown"] == 0 && summary["notAttempted"] == 0)
    #expect(summary["resentInDoubt"] == 0)
  }

  /// The client's results, the emulator's journal and the list say the same of every push.
  func expectResults() {
    #expect(rows.count == list.rows.count)
    expectSame(Set(rows.map(\.sequence)), Set(1...max(1, rows.count)))
    let sights = witness.sights
    expectSame(Set(sights.keys), Set(list.rows.filter { $1.fate != .skipped }.keys))
    let wrong = rows.filter { !agrees($0, sights[$0.token]) }
    #expect(wrong.isEmpty, "\(wrong.count) rows, of which the first is \(wrong.prefix(1))")
  }

  private func agrees(_ row: ResultRow, _ sight: Witness.Sight?) -> Bool {
    guard let known = list.rows[row.token], known.line == row.line else { return false }
    let isProcessed = sight?.processed == 1 && sight?.ids == [row.apnsID]
    let isRefused = sight?.processed == 0 && sight?.ids == [row.apnsID]
    switch known.fate {
    case .accepted:
      let body = FanOutList.body(name: known.name, token: row.token)
      return isProcessed && row.outcome == "accepted" && sight?.body == Array(body.utf8)
    case .unregistered: return isRefused && row.outcome == "rejected" && row.status == "410"
    case .badDeviceToken: return isRefused && row.outcome == "rejected" && row.status == "400"
    case .deferred: return isRefused && row.outcome == "deferred" && row.status == "503"
    case .skipped: return sight == nil && row.outcome == "skipped" && row.status.isEmpty
    case .badLine, .duplicate, .suppressed: return false
    }
  }
}
