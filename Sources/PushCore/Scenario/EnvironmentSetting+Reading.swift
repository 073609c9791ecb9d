internal import APNS
internal import JSONText

extension EnvironmentSetting {
  /// How a place to send to stands in scenarios and profiles.
  static let shape = FileShape.either([
    .word(PushEnvironment.named.map(\.name) + [autoName]),
    .object(
      ObjectShape([
        FileKey("server", .text, isRequired: true, help: "https://HOST:PORT"),
        FileKey("ca", .text, help: "Certificates to trust besides the system's, in PEM."),
      ])),
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

  /// A place as it was written; nil where it does not fit the shape, or is no address, which is
  /// told.
  init?(_ json: JSON, _ problems: ProblemList) {
    if json.string == Self.autoName {
      self = .auto
    } else if let named = PushEnvironment.named.first(where: { $0.name == json.string }) {
      self = .named(named)
    } else if json["emulator"] != nil {
      self = .named(.emulator)
    } else if let address = Self.address(json["server"], problems) {
      self = .named(.server(address))
    } else {
      return nil
    }
  }

  private static func address(_ json: JSON?, _ problems: ProblemList) -> ServerAddress? {
    guard let json, let url = json.string else { return nil }
    let address = try? ServerAddress(url: url)
    if address == nil {
      problems.add(
        json, "environment.server", "This is not the address of a server.",
        fix: "Write https://HOST or https://HOST:PORT.")
    }
    return address
  }
}
