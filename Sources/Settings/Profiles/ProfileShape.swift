package import APNS

/// The contents of `fanfare.json`: the one description for reader, JSON Schema and documentation.
package enum ProfileShape {
  /// The project's file, which others may have written: it may not name commands to run.
  package static let file = file(credentials: SettingShapes.credentials)

  /// The user's own file.
  package static let ownFile = file(credentials: SettingShapes.ownCredentials)

  /// The JSON Schema of both.
  package static var schema: [UInt8] { ownFile.schema(titled: "The profiles of fanfare") }

  private static func file(credentials: FileShape) -> FileShape {
    .object(
      .schema, FileKey("default", .text, help: "The profile to use unless another one is named."),
      FileKey(
        "profiles", .map(.object(ObjectShape(keys(credentials)))),
        help: "Settings under the names of profiles."),
      FileKey(
        "devices", .map(.either([device, .array(.text)])),
        help: "Device tokens under names, for --to; an array of names is a group."))
  }

  private static let device = FileShape.object(
    FileKey("token", .text, isRequired: true, help: "The device token, in hexadecimal."),
    FileKey(
      "environment", SettingShapes.environment,
      help: "Where the device token is good: \"sandbox\" for development builds."),
    FileKey("bundleID", .text, help: "The app that the device token is for."))

  private static func keys(_ credentials: FileShape) -> [FileKey] {
    let place: Set<SettingField.Part> = [.headers, .place]
    return Settings.keys(place) + [FileKey("credentials", credentials, help: "Who is sending.")]
      + Settings.keys(Settings.parts.subtracting(place)) + [
        FileKey(
          "variables", .map(.anything),
          help: "Values of placeholders, where neither a recipient nor the scenario has one.")
      ]
  }
}
