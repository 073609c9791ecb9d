internal import CommandLineKit
internal import Reporting
internal import Settings
internal import Tools

/// `fanfare token`
struct TokenCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "token", "Print a provider token for use with other tools.",
    discussion: """
      The token is a secret for an hour. It is the one that 'fanfare send' uses and keeps in your \
      cache folder, so it stays the same for 50 minutes: APNs refuses senders whose tokens change \
      too often. --no-token-cache signs a new one and does not store it.
      """,
    examples: [
      Example(
        "fanfare token --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ",
        "What follows 'authorization: bearer'.")
    ])

  var options = Settings()

  static let groups = [
    SettingOptions.credentials.inside(\Self.options),
    OptionGroup<Self>("Where", [Parameter.setting("profile").inside(\.options)]),
  ]

  func run(_ context: Context) throws -> Report {
    try PrintToken(options: options, context: context).run()
  }
}
