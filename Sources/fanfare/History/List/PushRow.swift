internal import APNS
internal import History
internal import PlainText
internal import PushModel

extension PushEntry {
  /// A row of 'history list' for people.
  func row(showsToken: Bool) -> [Report.Part] {
    let answer = [response?.status.description, response?.reason?.rawValue].compactMap(\.self)
    return [
      .number(run), .text("at", StyledText(ISO8601.text(seconds: at / 1000))),
      .text("outcome", StyledText(outcome.words, outcome.tone)),
      .text("answer", StyledText(answer.joined(separator: " "))),
      .text("token", StyledText(showsToken ? token : shortToken(token))),
      .text("apns-id", StyledText(apnsID.description)),
    ]
  }
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
