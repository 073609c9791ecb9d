internal import APNS
internal import Delivery
internal import JSONText
internal import PushModel
internal import Reporting

// The result of a run's only push.
extension SummaryReport {
  /// The response for people. Programs get it among the other parts.
  func answer(_ result: PushResult) -> [Report.Part] {
    let rows: [Report.Part] = [
      .text("environment", placeNote.map { .verbatim($0) }),
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

// The message on standard error when the summary is not printed.
extension SummaryReport {
  /// A line about pushes that were not accepted, and how to continue; nil when there are none, or
  /// when the stop cause, which is always printed, says it all.
  var complaint: Report.Part? {
    if report.exitCode == .success { return nil }
    let next = correction ?? resumeHint.command.map { "go on with '\($0)'" }
    if isToldByCause { return next.map { .lines(["fanfare: \($0)"]) } }
    let only = report.summary.recipients.lines == 1 ? report.onlyResult : nil
    let what = only.map(shortcoming) ?? report.summary.shortcomings
    return .lines(["fanfare: \("error:", .bad) \(what)\(next.map { "; \($0)" } ?? "")"])
  }

  private var isToldByCause: Bool {
    let summary = report.summary
    return report.stopCause?.failure != nil
      && summary[.rejected] + summary[.skipped] + summary.recipients.badLines == 0
  }

  /// The push and its outcome: `…2c3d4e5f: rejected: 410 Unregistered`.
  private func shortcoming(_ result: PushResult) -> String {
    let recipient = result.push.recipient(showsToken: showsToken)
    return [recipient, result.outcome.words, result.why].filter { !$0.isEmpty }.joined(
      separator: ": ")
  }
}

extension Push {
  /// The device token or channel, for people.
  func recipient(showsToken: Bool) -> String {
    shownRecipient(token, channel, showsToken: showsToken)
  }
}

extension PushResult {
  /// The response, or the reason there was none; empty when the outcome says enough.
  fileprivate var why: String {
    if let response {
      return [response.status.description, response.reason?.rawValue].compactMap(\.self)
        .joined(separator: " ")
    }
    if hasExpired { return "it expired before it could be sent" }
    let problems = push.chunk.problems(at: push.index)?.problems ?? []
    return problems.first { $0.severity == .error }?.message ?? ""
  }
}

extension RunSummary {
  /// The counts in words: `2 rejected, 1 skipped, 3 bad lines (2 Unregistered); 994 accepted`.
  fileprivate var shortcomings: String {
    let outcomes = Outcome.allCases.filter { $0 != .accepted && self[$0] > 0 }
      .map { "\(grouped(self[$0])) \($0.words)" }
    let lines = recipients.badLines > 0 ? [counted(recipients.badLines, "bad line")] : []
    let reasons = sortedReasons.prefix(5).map { "\(grouped($0.1)) \($0.0.name)" }
    return (outcomes + lines).joined(separator: ", ")
      + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))")
      + "; \(grouped(self[.accepted])) accepted"
  }
}

extension OutcomeForm {
  /// The chosen fields that only a single push has.
  var fieldsOfPush: [String] {
    let own = Outputs.summary.map(\.name)
    return (fields?.names ?? []).filter { !own.contains($0) }
  }
}
