internal import CommandLineKit

/// What `check` is to look at, beside files, and how it tells.
struct CheckOptions: Sendable, Equatable {
  var what = PayloadOptions()
  var headers = HeaderOptions()
  var to = RecipientOptions()
  var environment: EnvironmentName?
  var profile: String?
  var json = false
  var quiet = false
  var showTokens = false

  static let groups: [OptionGroup<Self>] = [
    PayloadOptions.group.inside(\.what), HeaderOptions.group.inside(\.headers),
    RecipientOptions.group.inside(\.to),
    OptionGroup(
      "Where",
      [
        .option(
          "env", \.environment, value: "NAME",
          help: "The service it is for, which decides how the sender signs in."),
        NamedProfile.option(\.profile),
      ]),
    OptionGroup(
      "Telling",
      [
        .flag("json", \.json, help: "Print one JSON object."),
        .flag("quiet", \.quiet, short: "q", help: "Print errors only."),
        .flag("show-tokens", \.showTokens, help: "Show bad lines of lists whole."),
      ]),
  ]
}
