internal import APNS
internal import CommandLineKit
internal import Projects

/// `fanfare simulate`
struct SimulateCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "simulate", "Write .apns files for the simulator.",
    discussion: """
      An .apns file contains a payload and the bundle ID of its app. Dragged onto the window of an \
      iOS simulator, or pushed with --booted or --device, it reaches the app without APNs.

      The payload comes from --payload, from options such as --title, or from a scenario, each \
      step of which becomes a file. An .apns file works as a payload, too; the app it names is the \
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
          "scenario", \.scenario, help: "A scenario file to take the notification from.",
          completion: .file)
      ]),
    SettingOptions.what.inside(\.options),
    OptionGroup(
      "Simulator",
      [
        Parameter<Settings>.setting(
          "bundle-id", \.bundleID, value: "ID",
          help: "The app's bundle ID, without a topic suffix.", environment: .bundleID
        ).inside(\.options),
        .option(
          "output", \.output, short: "o", value: "FILE",
          help: "The file to write; '-' is standard output. For a scenario, a folder.",
          completion: .file),
        .flag("booted", \.booted, help: "Push to the running simulator, with xcrun simctl."),
        .option(
          "device", \.device, value: "NAME",
          help: "Push to the simulator with this name or UDID, with xcrun simctl."),
        SettingOptions.profile.inside(\.options),
      ]),
  ]

  func run(_ context: Context) throws -> ExitCode {
    if booted, device != nil { throw Failure.conflict("--booted", "--device") }
    let steps = try SimulatorFileAssembly(self, context).steps()
    let device = booted ? "booted" : device?.text
    let isWritten = output != nil || device == nil
    if isWritten, steps.count > 1, output == nil || output == "-" {
      throw Failure.missingOption("--output DIR")
    }
    for step in steps { context.warn([.problems(key: "problems", step.file.warnings)]) }
    if isWritten { for step in steps { try write(step, context) } }
    if let device { try push(steps, to: device, context) }
    return context.signals.received ?? .success
  }

  /// Pushes the steps at their times.
  private func push(
    _ steps: [SimulatorFileAssembly.Step], to device: String, _ context: Context
  ) throws(Failure) {
    let cancellation = Cancellation()
    context.signals.take { cancellation.cancel() }
    for step in steps where !cancellation.isCancelled {
      cancellation.pause(milliseconds: step.pauseMilliseconds, context.clock)
      if !cancellation.isCancelled { try SimulatorPush(device: device, context).push(step.file) }
    }
  }

  private func write(
    _ step: SimulatorFileAssembly.Step, _ context: Context
  ) throws(Failure) {
    guard let output, output != "-" else {
      context.output.write(step.file.bytes)
      return
    }
    do throws(FileFailure) {
      var path = output
      if let scenario { path = try Self.path(for: scenario, step.name, in: output) }
      try replaceFile(path, with: step.file.bytes, for: "simulator")
    } catch {
      throw .file(error)
    }
  }

  /// `simulator/hello.apns` for `scenarios/hello.json5`, `simulator/ride-2.apns` for the second of
  /// several steps. The folder is made if it is not there.
  private static func path(
    for scenario: String, _ step: String?, in folder: String
  ) throws(FileFailure) -> String {
    try createFolder(folder)
    let name = scenario.split(separator: "/").last ?? "scenario"
    let base = name.lastIndex(of: ".").map { name[..<$0] } ?? name
    return "\(folder)/\(base)\(step.map { "-\($0)" } ?? "").apns"
  }
}
