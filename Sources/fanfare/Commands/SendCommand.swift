internal import CommandLineKit
internal import FanfareApp
internal import Projects

/// `fanfare send`
struct SendCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "send", "Send a notification to one or many device tokens.",
    discussion: """
      The notification comes from --payload, from options such as --title, or from both: options \
      override the file. It is checked before anything is sent, and all problems are reported at \
      once.

      For one recipient, the answer is printed with its meaning and what to do. For many, a \
      summary is printed, and --results writes a line for each.

      --watch keeps running: each time the file of --payload is saved, it is checked and sent \
      again, as a new run over the same connection. Ctrl-C ends it.
      """,
    examples: [
      Example(
        "fanfare send --env emulator --bundle-id com.example.app --title Hello --to 0a1b2c3d4e5f",
        "Try it out without an Apple account."),
      Example(
        "fanfare send --env sandbox --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ "
          + "--bundle-id com.example.app --payload order.json --to 0a1b2c3d4e5f",
        "Send one push to a development build."),
      Example(
        "fanfare send --env production --bundle-id com.example.app --payload news.json "
          + "--tokens all.txt --results results.jsonl",
        "Send to a list, with a line of JSON per push and the key in FANFARE_KEY."),
      Example(
        "fanfare send --env emulator --bundle-id com.example.app --payload order.json "
          + "--to 0a1b2c3d4e5f --watch",
        "Send a payload again each time it is saved."),
    ])

  var options = Settings()

  static let groups = (SettingOptions.sending + [repeating]).map { $0.inside(\Self.options) }

  private static let repeating = OptionGroup<Settings>(
    "Repeating",
    [
      .setting(
        "watch", \.watch, help: "Send again each time the file of --payload is saved.")
    ])

  func run(_ context: Context) throws -> ExitCode {
    try Send(options: options, context: context).run()
  }
}
