internal import CommandLineKit
internal import Reporting
internal import Settings
internal import Tools

/// `fanfare doctor`
struct DoctorCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "doctor", "Test each layer between here and APNs, with a fix for each.",
    discussion: """
      Tests twelve steps in order, from the key to the server's clock, and stops at the first one \
      that is broken. The credentials are tested with a push to a made-up device token: \
      BadDeviceToken means that APNs accepted them. It needs a bundle ID. Without a key, only the \
      network is tested.

      With --channels it tests the hosts that manage broadcast channels, which have ports of their \
      own, and asks for the app's channels in place of the push.

      With --self it tests fanfare on this machine instead: the libraries, a push to this process \
      and the refusal of bad certificates. That takes no network, no credentials and none of your \
      files.

      Asks before it connects to production. The exit code is 3 if a step is broken, and 0 \
      otherwise, even with warnings.
      """,
    examples: [
      Example(
        "fanfare doctor --env sandbox --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ "
          + "--bundle-id com.example.app",
        "All steps."),
      Example("fanfare doctor --env production --yes --json", "Only the network, for a script."),
      Example(
        "fanfare doctor --env emulator --bundle-id com.example.app",
        "What it looks like when everything works."),
      Example(
        "fanfare doctor --channels --env emulator --bundle-id com.example.app",
        "Whether channels can be managed."),
      Example("fanfare doctor --self", "Whether fanfare works on this machine."),
    ])

  var options = Settings()
  var timeout = TimeLength(milliseconds: 10_000)
  var channels = false
  var itself = false
  var yes = false
  var json = false

  static let groups = [
    SettingOptions.place.inside(\Self.options), SettingOptions.credentials.inside(\Self.options),
    OptionGroup<Self>(
      "Doctor",
      [
        Parameter.setting("bundle-id", help: "The app that the test push is for.")
          .inside(\.options),
        .flag(
          "channels", \.channels, help: "Test the hosts that manage broadcast channels instead."),
        Parameter.setting("manage-host").inside(\.options),
        .flag("self", \.itself, help: "Test this machine instead, without the network."),
        .option("timeout", \.timeout, value: "TIME", help: "The longest wait for each step."),
        .flag("yes", \.yes, short: "y", help: "Do not ask before production."),
        .flag("json", \.json, help: "Print a JSON object."),
      ]),
  ]

  func run(_ context: Context) throws -> Report {
    if itself {
      return try SelfTest(
        options: options, timeout: timeout, ofChannels: channels, asJSON: json, context: context
      ).run()
    }
    return try Doctor(
      options: options, timeout: timeout, ofChannels: channels, isConfirmed: yes, asJSON: json,
      context: context
    ).run()
  }
}
