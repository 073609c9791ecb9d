internal import APNS
internal import CommandLineKit
internal import Reporting
internal import Settings
internal import Tools

/// `fanfare channel`
struct ChannelCommand: Command {
  static let info = CommandInfo(
    "channel", "Create, list, show and delete broadcast channels.",
    discussion: """
      A push to a channel updates a Live Activity on every device that is subscribed to it (iOS 18 \
      and later): 'fanfare send --channel ID' sends one. Channels belong to an app and exist in one \
      environment; an app may have 10,000 there. The app needs the Broadcast capability, which is \
      enabled for the App ID in the developer portal.

      APNs manages channels at hosts of their own, api-manage-broadcast.push.apple.com:2196 and \
      api-manage-broadcast.sandbox.push.apple.com:2195; an emulator does so where it takes pushes. \
      'fanfare doctor --channels' tests the way there. What is created from here is kept in the \
      history.
      """,
    subcommands: [
      ChannelCreateCommand.self, ChannelListCommand.self, ChannelShowCommand.self,
      ChannelDeleteCommand.self,
    ])
}

/// `fanfare channel create`
struct ChannelCreateCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "create", "Create a channel and print its ID.",
    discussion: """
      Prints the ID alone. What a channel stores cannot be changed later.

      Without an answer, the channel may still exist. It is then not created again, the exit code is \
      4, and up to five channels that could be the new one are listed.
      """,
    examples: [
      Example(
        "fanfare channel create --env sandbox --bundle-id com.example.app",
        "A channel that reaches devices that are online."),
      Example(
        "fanfare channel create --store --env sandbox --bundle-id com.example.app --json",
        "One that keeps the latest push."),
    ])

  var create = ChannelCreate()

  static let groups =
    [
      OptionGroup<Self>(
        "Channel",
        [
          app.inside(\.create.settings),
          .flag(
            "store", \.create.stores,
            help: "Keep the latest push for 8 hours, for devices that are offline."),
        ])
    ] + SettingOptions.channels(json: .wholeJSON()).map { $0.inside(\Self.create.settings) }

  func run(_ context: Context) throws -> Report { try create.run(context.telling(create.settings)) }
}

/// `fanfare channel list`
struct ChannelListCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "list", "List the channels of an app.",
    discussion: """
      APNs returns IDs only; what a channel stores and when it was created is what the history \
      knows. --known asks the history alone, and lists the channels that were created or read from \
      here and not deleted from here.
      """,
    examples: [
      Example("fanfare channel list --env sandbox --bundle-id com.example.app", "All channels."),
      Example("fanfare channel list --known", "What the history knows; sends nothing."),
    ])

  var list = ChannelList()

  static let groups =
    [
      OptionGroup<Self>(
        "List",
        [
          app.inside(\.list.settings),
          .flag("known", \.list.isKnown, help: "List the channels that the history knows."),
          .flag("ids", \.list.onlyIDs, help: "Print only the IDs, one per line."),
        ])
    ]
    + SettingOptions.channels(json: .wholeJSON(help: "Print one JSON object per line.")).map {
      $0.inside(\Self.list.settings)
    }

  func run(_ context: Context) throws -> Report { try list.run(context.telling(list.settings)) }
}

/// `fanfare channel show`
struct ChannelShowCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "show", "Show what a channel stores and what was sent to it.",
    discussion: """
      The history knows from then on what the channel stores, which 'fanfare send --channel' checks \
      --expiration against. When the channel was created and what was sent to it is what the \
      history knows.
      """,
    examples: [
      Example(
        "fanfare channel show dHN0LXNyY2gtY2hubA== --env sandbox --bundle-id com.example.app",
        "One channel.")
    ])

  var show = ChannelShow()

  static let groups =
    [OptionGroup<Self>("Channel", [channel(\.show.id), app.inside(\.show.settings)])]
    + SettingOptions.channels(json: .wholeJSON()).map { $0.inside(\Self.show.settings) }

  func run(_ context: Context) throws -> Report { try show.run(context.telling(show.settings)) }
}

/// `fanfare channel delete`
struct ChannelDeleteCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "delete", "Delete a channel for good.",
    discussion: """
      Asks first. Devices that are subscribed receive nothing more, except a push that is stored \
      already. Without a terminal to ask on, --yes is needed.
      """,
    examples: [
      Example(
        "fanfare channel delete dHN0LXNyY2gtY2hubA== --env sandbox --bundle-id com.example.app --yes",
        "In a script.")
    ])

  var delete = ChannelDelete()

  static let groups =
    [
      OptionGroup<Self>(
        "Channel",
        [
          channel(\.delete.id), app.inside(\.delete.settings),
          Parameter<Settings>.flag("yes", short: "y", help: "Do not ask.") {
            $0.yes = Setting(.always, .setting("--yes"))
          }.inside(\.delete.settings),
        ])
    ] + SettingOptions.channels(json: .wholeJSON()).map { $0.inside(\Self.delete.settings) }

  func run(_ context: Context) throws -> Report { try delete.run(context.telling(delete.settings)) }
}

/// The app that owns the channels.
private let app: Parameter<Settings> = .setting(
  "bundle-id", help: "The app that the channels belong to.")

/// A channel ID, completed from the history.
private func channel<Root>(
  _ place: @autoclosure @escaping @Sendable () -> CommandLineKit.ParameterPlace<Root, String>
) -> Parameter<Root> {
  .arguments(
    "id", place(), help: "The channel's ID.", isRequired: true,
    completion: .lines(of: ["channel", "list", "--known", "--ids"]))
}
