internal import CommandLineKit
internal import Reporting
internal import Settings
internal import Tools

/// `fanfare inspect`
struct InspectCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "inspect", "Show what a key, certificate, provider token, payload or list contains.",
    discussion: """
      Recognizes files by their contents. For keys and certificates it shows form, IDs, topics, \
      dates, encryption, and whether they can send pushes. For payloads: the size as sent, the \
      push type, what Apple's keys mean, and roughly what the lock screen shows. For lists: the \
      number of device tokens, and bad lines. It never shows a secret. Without the password of an \
      encrypted file it shows what can be read.
      """,
    examples: [
      Example("fanfare inspect AuthKey_ABC123DEFG.p8 push.p12", "Credentials."),
      Example(
        "fanfare inspect --key AuthKey_ABC123DEFG.p8 token.txt",
        "Whether this key signed the token."),
      Example("fanfare inspect --json payloads/alert/order.json", "A payload, for a script."),
    ])

  var files: [String] = []
  var json = false
  var key: String?
  var keyPasswordFile: String?
  var certificatePasswordFile: String?

  static let groups = [
    OptionGroup<Self>(
      "Inspect",
      [
        .arguments(
          "file", \.files, help: "Files of any kind; '-' is standard input.",
          isRequired: true, completion: .file),
        .option(
          "key", \.key, value: "FILE",
          help: "Check whether this key signed a provider token, or fits a certificate.",
          completion: .file),
        .option(
          "key-password-file", \.keyPasswordFile, value: "FILE",
          help: "A file with the password of encrypted keys.", completion: .file,
          environment: EnvironmentVariable.keyPassword.rawValue),
        .option(
          "cert-password-file", \.certificatePasswordFile, value: "FILE",
          help: "A file with the password of a .p12, or of a certificate's key.",
          completion: .file, environment: EnvironmentVariable.certificatePassword.rawValue),
        .flag("json", \.json, help: "Print an array of JSON objects."),
      ])
  ]

  func run(_ context: Context) throws -> Report {
    try Inspect(
      files: files, key: key, keyPasswordFile: keyPasswordFile,
      certificatePasswordFile: certificatePasswordFile, asJSON: json, context: context
    ).run()
  }
}
