internal import APNS
internal import History
internal import PlainText
internal import PushModel

/// Pushes of the history as rows for people.
struct PushTable {
  private var table: TextTable
  private let style: Style
  private let showsTokens: Bool

  init(_ entries: [PushEntry], showsTokens: Bool, style: Style) {
    self.style = style
    self.showsTokens = showsTokens
    table = TextTable(
      [
        ("run", .right), ("at", .left), ("outcome", .left), ("answer", .left), ("token", .left),
        ("apns-id", .left),
      ], style: style)
    for entry in entries { add(entry) }
  }

  var text: String { table.text }

  private mutating func add(_ entry: PushEntry) {
    let status = entry.response?.status.description
    let answer = [status, entry.response?.reason?.rawValue].compactMap(\.self)
    table.add([
      (entry.run.description, plain), (ISO8601.text(seconds: entry.at / 1000), plain),
      (entry.outcome.words, style.of(entry.outcome)),
      (answer.joined(separator: " ").printable, plain),
      (showsTokens ? entry.token : shortToken(entry.token), plain),
      (entry.apnsID.description, plain),
    ])
  }

  private func plain(_ text: String) -> String { text }
}

/// The end of a device token, as screens show it.
func shortToken(_ token: String) -> String {
  token.utf8.count > 8 ? "…" + token.suffix(8) : token
}

extension Style {
  /// The colour of an outcome.
  func of(_ outcome: Outcome) -> (String) -> String {
    switch outcome {
    case .accepted: good
    case .rejected, .skipped: bad
    case .deferred, .unknown, .notAttempted: doubtful
    }
  }
}
