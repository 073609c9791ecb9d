internal import APNS
internal import Delivery
internal import PlainText
internal import PushModel
internal import Reporting
internal import Runs
internal import Settings

/// The form in which the outcome of sending is printed.
package struct OutcomeForm: Sendable {
  /// The fields to print in JSON; nil for text.
  private let fields: JSONFields?
  /// The outcome is not printed, because of `--quiet`, or because results take standard output.
  private let isSilent: Bool

  init(_ settings: Settings) {
    fields = settings.json?.value
    isSilent = settings.quiet.isOn || settings.resultsTakeOutput
  }

  /// - Parameters:
  ///   - parts: all parts.
  ///   - text: the parts for people, where they differ; nil for all.
  ///   - complaint: the message that is printed in place of the outcome; nil for none.
  ///   - cause: the reason the run stopped, which is always printed.
  func report(
    _ parts: [Report.Part], forPeople text: [Report.Part]? = nil, complaint: Report.Part?,
    _ cause: StopCause?
  ) -> Report {
    var report = Report(parts: fields == nil ? text ?? parts : parts).asJSON(fields)
    report.before = cause?.failure?.parts() ?? []
    if fields == nil, isSilent {
      report.parts = []
      report.before += complaint.map { [$0] } ?? []
    }
    return report
  }
}

// The message on standard error when the summary is not printed.
extension SummaryReport {
  /// A line about pushes that were not accepted, and how to continue; nil when there are none, or
  /// when the stop cause, which is always printed, says it all.
  var complaint: Report.Part? {
    if report.exitCode == .success { return nil }
    let next = resumeHint.command.map { "go on with '\($0)'" }
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
