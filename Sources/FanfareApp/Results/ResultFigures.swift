internal import APNS
internal import History
internal import PushModel

/// What files of results come to.
struct ResultFigures {
  /// Lines that are neither blank nor a header row.
  var lines = 0
  var brokenLines = 0
  /// Lines that a later one with their apns-id replaces.
  var replaced = 0
  /// From the first request to the last answer, in milliseconds since 1970; nil without an answer.
  private(set) var time: ClosedRange<Int64>?
  private(set) var answered = 0
  /// Whether nothing was sent for a while, as before a run is resumed: then there is no speed.
  private(set) var hasPause = false
  private static let pauseMilliseconds: Int64 = 60_000
  private(set) var page = PageFigures()

  private var refused = NewestRows()
  private var others = NewestRows()
  private var source: StoredRun?

  var began: Int64? { time?.lowerBound }

  /// Notes when a push was sent and answered.
  mutating func extend(_ row: ResultRow) {
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
  /// - Parameter time: stands for the time of one without an answer.
  mutating func count(_ row: ResultRow, at time: Int64) {
    if row.run == nil { page.knowsRuns = false }
    guard let run = row.run ?? RunNumber(rawValue: 1) else { return }
    let push = row.entry(in: run, at: time)
    if push.answeredAt != nil { answered += 1 }
    let source = source ?? Self.source(run)
    self.source = source
    page.count(push, source)
    if push.outcome == .accepted { others.add(push) } else { refused.add(push) }
  }

  /// Puts the newest pushes into the page's table, once all were counted.
  mutating func keepRows() {
    guard let source else { return }
    for push in refused.newestFirst + others.newestFirst { page.keep(push, source) }
  }

  /// A run of which nothing is known: results do not tell where they were sent.
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

/// The last pushes that were added, as many as a page shows.
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
