internal import History
internal import PushModel
internal import Reporting

/// A description of the pushes to resend, for people.
struct ResendText {
  let choice: ResendChoice
  let tally: ResendTally
  let isDryRun: Bool
  var isVerbose = false

  private var run: RunNumber { choice.entry.run }

  /// The text, with a trailing newline.
  var text: String {
    let lines = [what, limit, before] + inDoubt + leftOut + unfinished + [rest, twice]
    return lines.compactMap(\.self).joined(separator: "\n")
  }

  private var what: String {
    let count = tally.sent
    if count == 0 { return "No push of run \(run) matches: nothing is sent." }
    let verb = isDryRun ? "would be sent" : count == 1 ? "is sent" : "are sent"
    return "\(grouped(count)) \(count == 1 ? "push" : "pushes") of run \(run) \(verb) again."
  }

  private var limit: String? {
    tally.isCutOff ? "--limit leaves out the others." : nil
  }

  /// The number of pushes resent before.
  private var before: String? {
    let counts = tally.sentBefore.sorted { $0.key < $1.key }
    if counts.isEmpty { return nil }
    let runs = counts.map { "\(grouped($0.value)) by run \($0.key)" }.joined(separator: ", ")
    return "Of these, resent before: \(runs)."
  }

  /// The pushes in doubt: in the run itself, and in resends that were killed.
  private var inDoubt: [String?] {
    if tally.inDoubt.count == 0 { return [] }
    let most = counted(tally.inDoubt.count, "push", plural: "pushes")
    return [
      "At most \(most) of these may have been sent without an answer, and may arrive twice:"
    ]
      + RangeLines.lines(of: tally.inDoubt, isVerbose: isVerbose)
  }

  private var leftOut: [String?] {
    [
      line("APNs does not know the device token", tally.leftOut[.deadToken], "--only rejected"),
      line("an earlier resend got it accepted", tally.leftOut[.accepted], "--include-resent"),
      line(
        "it may have arrived when it was sent again, and must be sent at most once",
        tally.leftOut[.inDoubt], "--include-resent"),
      line(
        "it may have arrived, and must be sent at most once", choice.leftOutUnknown,
        "--only unknown"),
      tally.sent > 0 ? nil : line("it was skipped", skipped, "--only skipped"),
    ]
  }

  private func line(_ reason: String, _ count: Int?, _ option: String) -> String? {
    guard let count, count > 0 else { return nil }
    return "Left out because \(reason): \(grouped(count)). Use \(option) to include them."
  }

  private var skipped: Int {
    choice.only.isEmpty && choice.reasons.isEmpty ? choice.entry.tally.skipped : 0
  }

  /// Resends that still have some of the run's pushes.
  private var unfinished: [String] {
    choice.resends.compactMap { resend in
      let (number, left) = (resend.run, resend.openCount(at: choice.now))
      let isEnded = resend.state == .finished
      if isEnded, left == 0 { return nil }
      return "Run \(number), which resends pushes of run \(run), "
        + (isEnded ? "has \(grouped(left)) left" : "is not finished")
        + ": 'fanfare resume \(number)' continues it."
    }
  }

  /// The number of these pushes that the run itself still has left.
  private var twice: String? {
    guard tally.open > 0, choice.entry.state == .finished else { return nil }
    let (are, them) = tally.open == 1 ? ("is", "it") : ("are", "them")
    return "\(grouped(tally.open)) of these \(are) left in run \(run), too: "
      + "'fanfare resume \(run)' then needs --force, and sends \(them) again."
  }

  /// A note that the run itself may still send pushes without a result.
  private var rest: String? {
    if choice.entry.state == .finished || !choice.hasRest { return nil }
    if tally.sent == 0 {
      return "Run \(run) is not finished: 'fanfare resume \(run)' continues it."
    }
    let force = tally.open > 0 ? ", but then needs --force, and sends these again" : ""
    return "Run \(run) is not finished: this sends only pushes that have a result. "
      + "'fanfare resume \(run)' sends the others\(force)."
  }
}
