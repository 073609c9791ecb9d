internal import CommandLineKit
internal import Reporting
internal import Runs
internal import Scenarios
internal import Settings

/// `fanfare send`
struct SendCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "send", "Send a notification to one or many device tokens, or to a channel.",
    discussion: """
      The notification comes from --payload, from options such as --title, or from both: options \
      override the file. It is checked before anything is sent, and all problems are reported at \
      once.

      For one recipient, the answer is printed with its meaning and what to do. For many, a \
      summary is printed, and --results writes a line for each.

      --again repeats a run from its own options, with new apns-ids. Payload and lists are read \
      again. --to, --tokens and --channel replace all recipients of the run. 'history resend' sends \
      what was recorded, to the pushes of a run that were not accepted.

      --channel sends a Live Activity's update or end once, to a broadcast channel of the app that \
      --bundle-id names, and so to every device that follows it. --expiration is 0 unless given.

      On a terminal, fanfare asks before it sends to several devices in production, or to a \
      channel; --yes does not ask. It also asks before it sends to a named device of another \
      environment, which without a terminal needs --yes.

      --plan prints what would be sent, where, as whom and to how many, and what would be asked. \
      --yes=ID sends the plan with this ID, or nothing if it is another one by now.

      --watch keeps running: each time the file of --payload is saved, it is checked and sent \
      again, as a new run over the same connection. Ctrl-C ends it.

      --enqueue checks everything and reads the lists, but sends nothing itself: the run goes into \
      the queue of the history's database, from which 'fanfare work' sends it on any machine that has \
      the key. Of a key, --key-id and --team-id suffice here. 'fanfare resume RUN' goes on if the \
      lists were not read to their end.
      """,
    examples: [
      Example(
        "fanfare send --env emulator --bundle-id com.example.app --title Hello "
          + "--to \(exampleToken)",
        "Try it out without an Apple account."),
      Example(
        "fanfare send --env sandbox --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ "
          + "--bundle-id com.example.app --payload order.json --to \(exampleToken)",
        "Send one push to a development build."),
      Example(
        "fanfare send --env production --bundle-id com.example.app --payload news.json "
          + "--tokens all.txt --results results.jsonl",
        "Send to a list, with a line of JSON per push and the key in FANFARE_KEY."),
      Example(
        "fanfare send --env sandbox --bundle-id com.example.app --event end "
          + "--channel dHN0LXNyY2gtY2hubA==",
        "End the Live Activities that follow a channel."),
      Example(
        "fanfare send --again --title Hello",
        "Repeat the last run with another title, and its files as they are now."),
      Example(
        "fanfare send --env emulator --bundle-id com.example.app --payload order.json "
          + "--to \(exampleToken) --watch",
        "Send a payload again each time it is saved."),
      Example(
        "fanfare send --env production --key-id ABC123DEFG --team-id DEF123GHIJ "
          + "--bundle-id com.example.app --payload news.json --tokens all.csv --enqueue",
        "Leave the sending to workers, with the database in FANFARE_HISTORY."),
    ])

  /// The push or run to repeat.
  var again: HistoryReference?
  var options = Settings()

  static let groups =
    SettingOptions.sending.map { $0.inside(\Self.options) } + [
      OptionGroup<Self>(
        "Repeating",
        [
          .option(
            "again", ofOptional: HistoryReference.self, value: "RUN|APNS-ID",
            help: "Send the last run of 'send' again, or this one; options replace its own.",
            completion: .runs
          ) { command, place in command.again = place ?? .last },
          Parameter.setting("watch").inside(\Self.options),
        ]),
      OptionGroup("Queue", ["enqueue", "urgent"]).inside(\Self.options),
    ]

  func run(_ context: Context) throws -> Report {
    let context = context.telling(options)
    do throws(Failure) {
      return try options.report { () throws(Failure) in try sent(context) }
    } catch {
      guard options.json.isOn, !error.problems.isEmpty else { throw error }
      return Report(parts: Failure.refusal.parts(of: error), exitCode: error.exitCode)
        .asJSON(options.json?.value)
        .followed(by: error.parts() + context.annotations(of: error.problems))
    }
  }

  private func sent(_ context: Context) throws(Failure) -> Report {
    switch again {
    case nil: try Send(options: options, context: context).run()
    case let place?: try SendAgain(place, options: options, context: context).run()
    }
  }
}

extension Settings {
  /// The report of a command that sends. With `--json`, programs read what a failure holds for them.
  func report(_ send: () throws(Failure) -> Report) throws(Failure) -> Report {
    do throws(Failure) {
      return try send()
    } catch {
      guard json.isOn, !error.data.isEmpty else { throw error }
      return Report(parts: [.json("error", .text(error.sentence))] + error.data)
        .merging(error.exitCode).asJSON(true).followed(by: error.parts())
    }
  }
}
