internal import APNS
internal import History
internal import JSONText
internal import PlainText
internal import PushModel
internal import Reporting
internal import Runs

/// The queue's part of 'history show RUN': pushes left, workers, and pushes sent twice.
struct QueueReport {
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

  /// The JSON, and the counts for people.
  var facts: [Report.Part] {
    [
      .object("queue", json), .text("left in queue", left),
      .text("being sent", shown(standing.underway)),
      .text("in doubt", shown(standing.inDoubt, .doubtful)),
      .text("sent twice", shown(twice.count, .doubtful)),
      .text("sent twice?", shown(resent.count, .doubtful)),
    ]
  }

  private var json: [Report.Part] {
    [
      .json("left", .number(standing.left)), .json("free", .number(standing.free)),
      .json("claimed", .number(standing.claimed)), .json("deferred", .number(standing.deferred)),
      .json("nextDue", .number(standing.nextDue)), .json("underway", .number(standing.underway)),
      .json("inDoubt", .number(standing.inDoubt)),
      .json("workers", JSON(.array(standing.workers.map { Report(parts: $0.parts).json }))),
      .json("sentTwice", .number(twice.count)),
      .json("otherResults", JSON(.array(others.map { $0.json(run) }))),
      .json(
        "resentInDoubt",
        JSON(
          .array(
            resent.ranges.map {
              ["first": .number($0.lowerBound), "last": .number($0.upperBound)]
            }))),
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

extension WorkerEntry {
  /// The JSON of a worker in 'history show' and 'tail'.
  var parts: [Report.Part] {
    [
      .json("worker", .text(name)), .json("version", .text(version)),
      .json("state", .text(state.rawValue)), .json("began", .number(started)),
      .json("ended", .number(ended)), .json("lastHeard", .number(heard)),
      .json("total", .number(tally.total)),
    ] + Outcome.allCases.map { .json($0.rawValue, .number(tally[$0])) }
  }

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

  /// - Parameter run: the run of the push.
  func json(_ run: RunEntry) -> JSON {
    [
      "sequence": .number(sequence),
      "apnsID": .text(run.record.identity.apnsID(ofSequence: sequence).description),
      "worker": .text(worker), "outcome": .text(outcome.rawValue),
      "status": .number(status?.rawValue), "reason": .text(reason?.rawValue),
      "attempts": .number(attempts), "at": .number(at),
    ]
  }
}
