internal import APNS
internal import HTTP2
internal import History
internal import JSONText
internal import POSIX
internal import PlainText
internal import PushModel
internal import SQLHistory

/// What became of a history that was made, written and read in a temporary folder.
struct HistoryTrial {
  /// Why it went wrong; nil when it did not.
  var fault: HistoryError?
  /// Whether what was read is what was written.
  var isWhole = false

  var sight: PlatformSight {
    if let fault {
      return .broken(
        fault.sentence,
        fix:
          "Set TMPDIR to a folder on a local disk. If that changes nothing, install another SQLite, "
          + "or send with --no-history.")
    }
    if !isWhole {
      return .broken(
        "The history reads other things than it wrote.",
        fix: "Install another SQLite, or send with --no-history.")
    }
    return .ok("A run was written and read: STRICT tables, write-ahead log, JSON, upserts, locks.")
  }

  static func inFolder(_ folder: String, _ clock: RunClock) -> HistoryTrial {
    let path = "\(folder)/history.sqlite"
    do throws(HistoryError) {
      let run = try writeRun(path, clock)
      let isChannelKept = try writeChannel(path)
      let entry = try HistoryReader(path).newestRun()
      let isRunKept = entry?.run == run && entry?.state == .finished && entry?.tally.total == 1
      return HistoryTrial(isWhole: isRunKept && isChannelKept)
    } catch {
      return HistoryTrial(fault: error)
    }
  }

  /// One push, as a run writes it.
  private static func writeRun(
    _ path: String, _ clock: RunClock
  ) throws(HistoryError) -> RunNumber {
    let now = clock.epochMilliseconds()
    let ledger = try SQLLedger.begin(
      RunRecord(
        started: now, environment: "emulator", version: fanfareVersion,
        identity: RunIdentity(given: nil, bits: APNSID.RunBits(clock.random(), 1))), at: path)
    try ledger.claim(upTo: 1)
    try ledger.record([result], now: now)
    ledger.listsEnded(at: 1)
    try ledger.finish(RunEnding(.finished, recipients: RecipientCounts(lines: 1), at: now))
    return ledger.run
  }

  private static var result: PushResult {
    var builder = PushChunkBuilder()
    builder.begin(list: "--to")
    Array("0a".utf8).withUnsafeBufferPointer { builder.append(token: $0, line: 1) }
    return PushResult(
      push: builder.take().push(at: 0), outcome: .accepted, response: Response(status: .accepted),
      attempts: 1, wasResentInDoubt: false, latencyMicroseconds: 1000, answeredAt: nil)
  }

  /// Writes a channel twice, which has to leave one.
  private static func writeChannel(_ path: String) throws(HistoryError) -> Bool {
    guard let id = try? ChannelID("dHN0LXNyY2gtY2hubA=="),
      let app = try? BundleID("com.example.app")
    else { return false }
    let table = ChannelTable(path)
    for created in [1, 2] as [Int64] {
      try table.record(ChannelEntry(id, at: "emulator", of: app, created: created))
    }
    return try table.channels().map(\.created) == [2]
  }
}
