internal import APNS
internal import PlainText
internal import PushModel

// What stands in the way of a run: its recipients, its history, production.
extension FailureText {
  static func run(_ failure: Failure) -> (what: String, fix: String) {
    switch failure {
    case .list(let error): ("\(error.list.printable): \(error.sentence)", error.fix)
    case .severalRecipients(let option):
      (
        "\(option) is for one recipient only.",
        option == "--apns-id"
          ? "Give one --to TOKEN, or leave \(option) out: each push then gets an id of its own."
          : "Give one --to TOKEN, or name the environment: --env sandbox or --env production."
      )
    case .noRecipients:
      ("There is nobody to send to.", "Give --to TOKEN, --tokens FILE, or both.")
    case .overwrites(let option, let path):
      (
        "\(option) would overwrite \(path.printable), which this command uses for something else.",
        "Give \(option) a file of its own."
      )
    case .needsConsent:
      ("Production is asked about first, and there is no terminal to ask on.", "Give --yes.")
    case .declined:
      ("Nothing was done.", "Give --env sandbox or emulator to leave production alone.")
    default: history(failure)
    }
  }

  private static func history(_ failure: Failure) -> (what: String, fix: String) {
    switch failure {
    case .history(let error): (error.sentence, error.fix)
    case .damagedRun:
      (
        "The history does not tell how this run was sent.",
        "Send to those who are left with 'fanfare send'; --suppress FILE leaves others out."
      )
    case .rowsGone(let cause, let skipped): (sentences(cause).what, fix(cause, skipped))
    case .expired(let run, let time, let command):
      (
        "Run \(run) was to be delivered until \(ISO8601.text(seconds: time)), which has passed.",
        "Say how long APNs is to keep it now: \(command) --expiration 1h"
      )
    case .beingResent(let run, let resend, let pid):
      (
        "Pushes of run \(run) are being sent again\(resend.map { " by run \($0)" } ?? "")"
          + "\(pid.map { ", process \($0)" } ?? ""): nothing was sent.",
        "Wait until that is done\(resend.map { " ('fanfare history tail \($0)' shows it)" } ?? ""), "
          + "and see what is left."
      )
    case .sentSince(let since):
      ("Of what is left of run \(since.run), \(since.counts): nothing was sent.", since.fix)
    case .nothingWrittenDown:
      (
        "What was not written down cannot be resumed or sent again.",
        "Name the history: --history FILE."
      )
    case .noSuchPush(let id):
      (
        "The history holds no push \(id).",
        "'fanfare history list --pushes' lists what it holds; --history FILE names another."
      )
    case .pushWithoutResult(let id, let run, let isClaimed):
      (
        "Push \(id) of run \(run) has no result: \(isClaimed ? "it may have been sent" : "it was not sent").",
        "'fanfare resume \(run)' goes on with the run."
      )
    default: list(failure)
    }
  }

  private static func list(_ failure: Failure) -> (what: String, fix: String) {
    switch failure {
    case .listLost(let list):
      (
        "\(list == "-" ? "Standard input" : list.printable) could be read once, and no copy is left.",
        "Send to those who are left with 'fanfare send'; --suppress FILE leaves others out."
      )
    case .listChanged(let path, nil):
      (
        "\(path.printable): the list has changed since the run began.",
        "Put the old one back. --force goes on with the new one: lines must be where they were."
      )
    case .listChanged(let path, let time?):
      (
        "\(path.printable): the list was written again since the run began. Its size, head and "
          + "tail are what they were; what lies between may not be.",
        "If nothing has changed, --force goes on, or give the list its time back: "
          + touch(path, time)
      )
    default: ("", "")
    }
  }

  /// What to do when rows cannot be made again.
  private static func fix(_ cause: Failure, _ skipped: Bool) -> String {
    if case .listChanged(let path, let time?) = cause {
      return "If nothing has changed, give the list its time back: " + touch(path, time)
    }
    if skipped {
      return "Skipped rows made nothing that could be kept: put the list back as it was, or mend "
        + "them and send to them with 'fanfare send'."
    }
    return "What its rows made of the template cannot be made again: put the list back as it was. "
      + "'fanfare send --keep-payloads' keeps what they make."
  }

  private static func touch(_ path: String, _ nanoseconds: Int64) -> String {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let digits = String(1_000_000_000 + max(0, rest)).dropFirst()
    let time = ISO8601.text(seconds: seconds).dropLast() + ".\(digits)Z"
    return "touch -d \(time) \(shellWord(path.printable))"
  }
}
