internal import CommandLineKit
internal import Reporting
internal import Settings
internal import Tools

/// `fanfare preview`
struct PreviewCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "preview", "Show what a device would show of a notification. Sends nothing.",
    discussion: """
      Shows the alert as a lock screen would, cut where an iPhone cuts it, with its sound, badge \
      and interruption level; of a Live Activity the state and the dates; and of other pushes what \
      they do. How much fits differs between devices and settings.

      It takes the notification as 'send' does, or from a scenario. Placeholders are filled in \
      from --var, or from the first row of --tokens. It needs no credentials and no environment.
      """,
    examples: [
      Example("fanfare preview --title Hello --body Ready --badge 3", "An alert."),
      Example(
        "fanfare preview --example alert/greeting --tokens vip.csv",
        "Filled in from the first row of a list."),
      Example("fanfare preview scenarios/live-activity.json5", "Each step of a scenario."),
    ])

  var scenario: String?
  var step: StepNumber?
  var options = Settings()

  static let groups =
    [
      OptionGroup<Self>(
        "Scenario",
        [
          .arguments(
            "scenario", \.scenario, help: "A scenario or payload to take the notifications from.",
            completion: .file),
          .option("step", \.step, value: "N", help: "Show only the step with this number."),
        ])
    ]
    + [SettingOptions.what, SettingOptions.headers, SettingOptions.to, output].map {
      $0.inside(\Self.options)
    }

  private static let output = OptionGroup<Settings>(
    "Output", [.wholeJSON(), .setting("profile")])

  func run(_ context: Context) throws -> Report {
    try Preview(
      scenario: scenario, step: step?.number, options: options, context: context
    ).run()
  }
}

/// The number of a step of a scenario.
struct StepNumber: ArgumentValue, Equatable {
  let number: Int

  init(argument word: String) throws(BadValue) {
    guard let number = Int(word), number > 0 else {
      throw .expected("the number of a step, from 1")
    }
    self.number = number
  }

  var argumentText: String { String(number) }
}
