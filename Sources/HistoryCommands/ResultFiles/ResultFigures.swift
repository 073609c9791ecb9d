internal import APNS
internal import History
internal import PushModel
internal import Runs

/// The figures of result files.
struct ResultFigures {
  /// Lines that are neither blank nor a header row.
  var lines = 0
  var brokenLines = 0
  /// Lines replaced by a later one with the same apns-id.
  var replaced = 0
  /// From the first request to the last answer, in milliseconds since 1970; nil if unanswered.
  private(set) var time: ClosedRange<Int64>?
  /// Sending paused for a while, as before a resume, so that no rate can be given.
  private(set) var hasPause = false
  private static let pauseMilliseconds: Int64 = 60_000
  private(set) var page = PageFigures()

  private var refused = NewestRows()
  private var others = NewestRows()
  private var source: StoredRun?

  var began: Int64? { time?.lowerBound }

  /// Extends the time range to when a push was sent and answered.
  mutating func extend(_ row: FileResultRow) {
    guard let end = row.answeredAt else { return }
    let start = max(0, end - Int64((row.latencyMicroseconds ?? 0) / 1000))
    if let time {
      let gap = max(start - time.upperBound, time.lowerBound - end)
      hasPause = hasPause || gap > Self.pauseMilliseconds
    }
    time = min(time?.lowerBound ?? start, start)...max(time?.upperBound ?? end, end)
  }

  /// Counts a push, in the order of the lines.
  ///
  /// - Parameter time: the time to use for a push without an answer.
  mutating func count(_ row: FileResultRow, at time: Int64) {
    if row.run == nil { page.knowsRuns = false }
    guard let run = row.run ?? RunNumber(rawValue: 1) else { return }
    let push = row.entry(in: run, at: time)
    let source = source ?? Self.source(run)
    self.source = source
    page.count(push, source)
    if push.outcome == .accepted { others.add(push) } else { refused.add(push) }
  }

  /// Adds the newest pushes to the page's table, after all were counted.
  mutating func keepRows() {
    guard let source else { return }
    for push in refused.newestFirst + others.newestFirst { page.keep(push, source) }
  }

  /// A run with nothing known about it: results do not say where they were sent.
  private static func source(_ run: RunNumber) -> StoredRun {
    let record = RunRecord(
      started: 0, environment: "–", version: "",
      identity: RunIdentity(given: nil, bits: APNSID.RunBits(0, 0)))
    return StoredRun(
      RunEntry(
        run: run, record: record, state: .finished, ended: nil, tally: OutcomeTally(),
        recipients: RecipientCounts(), claimed: 0, last: nil, resumptions: 0))
  }
}

/// The last pushes added, up to the maximum that a page shows.
private struct NewestRows {
  private var rows: [PushEntry] = []
  private var next = 0

  mutating func add(_ push: PushEntry) {
    if rows.count < PageFigures.mostRows {
      rows.append(push)
    } else {
      rows[next] = push
      next = (next + 1) % PageFigures.mostRows
    }
  }

  var newestFirst: [PushEntry] { (rows[next...] + rows[..<next]).reversed() }
}
