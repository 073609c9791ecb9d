internal import PlainText
internal import PushCore

/// Which pushes of a run are sent again, for people.
struct ResendText {
  let entry: RunEntry
  /// How many fit.
  let count: Int
  /// How many were left out because of their device tokens.
  let leftOut: Int
  let isDryRun: Bool

  /// The lines, with a line feed at the end.
  var text: String { [what, tokens, rest].compactMap(\.self).map { $0 + "\n" }.joined() }

  private var what: String {
    if count == 0 { return "Run \(entry.run) has no push that fits: nothing is sent." }
    let verb = isDryRun ? "would be sent" : count == 1 ? "is sent" : "are sent"
    return "\(grouped(count)) \(count == 1 ? "push" : "pushes") of run \(entry.run) \(verb) again."
  }

  private var tokens: String? {
    if leftOut == 0 { return nil }
    return """
      Left out, for APNs does not know the device token: \(grouped(leftOut)). --only rejected takes \
      them too.
      """
  }

  /// What has no result may still be sent by the run itself.
  private var rest: String? {
    if entry.state == .finished { return nil }
    return """
      Run \(entry.run) has not ended: what has no result is left to 'fanfare resume \(entry.run)', \
      which also sends what it has left.
      """
  }
}
