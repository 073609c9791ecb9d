internal import CommandLineKit

/// Who is sending.
struct CredentialOptions: Sendable, Equatable {
  var key: String?
  var keyID: String?
  var teamID: String?
  var keyPasswordFile: String?
  var tokenCache = true

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
    ])

  /// The options that read standard input.
  var readingStandardInput: [String] {
    [("--key", key), ("--key-password-file", keyPasswordFile)].filter { $0.1 == "-" }.map(\.0)
  }
}
