/// What there is to know about one header: a row of ``HeaderTable``.
public struct HeaderInfo: Sendable, Hashable {
  /// Which message carries a header.
  public enum Direction: String, Sendable, Hashable {
    /// Only the request.
    case request
    /// Only the response.
    case response
    /// Both.
    case both
  }

  /// The name, in lower case.
  public let name: String
  /// Which message carries it.
  public let direction: Direction
  /// Whether only channel and broadcast requests carry it.
  public let isForChannels: Bool
  /// Whether fanfare never sends a push without it.
  public let isRequired: Bool
  /// What its value looks like.
  public let format: String
  /// What it is for, in one line.
  public let summary: String
  /// What to know when using it.
  public let explanation: String
  /// The page that says so.
  public let source: String

  init(
    _ name: String, _ direction: Direction = .request, isForChannels: Bool = false,
    isRequired: Bool = false, format: String, summary: String, explanation: String,
    source: String = Source.sending
  ) {
    self.name = name
    self.direction = direction
    self.isForChannels = isForChannels
    self.isRequired = isRequired
    self.format = format
    self.summary = summary
    self.explanation = explanation
    self.source = source
  }
}

/// The headers of device pushes that fanfare knows, in the order they are explained in.
public enum HeaderTable {
  /// The push types whose topic is the bundle ID as it is.
  private static var plainTypes: String {
    PushType.table.filter { $0.usesBundleID && $0.suffix.isEmpty }.map(\.type.rawValue)
      .joined(separator: " and ")
  }

  private static var someSuffix: String { PushType.table.map(\.suffix).first { $0 != "" } ?? "" }

  /// Every header known.
  public static let all: [HeaderInfo] = [
    HeaderInfo(
      "authorization", format: "bearer <provider token>",
      summary: "Authenticates the sender with a provider token.",
      explanation: """
        Sent with every request when a .p8 key is used; ignored on connections that presented a \
        client certificate. fanfare sets it; it cannot come from a file or an option.
        """, source: Source.token),
    HeaderInfo(
      "apns-topic", isRequired: true, format: "bundle ID plus the push type's suffix",
      summary: "The app, and for some push types a part of it.",
      explanation: """
        \(plainTypes) use the plain bundle ID; most other push types add a suffix such as \
        \(someSuffix). It may be omitted only with a certificate that lists a single topic.
        """),
    HeaderInfo(
      "apns-push-type", isRequired: true,
      format: PushType.table.map(\.type.rawValue).joined(separator: ", "),
      summary: "The kind of push.",
      explanation: """
        Must match the payload and the topic; otherwise APNs may return an error, delay the \
        push, or drop it silently.
        """),
    HeaderInfo(
      "apns-id", .both, isRequired: true, format: "lowercase UUID, 8-4-4-4-12",
      summary: "Identifies the push in responses and logs.",
      explanation: """
        APNs echoes it, or creates one if it is missing, often in uppercase. It is for tracing: \
        nothing documents that APNs drops a second push with the same ID.
        """),
    HeaderInfo(
      "apns-expiration", format: "0, or seconds since 1970",
      summary: "When APNs stops trying to deliver.",
      explanation: """
        With 0, APNs tries once and does not store the push. With a date, it stores the push and \
        retries until then. Without the header, it stores the push for up to 30 days.
        """),
    HeaderInfo(
      "apns-priority", isRequired: true, format: Priority.choices,
      summary: "How soon to deliver.",
      explanation: """
        10 delivers immediately, 5 considers the device's power, 1 favors power over all else and \
        never wakes the device. Defaults to 10; \(PushType.fixedPriorities).
        """),
    HeaderInfo(
      "apns-collapse-id", format: "text of at most \(CollapseID.maximumBytes) bytes",
      summary: "Replaces an earlier push on the screen.",
      explanation: """
        Pushes with the same ID appear as one notification; a push that was sent twice appears \
        once.
        """),
    HeaderInfo(
      "apns-unique-id", .response, format: "UUID",
      summary: "Finds the push in Apple's delivery log.",
      explanation: """
        Returned by the sandbox. The Push Notifications Console shows what became of the push \
        under this ID for seven days.
        """, source: Source.responses),
    HeaderInfo(
      "apns-channel-id", .both, isForChannels: true, format: "base64",
      summary: "Identifies a broadcast channel.",
      explanation: "Used only in channel and broadcast requests, never in device pushes.",
      source: Source.channels),
    HeaderInfo(
      "apns-request-id", .both, isForChannels: true, format: "lowercase UUID",
      summary: "Identifies a channel or broadcast request.",
      explanation: "The counterpart of apns-id for channels.",
      source: Source.channels),
  ]

  /// The row of a header, by its name in any case; nil when it is not known.
  public static func info(_ name: some StringProtocol) -> HeaderInfo? {
    let name = name.lowercased()
    return all.first { $0.name == name }
  }
}
