internal import CommandLineKit

/// Who is sending.
struct CredentialOptions: Sendable, Equatable {
  var key: String?
  var keyID: String?
  var teamID: String?

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
    ])
}
