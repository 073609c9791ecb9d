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
    placeKeys + [FileKey("credentials", credentials, help: "Who is sending.")] + runningKeys
      + [
        FileKey(
          "history", .text, help: "The history: a file, or the URL of a PostgreSQL database."),
        FileKey(
          "variables", .map(.anything),
          help: "Values of placeholders, where neither a recipient nor the scenario has one."),
      ]
  }

  private static let placeKeys = [
    FileKey("bundleID", .text, help: "The app; the push type's suffix is added to it."),
    FileKey("environment", SettingShapes.environment, help: "Where to send."),
    FileKey("ca", .text, help: "Certificates to trust besides the system's, in PEM."),
    FileKey("port", .integer(0...65_535), help: "The port of production or sandbox, 443 or 2197."),
    FileKey("proxy", .text, help: "An HTTP or SOCKS proxy."),
  ]

  private static let runningKeys = [
    SettingShapes.connections,
    FileKey(
      "rate", .either([.text, .integer(1...1_000_000)]),
      help: "The most pushes in a second or minute: 500, \"500/s\" or \"30/m\"."),
    FileKey("timeout", .timeSpan, help: "How long to wait for an answer."),
    FileKey(
      "retries", .integer(0...100),
      help: "How often to try again when APNs asks to come back later."),
    FileKey(
      "retryDelay", .timeSpan,
      help: "How long to wait before the first of these; each further wait is twice as long."),
  ]
}
