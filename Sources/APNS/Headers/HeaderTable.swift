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
    _ name: String, _ direction: Direction = .request, isRequired: Bool = false, format: String,
    summary: String, explanation: String, source: String = Source.sending
  ) {
    self.name = name
    self.direction = direction
    self.isRequired = isRequired
    self.format = format
    self.summary = summary
    self.explanation = explanation
    self.source = source
  }
}

/// The headers of device pushes that fanfare knows, in the order they are explained in.
public enum HeaderTable {
  /// The push types whose topic is the bundle id as it is.
  private static var plainTypes: String {
    PushType.table.filter { $0.usesBundleID && $0.suffix.isEmpty }.map(\.type.rawValue)
      .joined(separator: " and ")
  }

  private static var someSuffix: String { PushType.table.map(\.suffix).first { $0 != "" } ?? "" }

  /// Every header known.
  public static let all: [HeaderInfo] = [
    HeaderInfo(
      "authorization", format: "bearer <provider token>",
      summary: "Proves who is sending, with a provider token.",
      explanation: """
        Sent with every request when a .p8 key is used; ignored on a connection that presented a \
        certificate. fanfare writes it itself and never takes it from a file or an option.
        """, source: Source.token),
    HeaderInfo(
      "apns-topic", isRequired: true, format: "bundle id and the push type's suffix",
      summary: "Names the app, and for some push types the part of it.",
      explanation: """
        \(plainTypes) use the bundle id as it is; most other push types add a suffix such as \
        \(someSuffix). APNs lets it be absent only with a certificate that names one topic.
        """),
    HeaderInfo(
      "apns-push-type", isRequired: true,
      format: PushType.table.map(\.type.rawValue).joined(separator: ", "),
      summary: "Says what kind of push this is.",
      explanation: """
        It must agree with the payload and the topic: if it does not, APNs may answer with an \
        error, deliver late, or drop the push without a word.
        """),
    HeaderInfo(
      "apns-id", .both, isRequired: true, format: "UUID in lower case, 8-4-4-4-12",
      summary: "Identifies this push in answers and logs.",
      explanation: """
        APNs echoes it, or makes one, often in upper case. It is for tracing: nothing says that \
        APNs drops a second push with the same id.
        """),
    HeaderInfo(
      "apns-expiration", format: "0, or seconds since 1970",
      summary: "Says until when APNs tries to deliver.",
      explanation: """
        0 means one attempt and no storing. A later moment lets APNs store the push and try again \
        until then; without the header APNs stores for up to 30 days.
        """),
    HeaderInfo(
      "apns-priority", isRequired: true, format: Priority.choices,
      summary: "Says how soon to deliver.",
      explanation: """
        10 delivers at once, 5 when it suits the device's power, 1 puts power first and never \
        wakes the device. APNs assumes 10; \(PushType.fixedPriorities).
        """),
    HeaderInfo(
      "apns-collapse-id", format: "text of at most \(CollapseID.maximumBytes) bytes",
      summary: "Lets this push replace an earlier one on the screen.",
      explanation: """
        Pushes with the same id show as one notification. Also the way to make a push that was \
        sent twice show once.
        """),
    HeaderInfo(
      "apns-unique-id", .response, format: "UUID",
      summary: "Finds the push in Apple's delivery log.",
      explanation: """
        The sandbox answers with it. The Push Notifications Console shows the push's fate under \
        this id for seven days.
        """, source: Source.responses),
    HeaderInfo(
      "apns-channel-id", .both, format: "base64",
      summary: "Names a broadcast channel.",
      explanation: "Used in channel and broadcast requests only; a device push has none.",
      source: Source.channels),
    HeaderInfo(
      "apns-request-id", .both, format: "UUID in lower case",
      summary: "Identifies a channel or broadcast request.",
      explanation: "Does for channels what apns-id does for device pushes.",
      source: Source.channels),
  ]

  /// The row of a header, by its name in any case; nil when it is not known.
  public static func info(_ name: some StringProtocol) -> HeaderInfo? {
    let name = name.lowercased()
    return all.first { $0.name == name }
  }
}
