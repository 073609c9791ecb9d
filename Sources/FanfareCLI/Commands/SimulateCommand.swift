internal import CommandLineKit
internal import Reporting
internal import Settings
internal import Tools

/// `fanfare simulate`
struct SimulateCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "simulate", "Write .apns files for the simulator.",
    discussion: """
      An .apns file contains a payload and the bundle ID of its app. Dragged onto the window of an \
      iOS simulator, or pushed with --booted or --device, it reaches the app without APNs.

      The payload comes from --payload, from options such as --title, or from a scenario, each \
      step of which becomes a file. Of a folder, every payload and scenario becomes one, and those \
      that no simulator takes are left out. An .apns file works as a payload, too; the app it names is the \
      default for --bundle-id. Only alert and background pushes of at most 4,096 bytes can be sent \
      to a simulator.
      """,
    examples: [
      Example(
        "fanfare simulate --title Hello --bundle-id com.example.app --output hello.apns",
        "Write a file."),
      Example(
        "fanfare simulate --payload hello.apns --badge 3 --booted",
        "Push a changed file to the running simulator, on a Mac."),
      Example(
        "fanfare simulate scenarios/hello.json5 --output simulator",
        "Write simulator/hello.apns."),
      Example(
        "fanfare simulate payloads --bundle-id com.example.app --output simulator",
        "Write simulator/alert/plain.apns and all others."),
    ])

  var scenario: String?
  var options = Settings()
  var output: String?
  var booted = false
  var device: DeviceName?

  static let groups = [
    OptionGroup<Self>(
      "Scenario",
      [
        .arguments(
          "scenario", \.scenario, help: "A scenario or payload, or a folder of them.",
          completion: .file)
      ]),
    SettingOptions.what.inside(\.options),
    OptionGroup(
      "Simulator",
      [
        Parameter.setting("bundle-id", help: "The app's bundle ID, without a topic suffix.")
          .inside(\.options),
        .option(
          "output", \.output, short: "o", value: "FILE",
          help: "The file to write; '-' is standard output. For scenarios and folders, a folder.",
          completion: .file),
        .flag("booted", \.booted, help: "Push to the running simulator, with xcrun simctl."),
        .option(
          "device", \.device, value: "NAME",
          help: "Push to the simulator with this name or UDID, with xcrun simctl."),
        Parameter.setting("profile").inside(\.options),
      ]),
  ]

  func run(_ context: Context) throws -> Report {
    if booted, device != nil { throw Failure.conflict("--booted", "--device") }
    return try Simulate(
      scenario: scenario, options: options, output: output,
      device: booted ? "booted" : device?.text, context: context
    ).run()
  }
}
