internal import APNS
internal import JSONText

extension EnvironmentSetting {
  /// How a place to send to stands in profiles.
  static let plainShape = FileShape.either([named, server])

  /// How a place to send to stands in scenarios.
  static let shape = FileShape.either([
    named, server,
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
      ])),
  ])

  private static let named = FileShape.word(PushEnvironment.named.map(\.name) + [autoName])

  private static let server = FileShape.object(
    ObjectShape([
      FileKey("server", .text, isRequired: true, help: "https://HOST:PORT"),
      FileKey("ca", .text, help: "Certificates to trust besides the system's, in PEM."),
    ]))

  /// A place as it was written; nil where it does not fit the shape, or is no address, which is
  /// told.
  ///
  /// - Parameter path: where it stands.
  init?(_ json: JSON, at path: String = "environment", _ problems: ProblemList) {
    if json.string == Self.autoName {
      self = .auto
    } else if let named = PushEnvironment.named.first(where: { $0.name == json.string }) {
      self = .named(named)
    } else if json["emulator"] != nil {
      self = .named(.emulator)
    } else if let address = Self.address(json["server"], "\(path).server", problems) {
      self = .named(.server(address))
    } else {
      return nil
    }
  }

  private static func address(
    _ json: JSON?, _ path: String, _ problems: ProblemList
  ) -> ServerAddress? {
    guard let json, let url = json.string else { return nil }
    let address = try? ServerAddress(url: url)
    if address == nil {
      problems.add(
        json, path, "This is not the address of a server.",
        fix: "Write https://HOST or https://HOST:PORT.")
    }
    return address
  }
}
