/// The facts about one header: a row of ``HeaderTable``.
public struct HeaderInfo: Sendable, Hashable {
  /// The message that carries a header.
  public enum Direction: String, Sendable, Hashable {
    /// Only the request.
    case request
    /// Only the response.
    case response
    /// Both.
    case both
  }

  /// The name, in lowercase.
  public let name: String
  /// The message that carries it.
  public let direction: Direction
  /// The requests that carry it, or whose responses do.
  public let scope: RequestScope
  /// The pushes that fanfare always sends with this header; nil for none.
  public let requiredBy: RequestScope?
  /// The format of its value.
  public let format: String
  /// The purpose, in one line.
  public let summary: String
  /// Notes on its use.
  public let explanation: String
  /// The Apple page that documents it.
  public let source: String

  init(
    _ name: String, _ direction: Direction = .request, on scope: RequestScope = .both,
    requiredBy: RequestScope? = nil, format: String, summary: String, explanation: String,
    source: String = Source.sending
  ) {
    self.name = name
    self.direction = direction
    self.scope = scope
    self.requiredBy = requiredBy
    self.format = format
    self.summary = summary
    self.explanation = explanation
    self.source = source
  }
}

/// The headers that fanfare knows, in the order they are explained.
public enum HeaderTable {
  /// The push types whose topic is the plain bundle ID.
  private static var plainTypes: String {
    PushType.table.filter { $0.usesBundleID && $0.suffix.isEmpty }.map(\.type.rawValue)
      .joined(separator: " and ")
  }

  private static var someSuffix: String { PushType.table.map(\.suffix).first { $0 != "" } ?? "" }

  /// All known headers.
  public static let all: [HeaderInfo] = [
    HeaderInfo(
      "authorization", format: "bearer <provider token>",
      summary: "Authenticates the sender with a provider token.",
      explanation: """
        Sent with every request when a .p8 key is used; ignored on connections that presented a \
        client certificate. fanfare sets it; it cannot come from a file or an option.
        """, source: Source.token),
    HeaderInfo(
      "apns-topic", on: .device, requiredBy: .device,
      format: "bundle ID plus the push type's suffix",
      summary: "The app, and for some push types a part of it.",
      explanation: """
        \(plainTypes) use the plain bundle ID; most other push types add a suffix such as \
        \(someSuffix). It may be omitted only with a certificate that lists a single topic. A push \
        to a channel has none; the path names the app.
        """),
    HeaderInfo(
      "apns-push-type", requiredBy: .both,
      format: PushType.table.map(\.type.rawValue).joined(separator: ", "),
      summary: "The kind of push.",
      explanation: """
        Must match the payload and the topic; otherwise APNs may return an error, delay the \
        push, or drop it silently. A push to a channel is always of type \(PushType.liveactivity).
        """),
    HeaderInfo(
      "apns-id", .both, requiredBy: .device, format: "lowercase UUID, 8-4-4-4-12",
      summary: "Identifies the push in responses and logs.",
      explanation: """
        APNs echoes it, or creates one if it is missing, often in uppercase. It is for tracing: \
        nothing documents that APNs drops a second push with the same ID. A push to a channel has \
        \(HeaderName.requestID) instead.
        """),
    HeaderInfo(
      "apns-expiration", requiredBy: .broadcast, format: "0, or seconds since 1970",
      summary: "When APNs stops trying to deliver.",
      explanation: """
        With 0, APNs tries once and does not store the push. With a date, it stores the push and \
        retries until then. Without the header, it stores the push for up to 30 days. A push to a \
        channel needs it: 0 unless the channel stores its latest push, for at most 8 hours.
        """),
    HeaderInfo(
      "apns-priority", requiredBy: .both, format: Priority.choices,
      summary: "How soon to deliver.",
      explanation: """
        10 delivers immediately, 5 considers the device's power, 1 favors power over all else and \
        never wakes the device. Defaults to 10; \(PushType.fixedPriorities). A push to a channel \
        needs it: APNs assumes nothing there.
        """),
    HeaderInfo(
      "apns-collapse-id", on: .device, format: "text of at most \(CollapseID.maximumBytes) bytes",
      summary: "Replaces an earlier push on the screen.",
      explanation: """
        Pushes with the same ID appear as one notification; a push that was sent twice appears \
        once. Only for pushes to devices.
        """),
    HeaderInfo(
      "apns-unique-id", .response, on: .device, format: "UUID",
      summary: "Finds the push in Apple's delivery log.",
      explanation: """
        Returned by the sandbox. The Push Notifications Console shows what became of the push \
        under this ID for seven days.
        """, source: Source.responses),
    HeaderInfo(
      "apns-channel-id", .both, on: .broadcast, requiredBy: .broadcast, format: "base64",
      summary: "Identifies a broadcast channel.",
      explanation: """
        APNs returns it when a channel is created; a push to the channel needs it, as do requests \
        to show or delete it. Pushes to devices have none: there, the payload of an event start \
        names the channel in input-push-channel.
        """, source: Source.channels),
    HeaderInfo(
      "apns-request-id", .both, on: .broadcast, requiredBy: .broadcast, format: "lowercase UUID",
      summary: "Identifies a channel request or a push to a channel.",
      explanation: """
        The counterpart of apns-id for channels. APNs echoes it, or creates one if it is missing; \
        fanfare always sends it.
        """, source: Source.channels),
  ]

  /// The row of a header, by name, ignoring case; nil if unknown.
  public static func info(_ name: some StringProtocol) -> HeaderInfo? {
    let name = name.lowercased()
    return all.first { $0.name == name }
  }
}

/// The requests to which a row of a table applies.
public enum RequestScope: String, Sendable, Hashable {
  /// Pushes to a device.
  case device
  /// Pushes to a channel, and channel management.
  case broadcast
  /// Both.
  case both
}
