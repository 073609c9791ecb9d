internal import APNS
internal import PlainText
internal import Reporting
internal import Settings

/// A preview of pushes to several devices in production, for confirmation.
struct ProductionPreview {
  /// The topic or bundle ID, which names the app.
  let app: String
  /// The channel; nil for device tokens.
  let channel: String?
  private(set) var count: Int
  /// The count is complete.
  private(set) var isExact: Bool
  private let sample: PlannedPushes.Sample?

  init(_ message: Message, _ pushes: PlannedPushes) {
    app = message[.topic] ?? message.app ?? "an app without a topic"
    channel = message.channel
    (count, isExact, sample) = (pushes.count, pushes.isExact, pushes.sample)
  }
}

// Properties of the preview.
extension ProductionPreview {
  /// At most one device gets it. The number of devices that follow a channel is unknown.
  var isSmall: Bool { isExact && count < 2 && channel == nil }

  /// It is exactly one push.
  var isOnePush: Bool { isExact && count == 1 }

  /// True if another preview has the same app and channel.
  func isAlike(_ other: ProductionPreview) -> Bool {
    app == other.app && channel == other.channel
  }

  /// Adds the preview of another run of the same app.
  mutating func add(_ other: ProductionPreview) {
    count += other.count
    isExact = isExact && other.isExact
  }

  /// The pushes and their app: `production: 2 pushes for com.example.app`.
  var headline: String {
    let place = channel.map { "to channel \($0.printable) of" } ?? "for"
    return "production: \(pushes) \(place) \(app.printable)"
  }

  /// The text, with a trailing newline.
  func text(showsTokens: Bool) -> String {
    let head = headline + ", "
    guard let sample else { return head + "each with a payload of its own.\n" }
    let token = channel != nil ? nil : sample.token.map { showsTokens ? $0 : shortToken($0) }
    let payload = String(decoding: sample.payload, as: UTF8.self).printable
    return head + (token.map { "such as this to \($0)" } ?? "with this payload")
      + ":\n  \(payload)\n"
  }

  private var pushes: String {
    if isExact { return counted(count, "push", plural: "pushes") }
    return count == 0
      ? "an unknown number of pushes"
      : "at least \(counted(count, "push", plural: "pushes"))"
  }
}

extension Settings {
  /// A sentence for each named device that is not of the environment sent to, if that is Apple's:
  /// nowhere else does it matter.
  ///
  /// - Parameter others: the devices that a scenario names.
  func devicesElsewhere(_ others: [Device] = [], _ context: Context) -> [String] {
    guard case .named(let environment)? = environment?.value, environment.isApple else { return [] }
    let devices = others + (to?.value ?? []).compactMap(\.device)
    let namer = namerOfPlace(context) ?? self.environment?.origin.text.printable ?? ""
    return devices.compactMap { device in
      guard let own = device.environment?.value, own != .auto, own != .named(environment) else {
        return nil
      }
      return "The device '\(device.name.printable)' is for \(own.shown.printable), and "
        + "\(namer) sends to \(environment.name)."
    }
  }
}

extension Settings {
  /// The named devices by their device tokens, for options that send a stored run elsewhere: the run
  /// need not have kept the names. Empty without such an option.
  func devicesByToken(_ context: Context) throws(Failure) -> [String: [Device]] {
    if environment == nil, server == nil { return [:] }
    let devices = try context.configuration.devices().effective.compactMap(\.device)
    return Dictionary(grouping: devices, by: \.token.hex)
  }
}

extension Failure {
  /// The answer was not yes.
  static var notConfirmed: Failure {
    Failure("Not confirmed: nothing was sent.", fix: "--yes sends without asking.")
  }
}
