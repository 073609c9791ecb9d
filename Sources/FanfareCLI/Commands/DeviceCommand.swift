internal import CommandLineKit
internal import Reporting
internal import Settings
internal import Tools

/// `fanfare device`
struct DeviceCommand: Command {
  static let info = CommandInfo(
    "device", "Give device tokens names that --to and scenarios take.",
    discussion: """
      A device has a token and, if they are given, an environment and a bundle ID, which apply \
      unless an option or the scenario says otherwise. A group is a name for several devices.

      They are in devices.json, beside your own configuration: $XDG_CONFIG_HOME/fanfare or \
      ~/.config/fanfare. 'devices' in config.json there and in fanfare.json count too, in this \
      order; only devices.json is written.
      """,
    subcommands: [DeviceAddCommand.self, DeviceListCommand.self, DeviceRemoveCommand.self])
}

/// `fanfare device add`
struct DeviceAddCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "add", "Give a device token a name, or make a group of names.",
    discussion: """
      The device token may be pasted as a log shows it: in angle brackets or quotes, with spaces, \
      after 0x, or as {length = 32, bytes = 0x…}. A name that exists gets the new device token; \
      its environment and bundle ID stay unless they are given.

      A name has \(Device.nameRule).
      """,
    examples: [
      Example(
        "fanfare device add my-ipad \(exampleToken) --env sandbox --bundle-id com.example.app",
        "Then 'fanfare send --to my-ipad' knows the rest."),
      Example("fanfare device add qa my-phone my-watch", "A group of two devices."),
    ])

  var add = DeviceAdd()
  var environment: EnvironmentName?

  static let groups = [
    OptionGroup<Self>(
      "Device",
      [
        .arguments("name", \.add.name, help: "The name.", isRequired: true),
        .arguments(
          "token", \.add.words, help: "The device token, or the names of a group's devices.",
          isRequired: true, completion: .lines(of: ["device", "list", "--names"])),
        .option(
          "env", \.environment, value: "NAME", help: "Where the device token is good."),
        .option("bundle-id", \.add.bundleID, value: "ID", help: "The app that it is for."),
        .flag("json", \.add.isJSON, help: "Print one JSON object."),
        .flag("show-tokens", \.add.showsTokens, help: "Show the whole device token."),
      ])
  ]

  func run(_ context: Context) throws -> Report {
    var add = add
    add.environment = environment?.argumentText
    return try add.run(context)
  }
}

/// `fanfare device list`
struct DeviceListCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "list", "List devices and groups, and the files they are in.",
    examples: [
      Example("fanfare device list", "All names, with the last digits of their device tokens."),
      Example("fanfare device list --json", "One JSON object per line, for a script."),
    ])

  var list = DeviceList()

  static let groups = [
    OptionGroup<Self>(
      "List",
      [
        .flag("names", \.list.onlyNames, help: "Print only the names, one per line."),
        .flag("json", \.list.isJSON, help: "Print one JSON object per line."),
        .flag("show-tokens", \.list.showsTokens, help: "Show whole device tokens."),
      ])
  ]

  func run(_ context: Context) throws -> Report { try list.run(context) }
}

/// `fanfare device remove`
struct DeviceRemoveCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "remove", "Remove names of devices and groups.",
    examples: [Example("fanfare device remove my-watch", "Forget a device.")])

  var remove = DeviceRemove()

  static let groups = [
    OptionGroup<Self>(
      "Remove",
      [
        .arguments(
          "name", \.remove.names, help: "The names.", isRequired: true,
          completion: .lines(of: ["device", "list", "--names"]))
      ])
  ]

  func run(_ context: Context) throws -> Report { try remove.run(context) }
}
