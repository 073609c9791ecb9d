internal import APNS
internal import History
internal import PlainText
package import PushModel
package import Reporting

/// Runs a query on the history, and converts its errors.
package func answered<Answer: ~Copyable>(
  _ question: @autoclosure () throws(HistoryError) -> Answer
) throws(Failure) -> Answer {
  try attempt(try question()) { .history($0) }
}

// Errors that prevent reading the history, or resuming or resending a run.
extension Failure {
  package static func history(_ error: HistoryError) -> Failure {
    let isEarly = if case .notDue = error { true } else { false }
    return Failure(
      error.sentence, fix: error.fix, isEarly ? .unfinished : .usage, cause: error,
      fixWhenSending: error.fixWhenSending)
  }

  /// The record of a run in the history is not in this version's form.
  package static var damagedRun: Failure {
    Failure("The history does not say how this run was sent.", fix: sendingTheRest)
  }

  private static let sendingTheRest =
    "Send to the remaining recipients with 'fanfare send'; --suppress FILE leaves out others."

  /// `--no-history` with a command that works on recorded runs.
  static var unrecordedRun: Failure {
    Failure(
      "A run that was not recorded cannot be resumed or sent again.",
      fix: "Name the history with --history.")
  }

  /// A list could be read only once, and there is no copy of it.
  package static func listLost(list: String) -> Failure {
    let subject = list == "-" ? "Standard input" : list.printable
    return Failure(
      "\(subject) could be read only once, and no copy is left.",
      fix: sendingTheRest, cause: MissingList.gone)
  }

  /// A list other than the run's last has changed since the run began.
  static func earlierListChanged(path: String) -> Failure {
    Failure(
      "\(path.printable): the list has changed since the run began, and more recipients follow it: it "
        + "is not known any more which of them have got the push.",
      fix: "Restore the old one. --force cannot continue without it.",
      cause: MissingList.changed(path: path, time: nil))
  }

  /// A list has changed since the run began. `time` is its original modification time in
  /// nanoseconds since 1970, given if that is the only known difference.
  static func listChanged(path: String, time: Int64? = nil) -> Failure {
    let cause = MissingList.changed(path: path, time: time)
    guard let time else {
      return Failure(
        "\(path.printable): the list has changed since the run began.",
        fix: "Restore the old one. --force goes on with the new one: its lines must be where they "
          + "were.", cause: cause)
    }
    return Failure(
      "\(path.printable): the list was written again since the run began. Its size, beginning and "
        + "end are the same; what is in between may not be.",
      fix: "If nothing has changed, --force goes on, or restore the list's time: "
        + touch(path, time), cause: cause)
  }

  /// The rows' payloads cannot be rendered again. Nothing was sent. `skipped`: the row was skipped
  /// in the run, too, so there was no payload to keep.
  package static func rowsGone(_ failure: Failure, skipped: Bool = false) -> Failure {
    let fix =
      if case .changed(let path, let time?)? = failure.cause(MissingList.self) {
        "If nothing has changed, restore the list's time: " + touch(path, time)
      } else if skipped {
        "Skipped rows have no payload to keep: restore the list, or correct the rows and send to "
          + "them with 'fanfare send'."
      } else {
        "The payloads of its rows cannot be rendered again: restore the list. "
          + "'fanfare send --keep-payloads' keeps them."
      }
    return Failure(failure.sentence, fix: fix)
  }

  /// A run to resend had an `apns-expiration` that has passed, in seconds since 1970. `command`
  /// selects the same pushes again.
  package static func expired(_ run: RunNumber, at time: Int64, command: String) -> Failure {
    Failure(
      "Run \(run) was to be delivered by \(ISO8601.text(seconds: time)), which has passed.",
      fix: "Give a new time for APNs to keep it: \(command) --expiration 1h")
  }

  /// A process is resending pushes of the run: the new run and the process ID, if known.
  package static func beingResent(_ run: RunNumber, by resend: RunNumber?, pid: Int32?) -> Failure {
    let sender = resend.map { " by run \($0)" } ?? ""
    let process = pid.map { ", process \($0)" } ?? ""
    let tail = resend.map { " ('fanfare history tail \($0)' shows it)" } ?? ""
    return Failure(
      "Pushes of run \(run) are being sent again\(sender)\(process): nothing was sent.",
      fix: "Wait until that is done\(tail), and see what is left.")
  }

  static func noSuchPush(_ id: APNSID) -> Failure {
    Failure(
      "The history has no push \(id).",
      fix: "'fanfare history list --pushes' lists all pushes; use --history for another history."
    )
  }

  /// The history knows the push but has no result for it. `isClaimed`: it may have been sent.
  static func pushWithoutResult(_ id: APNSID, of run: RunEntry, isClaimed: Bool) -> Failure {
    let fate = isClaimed ? "it may have been sent" : "it was not sent"
    return Failure(
      "Push \(id) of run \(run.run) has no result: \(fate).",
      fix: "'fanfare \(run.continuing) \(run.run)' goes on with the run.")
  }

  private static func touch(_ path: String, _ nanoseconds: Int64) -> String {
    "touch -d \(preciseMoment(nanoseconds, units: 1_000_000_000)) \(shellWord(path.printable))"
  }
}

/// A time in ISO 8601 with fractional seconds.
///
/// - Parameters:
///   - time: the time since 1970, in `units`.
///   - units: the number of units per second.
package func preciseMoment(_ time: Int64, units: Int64) -> String {
  let (seconds, rest) = time.quotientAndRemainder(dividingBy: units)
  return ISO8601.text(seconds: seconds).dropLast() + ".\(String(units + max(0, rest)).dropFirst())Z"
}

/// The reason a list cannot be read again in its original form.
package enum MissingList: Error {
  case gone
  /// The contents or `time` have changed, as in ``Failure/listChanged(path:time:)``.
  case changed(path: String, time: Int64?)
}

extension RunEntry {
  /// The command that continues the run.
  package var continuing: String { state == .enqueued ? "work" : "resume" }
}
