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
