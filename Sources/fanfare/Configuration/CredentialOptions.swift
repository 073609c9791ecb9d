internal import CommandLineKit

/// Who is sending.
struct CredentialOptions: Sendable, Equatable {
  var key: String?
  var keyID: String?
  var teamID: String?
  var keyPasswordFile: String?
  var tokenCache = true
  var certificate: String?
  var certificateKey: String?
  var certificatePasswordFile: String?

  static let group = OptionGroup<Self>(
    "Credentials",
    [
      .option(
        "key", \.key, value: "FILE",
        help: "The .p8 signing key, or '-' for standard input.", completion: .file,
        environment: EnvironmentVariable.key.rawValue),
      .option(
        "key-id", \.keyID, value: "ID", help: "The key's id; AuthKey_….p8 tells it by its name.",
        environment: EnvironmentVariable.keyID.rawValue),
      .option(
        "team-id", \.teamID, value: "ID", help: "The id of the developer team.",
        environment: EnvironmentVariable.teamID.rawValue),
      .option(
        "key-password-file", \.keyPasswordFile, value: "FILE",
        help: "A file with the password of a locked key, or '-' for standard input.",
        completion: .file, environment: EnvironmentVariable.keyPassword.rawValue),
      .flag(
        "no-token-cache", \.tokenCache, sets: false,
        help: "Sign a new provider token; do not share one with other commands."),
      .option(
        "cert", \.certificate, value: "FILE",
        help: "A client certificate, .p12 or PEM, in place of a signing key.", completion: .file,
        environment: EnvironmentVariable.certificate.rawValue),
      .option(
        "cert-key", \.certificateKey, value: "FILE",
        help: "The certificate's private key, when it has a file of its own.", completion: .file),
      .option(
        "cert-password-file", \.certificatePasswordFile, value: "FILE",
        help: "A file with the password of the .p12 or of the certificate's key.",
        completion: .file, environment: EnvironmentVariable.certificatePassword.rawValue),
    ])

  /// The options that read standard input.
  var readingStandardInput: [String] {
    [
      ("--key", key), ("--key-password-file", keyPasswordFile), ("--cert", certificate),
      ("--cert-key", certificateKey), ("--cert-password-file", certificatePasswordFile),
    ].filter { $0.1 == "-" }.map(\.0)
  }
}
