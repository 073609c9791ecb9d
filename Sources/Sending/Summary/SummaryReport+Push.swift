internal import APNS
internal import Delivery
internal import PlainText
internal import PushModel
internal import Reporting

// The result of a run's only push.
extension SummaryReport {
  /// The response for people. Programs get it among the other parts.
  func answer(_ result: PushResult) -> [Report.Part] {
    let rows: [Report.Part] = [
      .text("belongs to", search?.home.map { "\($0.name)" }),
      .text(
        result.push.channel == nil ? "apns-id" : "apns-request-id",
        "\(report.apnsID(of: result.push))"),
      .text("apns-unique-id", result.response?.uniqueID.map { "\($0)" }),
      .text(
        "latency", result.latencyMicroseconds.map { "\(milliseconds(Double($0) / 1000))" }),
      .text("attempts", result.attempts > 1 ? "\(result.attempts)" : nil),
      .text(
        "dead since", result.response?.timestamp.map { "\(ISO8601.text(seconds: $0 / 1000))" }),
    ]
    let waiting: [Report.Part] =
      result.outcome == .deferred ? [.paragraph(StyledText(resumeHint.retry))] : []
    return [.section(headline(result), explanation(result) + refusals + waiting + rows)]
  }

  private func headline(_ result: PushResult) -> StyledText {
    let answer = [result.response?.status.description, result.response?.reason?.rawValue]
      .compactMap(\.self).joined(separator: " ")
    let rest = [answer, result.push.recipient(showsToken: showsToken)].filter { !$0.isEmpty }.map {
      "  " + $0
    }.joined()
    return "\(result.outcome.words, result.outcome.tone)\(rest)"
  }

  /// The meaning of a refusal, and the fix.
  private func explanation(_ result: PushResult) -> [Report.Part] {
    if result.hasExpired {
      let again = result.attempts > 0 ? " again" : ""
      return [.paragraph("It expired before it could be sent\(again).")]
    }
    guard let response = result.response, !response.isAccepted else { return [] }
    guard let reason = response.reason else {
      let meaning = response.status.info.map { " " + $0.meaning } ?? ""
      return [.paragraph("The answer gave no reason.\(meaning)")]
    }
    guard let info = reason.info else {
      return [
        .paragraph(
          reason.rawValue.hasPrefix("Emulator")
            ? "This reason is the emulator's own: the answer of APNs is not documented."
            : "This reason is newer than this version of fanfare.")
      ]
    }
    let causes = reason.causes(of: facts)
    return [info.meaning, response.clocks?.sentence].compactMap {
      $0.map { .paragraph(StyledText($0)) }
    }
      + (isVerbose ? causes.parts : likeliest(of: causes))
  }

  private func likeliest(of causes: [Cause]) -> [Report.Part] {
    guard let cause = causes.first else { return [] }
    let lead = causes.count > 1 ? "Most likely: \(cause.text)" : nil
    return [lead, cause.fix].compactMap { $0.map { .paragraph(StyledText($0)) } }
  }

  /// The response of each environment, when none knows the device token.
  private var refusals: [Report.Part] {
    guard let search, search.attempts.count > 1, search.goesOn else { return [] }
    return [.lines(search.attempts.map { StyledText($0.words) })]
  }
}
