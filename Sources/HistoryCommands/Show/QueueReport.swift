internal import APNS
package import History
package import JSONText
internal import PushModel
internal import Reporting
internal import Runs

/// The queue's part of 'history show RUN': pushes left, workers, and pushes sent twice.
struct QueueReport: JSONDescribed {
  static let fields: [OutputField<Self>] = [
    .always("left", \.standing.left, "Pushes without a last result."),
    .always("free", \.standing.free, "Those of them that any worker may take now."),
    .always("claimed", \.standing.claimed, "Those that workers have taken."),
    .always(
      "deferred", \.standing.deferred, "Those that wait: APNs asked to send some of them later."),
    .always(
      "nextDue", \.standing.nextDue, "When the first of these is due, in milliseconds since 1970."),
    .always(
      "underway", \.standing.underway, "Pushes that workers may have sent, still without a result."),
    .always(
      "inDoubt", \.standing.inDoubt,
      "Pushes that lost workers may have sent, and that have no result."),
    .always("workers", \.standing.workers, "The workers that have sent some of it, oldest first."),
    .always("sentTwice", \.twice.count, "Pushes that two workers sent."),
    .always(
      "otherResults", { report in report.others.map { ToldResult(result: $0, run: report.run) } },
      "Their results that do not count."),
    .always(
      "resentInDoubt", { $0.resent.ranges.map(ToldRange.init) },
      "Pushes that were sent again because an earlier attempt was in doubt."),
  ]

  /// The maximum number of workers shown to people.
  private static let mostWorkers = 20
  /// The maximum number of push ranges shown to people.
  private static let mostRanges = 10

  let run: RunEntry
  let standing: QueueState
  /// Results beside the authoritative ones, by push.
  let others: [OtherResult]
  /// Pushes sent again while an earlier attempt was in doubt.
  let resent: PushRanges

  /// The counts for people.
  var facts: [Report.Part] {
    [
      .text("left in queue", left), .text("being sent", shown(standing.underway)),
      .text("in doubt", shown(standing.inDoubt, .doubtful)),
      .text("sent twice", shown(twice.count, .doubtful)),
      .text("sent twice?", shown(resent.count, .doubtful)),
    ]
  }

  private func shown(_ count: Int, _ tone: StyledText.Tone = .plain) -> StyledText? {
    count == 0 ? nil : StyledText(grouped(count), tone)
  }

  private var left: StyledText? {
    if standing.left == 0 { return nil }
    let due = standing.nextDue.map { ", the first until \(moment($0).plain)" } ?? ""
    let parts = [
      (standing.free, "free"), (standing.claimed, "claimed"), (standing.deferred, "deferred" + due),
    ].filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    return StyledText("\(grouped(standing.left)): \(parts.joined(separator: ", "))")
  }

  /// The pushes with more than one result.
  private var twice: PushRanges {
    var (pushes, last) = (PushRanges(), UInt64(0))
    for other in others where other.sequence != last {
      pushes.add(other.sequence)
      last = other.sequence
    }
    return pushes
  }
}

// For people.
extension QueueReport {
  var tables: [Report.Part] {
    [
      .section("Workers", workers), .section("Sent twice", [.lines(lines(of: twice.ranges))]),
      .section("May have been sent twice", [.lines(lines(of: resent.ranges))]),
    ]
  }

  private var workers: [Report.Part] {
    if standing.workers.isEmpty { return [] }
    let rows = standing.workers.suffix(Self.mostWorkers).map { $0.row(now: standing.now) }
    let rest = standing.workers.count - rows.count
    let more: [StyledText] = rest > 0 ? ["and \(grouped(rest)) before them; --json lists all"] : []
    return [.table(nil, Array(rows)), .lines(more)]
  }

  private func lines(of ranges: [ClosedRange<UInt64>]) -> [StyledText] {
    let shown = ranges.prefix(Self.mostRanges).map { StyledText(RangeLines.text(of: $0)) }
    let rest = ranges.count - shown.count
    return shown
      + (rest > 0 ? ["and \(counted(rest, "more range")); --json lists all"] : [])
  }
}

private struct ToldRange: JSONDescribed {
  let range: ClosedRange<UInt64>

  static let fields: [OutputField<Self>] = [
    .always("first", \.range.lowerBound, "The first push of a range, by its number in the run."),
    .always("last", \.range.upperBound, "The last one."),
  ]
}

extension WorkerEntry.State: JSONWord {}

extension WorkerEntry: JSONDescribed {
  /// A worker in 'history show' and 'tail'.
  package static let fields: [OutputField<Self>] = [
    .always("worker", \.name, "The worker's name."),
    .always("version", \.version, "The version of fanfare that it runs."),
    .always("state", \.state, "How it is."),
    .always("began", \.started, "When it began, in milliseconds since 1970."),
    .always("ended", \.ended, "When it ended, or was found to be lost."),
    .always("lastHeard", \.heard, "When it was last heard of."),
    .always("total", \.tally.total, "Results that it brought: the sum of the six outcomes."),
    .outcomes(\.tally),
  ]

  /// - Parameter now: milliseconds since 1970 by the server's clock.
  fileprivate func row(now: Int64) -> [Report.Part] {
    let rest = tally.total - tally.accepted - tally.rejected
    return [
      .text("worker", StyledText(name)), .text("state", standing(now)),
      .text("began", moment(started)), .count("pushes", tally.total),
      .count("accepted", tally.accepted, .good),
      .count("rejected", tally.rejected, .bad), .count("others", rest, .doubtful),
    ]
  }

  private func standing(_ now: Int64) -> StyledText {
    let ago = "heard of \(clockText(Int(max(0, now - heard) / 1000))) ago"
    return switch state {
    case .working: "working"
    case .ended: "ended"
    case .lost: StyledText("lost, \(ago)", .doubtful)
    }
  }
}

extension OtherResult {
  /// The answer, worker and time, for people.
  var words: String {
    let answer = [status?.description, reason?.rawValue].compactMap(\.self).joined(separator: " ")
    let place = [answer, worker.map { "by \($0)" } ?? "", "at \(moment(at).plain)"].filter {
      !$0.isEmpty
    }
    return "\(outcome.words): \(place.joined(separator: " "))"
  }
}

/// A result that does not count, in JSON.
struct ToldResult: JSONDescribed {
  let result: OtherResult
  /// The run of the push.
  let run: RunEntry

  static let fields: [OutputField<Self>] = [
    .always("sequence", \.result.sequence, "The push's number in the run, from 1."),
    .always(
      "apnsID", { $0.run.record.identity.apnsID(ofSequence: $0.result.sequence).description },
      "The push's apns-id."),
    .always(
      "worker", \.result.worker,
      "The worker that brought it; null if it counted until a better came."),
    .always("outcome", \.result.outcome, "What became of the push there."),
    .always("status", \.result.status?.rawValue, "The HTTP status of the answer."),
    .always("reason", \.result.reason?.rawValue, "Why APNs refused it."),
    .always("attempts", \.result.attempts, "How many requests were made."),
    .always("at", \.result.at, "When it came, in milliseconds since 1970."),
  ]
}
