internal import APNS
internal import Delivery
internal import PlainText
internal import PushModel

/// The summary of a run as a person reads it.
struct SummaryText {
  let report: Run.Report
  let environment: String
  /// The run's number in the history; nil when it is not written down.
  let run: Int64?
  let facts: RequestFacts
  /// Where the results are; nil when they were not asked for.
  let results: String?
  /// The file of dead device tokens and how many are in it; nil when none was asked for.
  var dead: (path: String, count: Int)?
  /// How to go on with what is left.
  let wayOn: WayOn
  let style: Style

  /// The lines, with a line feed at the end.
  var text: String {
    let rows =
      outcomes + lists + [speed, latency, resultRow, deadRow, runRow, wayRow].compactMap(\.self)
    let width = rows.map(\.name.count).max() ?? 0
    let table = rows.map { row in
      row.name + String(repeating: " ", count: width - row.name.count + 2) + row.value
    }
    return (table + advice).joined(separator: "\n") + "\n"
  }

  private typealias Row = (name: String, value: String)

  private var outcomes: [Row] {
    let summary = report.summary
    let shown = Outcome.allCases.filter { summary[$0] > 0 || $0 == .accepted }
    let reasons: [Row] = summary.sortedReasons.map {
      ("  " + $0.0.name.printable, grouped($0.1))
    }
    return [("environment", environment.printable)] + shown.flatMap(rows) + reasons
  }

  /// An outcome, and what is to be known of it.
  private func rows(_ outcome: Outcome) -> [Row] {
    let count = style.of(outcome)(grouped(report.summary[outcome]))
    let due = outcome == .deferred ? wayOn.dueTime.map { ", " + $0 } : nil
    let row: Row = (outcome.words, count + (due ?? ""))
    guard outcome == .skipped, report.summary.expired > 0 else { return [row] }
    return [row, ("  expired before they were sent", grouped(report.summary.expired))]
  }

  private var lists: [Row] {
    let counts = report.summary.recipients
    var rows: [Row] = []
    if counts.badLines > 0 { rows.append(("bad lines", style.doubtful(grouped(counts.badLines)))) }
    if counts.duplicates > 0 { rows.append(("duplicates", grouped(counts.duplicates))) }
    if counts.suppressed > 0 { rows.append(("suppressed", grouped(counts.suppressed))) }
    if counts.otherShards > 0 { rows.append(("other shards", grouped(counts.otherShards))) }
    if report.summary.resentInDoubt > 0 {
      rows.append(("sent twice?", style.doubtful(grouped(report.summary.resentInDoubt))))
    }
    return rows
  }

  private var speed: Row? {
    let summary = report.summary
    guard summary.total > 0 else { return nil }
    let rate = grouped(Int(summary.pushesPerSecond.rounded()))
    return ("speed", "\(rate) pushes/s over \(fixed(summary.seconds, decimals: 2)) s")
  }

  private var latency: Row? {
    let latency = report.summary.latency
    guard let median = latency.percentile(0.5), let p95 = latency.percentile(0.95),
      let p99 = latency.percentile(0.99)
    else { return nil }
    return (
      "latency",
      "p50 \(milliseconds(median)), p95 \(milliseconds(p95)), p99 \(milliseconds(p99))"
    )
  }

  /// The run's number in the history.
  private var runRow: Row? { run.map { ("run", "\($0)") } }

  private var wayRow: Row? {
    if let command = wayOn.command { return ("go on with", command) }
    let outcomes: [Outcome] = [.deferred, .unknown, .notAttempted]
    let isLeft = run == nil && outcomes.contains { report.summary[$0] > 0 }
    return isLeft
      ? ("go on with", "nothing: this run was not written down, and cannot be resumed") : nil
  }

  private var deadRow: Row? {
    dead.map { ("dead tokens", "\(grouped($0.count)) in \($0.path.printable)") }
  }

  private var resultRow: Row? { results.map { ("results", $0.printable) } }

  /// The meaning of the most frequent refusal, and its fix.
  private var advice: [String] {
    guard let reason = report.summary.sortedReasons.first?.0.reason, reason.info != nil else {
      return []
    }
    return [""] + reason.advice(facts).map { style.of($0) }
  }
}
