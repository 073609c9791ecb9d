internal import CommandLineKit

/// `fanfare send`
struct Send: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "send", "Send a notification to one or many device tokens.",
    discussion: """
      The notification comes from --payload, from options such as --title, or from both: options \
      override the file. It is checked before anything is sent, and every problem is told at once.

      One recipient gets a short report with the answer, its meaning and what to do. Many get a \
      summary, and with --results a line each.
      """,
    examples: [
      Example(
        "fanfare send --env emulator --bundle-id com.example.app --title Hello --to 0a1b2c3d4e5f",
        "Try it out: no Apple account is needed."),
      Example(
        "fanfare send --env sandbox --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ "
          + "--bundle-id com.example.app --payload order.json --to 0a1b2c3d4e5f",
        "One push to a development build."),
      Example(
        "fanfare send --env production --bundle-id com.example.app --payload news.json "
          + "--tokens all.txt --results results.jsonl",
        "A list, with a line of JSON for each push; the key comes from FANFARE_KEY."),
    ])

  var options = SendingOptions()

  static let groups = SendingOptions.groups.map { $0.inside(\Self.options) }

  func run(_ context: Context) throws -> ExitCode {
    let (options, context) = try options.settled(for: nil, context)
    let suppression = try Suppression(options, context)
    return try Sending(
      options: options, scenario: nil, context: context, suppression: suppression
    ).run()
  }
}
