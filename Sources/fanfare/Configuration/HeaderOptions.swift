internal import APNS
internal import CommandLineKit

/// The headers of a push.
struct HeaderOptions: Sendable, Equatable {
  var type: String?
  var bundleID: String?
  var topic: String?
  var priority: String?
  var expiration: String?
  var collapseID: String?
  var apnsID: String?
  var headers: [HeaderArgument] = []

  static let group = OptionGroup<Self>(
    "Headers",
    [
      .option(
        "type", \.type, value: "TYPE",
        help: "The push type; inferred from the payload where that is certain.",
        completion: .words(PushType.table.map(\.type.rawValue))),
      .option(
        "bundle-id", \.bundleID, value: "ID", help: "The app; the type's suffix is added to it.",
        environment: EnvironmentVariable.bundleID.rawValue),
      .option("topic", \.topic, value: "TOPIC", help: "The topic, taken as it is."),
      .option(
        "priority", \.priority, value: "N",
        help: "How soon: 10, 5 or 1; without it 5 for background pushes, else 10.",
        completion: .words(["10", "5", "1"])),
      .option(
        "expiration", \.expiration, value: "TIME",
        help: "How long APNs keeps it: 0, 1h, epoch seconds or ISO 8601."),
      .option(
        "collapse-id", \.collapseID, value: "ID", help: "A later push with this id replaces it."),
      .option(
        "apns-id", \.apnsID, value: "UUID", help: "The push's own id; for one recipient only."),
      .option(
        "header", \.headers, value: "NAME:VALUE", help: "A header newer than this tool."),
    ])
}
