internal import APNS
internal import PlainText
internal import PushEmulator
internal import PushInbox
internal import Reporting
internal import Runs
internal import Settings

/// The text for people once the emulator has started.
struct EmulatorGreeting {
  let text: String

  /// - Parameter isFound: whether `--env inbox` finds the inbox.
  init(_ emulator: RunningEmulator, _ inbox: Inbox?, isFound: Bool, _ style: Style) {
    let roots = emulator.rootsPath.printable
    let facts: [(String, String?)] = [
      ("emulator", emulator.url), ("manage", emulator.emulator.manageURL), ("ca", roots),
      ("inbox", inbox.map { style.linked($0.url, $0.url) }),
    ]
    let lines = facts.compactMap { name, value in value.map { name.padded(to: 10) + $0 } }
    let place =
      isFound
      ? "--env inbox"
      : "--server \(emulator.url) --ca \(roots) \\\n    --key AuthKey_ABC123DEFG.p8 "
        + "--team-id DEF123GHIJ"
    text =
      lines.joined(separator: "\n") + """


        Send to it:

          fanfare send \(place) --bundle-id com.example.shop --title Hello \\
            --to \(exampleToken)

        Ctrl-C ends it.


        """
  }
}

/// A request as one line for people.
struct RequestLine {
  let text: String

  init(_ event: ReceivedPushes.Event, _ context: Context) {
    switch event {
    case .received(let push): text = Self.text(of: push, context)
    case .cleared: text = "the inbox was cleared"
    case .missed(let count): text = "\(counted(count, "request")) not shown"
    }
  }

  private static func text(of push: ReceivedPush, _ context: Context) -> String {
    let status = push.status.map { "\($0)" } ?? "---"
    let target = push.token.map { "…\($0.suffix(8))" } ?? push.channel
    let words = [
      time(Int64(push.time), context), status, push.reason?.rawValue, kind(of: push), target,
      push.topic ?? push.request.bundleID, push.note,
    ]
    return words.compactMap(\.self).map(\.printable).joined(separator: "  ")
  }

  /// The push type; for a channel management request, the operation.
  private static func kind(of push: ReceivedPush) -> String? {
    guard push.request.kind == .channel else { return push.pushType }
    let isList = push.path?.hasSuffix("/all-channels") ?? false
    return isList ? "list channels" : (push.request.method.map { "\($0) channel" })
  }

  /// The local time of day.
  private static func time(_ seconds: Int64, _ context: Context) -> String {
    let local = seconds + context.localOffset(seconds)
    return String(ISO8601.text(seconds: local).dropFirst("2026-11-22T".count).dropLast())
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
