internal import CommandLineKit
internal import Credentials

/// `fanfare inspect`
struct Inspect: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "inspect", "Tell what a key, certificate, provider token, payload or list holds.",
    discussion: """
      What a file is, is told by what stands in it. Of keys and certificates: form, ids, topics, \
      dates, how they are locked, and whether pushes can be sent with them. Of payloads: the size \
      as sent, the push type, what Apple's keys mean, and about what the lock screen shows. Of \
      lists: how many device tokens, and bad lines. No secret is ever shown. Locked files are told \
      of without their password, as far as they can be.
      """,
    examples: [
      Example("fanfare inspect AuthKey_ABC123DEFG.p8 push.p12", "Credentials."),
      Example(
        "fanfare inspect --key AuthKey_ABC123DEFG.p8 token.txt", "Whether that key signed it."),
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
          "file", \.files, help: "Files of any kind; '-' for standard input.",
          isRequired: true, completion: .file),
        .option(
          "key", \.key, value: "FILE",
          help: "Tell whether this key signed a provider token, or fits a certificate.",
          completion: .file),
        .option(
          "key-password-file", \.keyPasswordFile, value: "FILE",
          help: "A file with the password of locked keys.", completion: .file,
          environment: EnvironmentVariable.keyPassword.rawValue),
        .option(
          "cert-password-file", \.certificatePasswordFile, value: "FILE",
          help: "A file with the password of a .p12, or of a key beside its certificate.",
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
    var found: [any Inspected] = []
    var failures: [Failure] = []
    for file in files {
      do throws(Failure) {
        found.append(try inspection.inspect(file))
      } catch {
        found.append(UninspectedFile(file: file, failure: error))
        failures.append(error)
      }
    }
    tell(found, failures, context)
    return .merged(failures.map { $0.isWrongPassword ? .connection : .usage })
  }

  /// What was read once is not there a second time.
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
    if readers.count > 1 { throw .usage(.conflict(readers[0], readers[1])) }
  }

  private func tell(_ found: [any Inspected], _ failures: [Failure], _ context: Context) {
    if json {
      context.output.write(InspectJSON.bytes(found))
    } else {
      let text = InspectText(style: Style(hasColor: context.output.hasColor))
      let parts = found.map { $0.text(text) }.filter { !$0.isEmpty }
      context.output.write(parts.joined(separator: "\n"))
    }
    context.output.flush()
    let text = FailureText(hasColor: context.errors.hasColor)
    for failure in failures { context.errors.write(text.text(of: failure)) }
  }
}

extension Failure {
  /// Whether a password was given, and does not open what it is for.
  fileprivate var isWrongPassword: Bool {
    switch self {
    case .key(_, .wrongPassword), .certificate(_, _, .wrongPassword): true
    default: false
    }
  }
}
