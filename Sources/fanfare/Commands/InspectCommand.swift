internal import CommandLineKit

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

  func run(_ context: Context) throws -> ExitCode {
    try checkStandardInput()
    let secrets = try InspectionSecrets(
      key: key, keyPasswordFile: keyPasswordFile,
      certificatePasswordFile: certificatePasswordFile, context)
    CredentialWarning.tell(secrets.warnings, context)
    let inspection = Inspection(context: context, secrets: secrets)
    let (report, failures) = inspection.report(on: files)
    let code = context.tell(report, asJSON: json)
    context.output.flush()
    for failure in failures { context.warn(failure.parts()) }
    return code
  }

  /// Standard input can be read only once.
  private func checkStandardInput() throws(Failure) {
    let options = [
      ("--key", key), ("--key-password-file", keyPasswordFile),
      ("--cert-password-file", certificatePasswordFile),
    ]
    let names =
      files.map { ("FILE", $0) }
      + options.compactMap { name, path in
        path.map { (name, $0) }
      }
    let readers = names.filter { $0.1 == "-" }.map(\.0)
    if readers.count > 1 { throw .conflict(readers[0], readers[1]) }
  }
}
