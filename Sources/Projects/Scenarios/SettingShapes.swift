internal import APNS

/// The shapes of settings that scenarios and profiles have in common.
enum SettingShapes {
  /// Where to send, in a profile.
  static let environment = FileShape.either(environments)

  /// Where to send, in a scenario.
  static let scriptedEnvironment = FileShape.either(
    environments + [
      .object(
        ObjectShape([
          FileKey(
            "emulator",
            .object(
              ObjectShape([
                FileKey(
                  "script", .text, isRequired: true,
                  help: "What the emulator does to pushes and connections.")
              ])), isRequired: true, help: "The local APNs, with a bad day.")
        ]))
    ])

  private static let environments: [FileShape] = [
    .word(EnvironmentSetting.names),
    .object(
      ObjectShape([
        FileKey("server", .text, isRequired: true, help: "https://HOST:PORT"),
        FileKey("ca", .text, help: "Certificates to trust besides the system's, in PEM."),
      ])),
  ]

  /// Who is sending, in files that others may have written, which may name no command.
  static let credentials = credentials(
    command: command.refused(
      "A command is not allowed here: the author of this file would choose what you run.",
      fix: """
        Put a profile with it in your own file, ~/.config/fanfare/config.json, and name that \
        profile here: credentials: {profile: \"NAME\"}.
        """))

  /// Who is sending, in the user's own file.
  static let ownCredentials = credentials(command: command)

  private static let command = FileKey(
    "command", .words, isRequired: true,
    help: "A program that prints it, and its arguments; in the user's own file only.")

  private static func credentials(command: FileKey) -> FileShape {
    let secret = FileShape.either([
      .secretPath,
      .object(
        ObjectShape([FileKey("env", .text, isRequired: true, help: "The variable's name.")])),
      .object(ObjectShape([command])),
    ])
    let password = FileKey(
      "passwordFile", secret, help: "The file with the password, or a variable that holds it.")
    return .either([
      .object(
        ObjectShape([
          FileKey(
            "key", secret, isRequired: true, help: "The .p8 file, or a variable that holds it."),
          FileKey("keyID", .text, help: "The key ID; not needed if the file name contains it."),
          FileKey("teamID", .text, help: "The team ID."), password,
        ])),
      .object(
        ObjectShape([
          FileKey(
            "cert", secret, isRequired: true,
            help: "A client certificate, .p12 or PEM, or a variable that holds it."),
          FileKey(
            "certKey", .secretPath, help: "The certificate's key, when it has a file of its own."),
          password,
        ])),
      .object(
        ObjectShape([
          FileKey(
            "profile", .text, isRequired: true, help: "The profile whose credentials are used.")
        ])),
    ])
  }
}
