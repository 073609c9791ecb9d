internal import APNS
internal import PlainText
internal import PushModel

/// The shapes of settings that scenarios and profiles share.
enum SettingShapes {
  /// The destination in a profile.
  static let environment = FileShape.either([name, server])

  /// The destination in a scenario.
  static let scriptedEnvironment = FileShape.either([name, server, emulator])

  private static let name = FileShape.word(EnvironmentSetting.names) { text in
    guard text.contains("://") || text.contains(".") || text.contains(":") else { return nil }
    let url = text.contains("://") ? text : "https://\(text)"
    return "A server goes into an object: environment: {server: \"\(url.printable)\"}."
  }

  private static let server = FileShape.object(
    FileKey("server", .text, isRequired: true, help: "https://HOST:PORT"),
    FileKey("ca", .text, help: "Certificates to trust besides the system's, in PEM."))

  private static let emulator = FileShape.object(
    FileKey("emulator", .object(script), isRequired: true, help: "The local APNs, with a bad day."))

  private static let script = FileKey(
    "script", .text, isRequired: true, help: "What the emulator does to pushes and connections.")

  /// The number of connections.
  static let connections = FileShape.either([
    .word([ConnectionCount.auto.text]) { _ in "Write \"auto\", or a number without quotes." },
    .integer(ConnectionCount.numbers),
  ])

  /// Credentials in files that others may have written, which may name no command.
  static let credentials = credentials(
    command: command.refused(
      "A command is not allowed here: the author of this file would choose what you run.",
      fix: """
        Put a profile with it in your own file, ~/.config/fanfare/config.json, and name that \
        profile here: credentials: {profile: \"NAME\"}.
        """))

  /// Credentials in the user's own file.
  static let ownCredentials = credentials(command: command)

  private static let command = FileKey(
    "command", .words, isRequired: true,
    help: "A program that prints it, and its arguments; in the user's own file only.")

  private static func credentials(command: FileKey) -> FileShape {
    let variable = FileKey("env", .text, isRequired: true, help: "The variable's name.")
    let secret = FileShape.either([.secretPath, .object(variable), .object(command)])
    let password = FileKey(
      "passwordFile", secret, help: "The file with the password, or a variable that holds it.")
    return .either([
      .object(
        FileKey(
          "key", secret, isRequired: true, help: "The .p8 file, or a variable that holds it."),
        FileKey("keyID", .text, help: "The key ID; not needed if the file name contains it."),
        FileKey("teamID", .text, help: "The team ID."), password),
      .object(
        FileKey(
          "cert", secret, isRequired: true,
          help: "A client certificate, .p12 or PEM, or a variable that holds it."),
        FileKey(
          "certKey", .secretPath, help: "The certificate's key, when it has a file of its own."),
        password),
      .object(
        FileKey("profile", .text, isRequired: true, help: "The profile whose credentials are used.")
      ),
    ])
  }
}
