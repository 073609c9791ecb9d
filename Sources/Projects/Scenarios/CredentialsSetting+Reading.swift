internal import APNS
internal import JSONText

extension CredentialsSetting {
  /// How credentials stand in files that others may have written, where no command may be.
  static let shape = shape(command: SecretPlace.refusedCommand)

  /// How credentials stand in the user's own file.
  static let ownShape = shape(command: SecretPlace.command)

  private static func shape(command: FileKey) -> FileShape {
    let place = FileShape.either([
      .secretPath,
      .object(
        ObjectShape([FileKey("env", .text, isRequired: true, help: "The variable's name.")])),
      .object(ObjectShape([command])),
    ])
    let password = FileKey(
      "passwordFile", place, help: "The file with the password, or a variable that holds it.")
    return .either([
      .object(
        ObjectShape([
          FileKey(
            "key", place, isRequired: true, help: "The .p8 file, or a variable that holds it."),
          FileKey("keyID", .text, help: "The key ID; not needed if the file name contains it."),
          FileKey("teamID", .text, help: "The team ID."), password,
        ])),
      .object(
        ObjectShape([
          FileKey(
            "cert", place, isRequired: true,
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

  /// Credentials as they were written; nil where they do not fit the shape, which was told.
  ///
  /// - Parameter path: makes of a path as it was written one as it is from here.
  init?(_ json: JSON, path: (String) -> String) {
    let password = SecretPlace(json["passwordFile"], path: path)
    if let key = SecretPlace(json["key"], path: path) {
      self = .key(
        KeySetting(
          key: key, keyID: json["keyID"]?.string, teamID: json["teamID"]?.string,
          password: password))
    } else if let certificate = SecretPlace(json["cert"], path: path) {
      self = .certificate(
        CertificateSetting(
          certificate: certificate, key: (json["certKey"]?.string).map(path), password: password))
    } else if let profile = json["profile"]?.string {
      self = .profile(profile)
    } else {
      return nil
    }
  }
}

extension SecretPlace {
  fileprivate static let command = FileKey(
    "command", .words, isRequired: true,
    help: "A program that prints it, and its arguments; in the user's own file only.")

  fileprivate static let refusedCommand = command.refused(
    "A command is not allowed here: the author of this file would choose what you run.",
    fix: """
      Put a profile with it in your own file, ~/.config/fanfare/config.json, and name that \
      profile here: credentials: {profile: \"NAME\"}.
      """)

  /// A path, `{env: "NAME"}` or `{command: ["PROGRAM", "ARGUMENT"]}`.
  fileprivate init?(_ json: JSON?, path: (String) -> String) {
    if let name = json?.string {
      self = .file(path(name))
    } else if let variable = json?["env"]?.string {
      self = .variable(variable)
    } else if let words = json?["command"]?.array?.compactMap(\.string), !words.isEmpty {
      self = .command(words)
    } else {
      return nil
    }
  }
}
