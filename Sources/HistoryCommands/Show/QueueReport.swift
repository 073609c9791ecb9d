internal import APNS
package import History
package import JSONText
internal import PlainText
internal import PushModel
internal import Reporting
internal import Runs

/// The queue's part of 'history show RUN': pushes left, workers, and pushes sent twice.
struct QueueReport: JSONDescribed {
  static let fields: [JSONField<Self>] = counts + results

  private static let counts: [JSONField<Self>] = [
    .always("left", "Pushes without a last result.") { $0.standing.left },
    .always("free", "Those of them that any worker may take now.") { $0.standing.free },
    .always("claimed", "Those that workers have taken.") { $0.standing.claimed },
    .always("deferred", "Those that wait: APNs asked to send some of them later.") {
      $0.standing.deferred
    },
    .always("nextDue", "When the first of these is due, in milliseconds since 1970.") {
      $0.standing.nextDue
    },
    .always("underway", "Pushes that workers may have sent, still without a result.") {
      $0.standing.underway
    },
    .always("inDoubt", "Pushes that lost workers may have sent, and that have no result.") {
      $0.standing.inDoubt
    },
  ]

  private static let results: [JSONField<Self>] = [
    .always("workers", "The workers that have sent some of it, oldest first.") {
      $0.standing.workers
    },
    .always("sentTwice", "Pushes that two workers sent.") { $0.twice.count },
    .always("otherResults", "Their results that do not count.") { report in
      report.others.map { ToldResult(result: $0, run: report.run) }
    },
    .always(
      "resentInDoubt",
      "Pushes that were sent again because an earlier attempt was in doubt."
    ) { $0.resent.ranges.map(ToldRange.init) },
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

  static let fields: [JSONField<Self>] = [
    .always("first", "The first push of a range, by its number in the run.") {
      $0.range.lowerBound
    }, .always("last", "The last one.") { $0.range.upperBound },
  ]
}

extension WorkerEntry.State: JSONWord {}

extension WorkerEntry: JSONDescribed {
  /// A worker in 'history show' and 'tail'.
  package static let fields: [JSONField<Self>] =
    [
      .always("worker", "The worker's name.") { $0.name },
      .always("version", "The version of fanfare that it runs.") { $0.version },
      .always("state", "How it is.") { $0.state },
      .always("began", "When it began, in milliseconds since 1970.") { $0.started },
      .always("ended", "When it ended, or was found to be lost.") { $0.ended },
      .always("lastHeard", "When it was last heard of.") { $0.heard },
      .always("total", "Results that it brought: the sum of the six outcomes.") {
        $0.tally.total
      },
    ] + JSONField.outcomes { $0.tally }

  /// - Parameter now: milliseconds since 1970 by the server's clock.
  fileprivate func row(now: Int64) -> [Report.Part] {
    let rest = tally.total - tally.accepted - tally.rejected
    return [
      .text("worker", StyledText(name)), .text("state", standing(now)),
      .text("began", moment(started)), .count("pushes", nil, tally.total),
      .count("accepted", nil, tally.accepted, .good),
      .count("rejected", nil, tally.rejected, .bad), .count("others", nil, rest, .doubtful),
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

  static let fields: [JSONField<Self>] = [
    .always("sequence", "The push's number in the run, from 1.") { $0.result.sequence },
    .always("apnsID", "The push's apns-id.") {
      $0.run.record.identity.apnsID(ofSequence: $0.result.sequence).description
    },
    .always("worker", "The worker that brought it; null if it counted until a better came.") {
      $0.result.worker
    },
    .always("outcome", "What became of the push there.") { $0.result.outcome },
    .always("status", "The HTTP status of the answer.") { $0.result.status?.rawValue },
    .always("reason", "Why APNs refused it.") { $0.result.reason?.rawValue },
    .always("attempts", "How many requests were made.") { $0.result.attempts },
    .always("at", "When it came, in milliseconds since 1970.") { $0.result.at },
  ]
}
