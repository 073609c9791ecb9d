internal import APNS
internal import CommandLineKit
internal import FanfareApp
internal import Projects

/// What `check` is to look at, beside files, and how it tells.
enum CheckOptions {
  static let groups: [OptionGroup<Settings>] = [
    SettingOptions.what, SettingOptions.headers, SettingOptions.to,
    OptionGroup(
      "Where",
      [
        .setting(
          "env", \.environment, of: EnvironmentName.self, value: "NAME",
          help: "The service it is for, which decides how to authenticate."),
        SettingOptions.profile,
      ]),
    OptionGroup(
      "Telling",
      [
        .flag("json", help: "Print one JSON object.") {
          $0.json = Setting(.all, .setting("--json"))
        },
        .setting("quiet", \.quiet, short: "q", help: "Print errors only."),
        .setting("show-tokens", \.showTokens, help: "Show bad lines of lists in full."),
      ]),
  ]
}
