internal import CommandLineKit
internal import Reporting
internal import Settings
internal import Tools

/// `fanfare init`
struct InitCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "init", "Write a fanfare.json, a first scenario and its payload, or add a profile.",
    discussion: """
      On a terminal it asks for everything that no option gives. Otherwise, and with --yes, it uses \
      the defaults of the questions: an example for the emulator, which needs no Apple account.

      Where a fanfare.json is, it adds a profile to it, and changes nothing else in it: on a \
      terminal, or with any of --env, --bundle-id, --key, --cert and --profile.

      Only the path of a key or certificate is written, never the key. Existing files are not \
      overwritten: if one of them has other contents, nothing is written at all.

      With --from-curl it writes a scenario instead, from a curl command line as Apple's Push \
      Notifications Console prints it: topic, push type, payload, device token and environment. \
      The authorization header and other secrets are left out.
      """,
    examples: [
      Example("fanfare init", "Set up this folder."),
      Example(
        "fanfare init push --env sandbox --bundle-id com.example.app --key AuthKey_ABC123DEFG.p8 "
          + "--team-id DEF123GHIJ",
        "Set up another folder, with everything that development builds need."),
      Example(
        "fanfare init --bundle-id com.example.orders --cert push.p12 --env production",
        "Add another app's profile to the fanfare.json of this folder."),
      Example(
        "fanfare init --from-curl push.sh --output scenarios/console.json5",
        "A scenario from a curl command; without a file it is read from standard input."),
    ])

  var folder: String?
  var environment: EnvironmentName?
  var bundleID: String?
  var cert: String?
  var profile: String?
  var key: String?
  var keyID: String?
  var teamID: String?
  var yes = false
  var fromCurl = false
  var output: String?

  static let groups = [
    OptionGroup<Self>(
      "Init",
      [
        .arguments(
          "folder", \.folder,
          help: "The folder to write to; with --from-curl, the file with the command.",
          completion: .file),
        .option("env", \.environment, value: "NAME", help: "Where pushes go."),
        .option("bundle-id", \.bundleID, value: "ID", help: "The app."),
        .option("key", \.key, value: "FILE", help: "The .p8 signing key.", completion: .file),
        .option(
          "key-id", \.keyID, value: "ID",
          help: "The key ID; defaults to the one in the name AuthKey_….p8."),
        .option("team-id", \.teamID, value: "ID", help: "The team ID."),
        .option(
          "cert", \.cert, value: "FILE", help: "The .p12 or PEM certificate, in place of a key.",
          completion: .file),
        .option(
          "profile", \.profile, value: "NAME",
          help: "The name of the profile to add; defaults to the app's and the environment's."),
        .flag("yes", \.yes, short: "y", help: "Do not ask."),
        .flag(
          "from-curl", \.fromCurl, help: "Write a scenario from a curl command that sends a push."),
        .option(
          "output", \.output, short: "o", value: "FILE",
          help: "The scenario to write; defaults to scenarios/curl.json5.", completion: .file),
      ])
  ]

  func run(_ context: Context) throws -> Report {
    let given: [ProjectQuestion: String?] = [
      .environment: environment?.argumentText, .bundleID: bundleID, .certificate: cert, .key: key,
      .keyID: keyID, .teamID: teamID,
    ]
    if key != nil, cert != nil { throw Failure.conflict("--key", "--cert") }
    if fromCurl {
      if let name = given.compactMapValues(\.self).keys.map(\.rawValue).min() {
        throw Failure.conflict("--from-curl", "--\(name)")
      }
      return try InitFromCurl(file: folder, output: output, context: context).run()
    }
    if output != nil { throw Failure.missingOption("--from-curl") }
    return try Init(
      folder: folder, given: given.compactMapValues(\.self), profile: profile, yes: yes,
      context: context
    ).run()
  }
}
