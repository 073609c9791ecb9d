internal import APNS
internal import PlainText
internal import PushModel

/// The result of the only push of a run as a person reads it.
struct PushText {
  let result: PushResult
  let apnsID: APNSID
  let facts: RequestFacts
  /// How to go on when it was deferred.
  var wayOn: WayOn
  /// The environments that were asked; nil when it was known where to send.
  let search: EnvironmentSearch?
  let showsToken: Bool
  /// Whether every cause of a refusal is listed, not the likeliest alone.
  let isVerbose: Bool
  let style: Style

  /// The lines, with a line feed at the end.
  var text: String {
    let rows: [(String, String?)] = [
      ("belongs to", search?.home?.name),
      ("apns-id", apnsID.description),
      ("apns-unique-id", result.response?.uniqueID?.printable),
      ("latency", result.latencyMicroseconds.map { milliseconds(Double($0) / 1000) }),
      ("attempts", result.attempts > 1 ? String(result.attempts) : nil),
      ("dead since", result.response?.timestamp.map { "\($0) ms since 1970" }),
    ]
    let shown = rows.compactMap { row in row.1.map { (row.0, $0) } }
    let width = shown.map(\.0.count).max() ?? 0
    let table = shown.map { name, value in
      "  " + name + String(repeating: " ", count: width - name.count + 2) + value
    }
    return ([headline] + explanation + refusals + waiting + table).joined(separator: "\n") + "\n"
  }

  private var headline: String {
    let answer = [result.response?.status.description, result.response?.reason?.rawValue]
      .compactMap(\.self).joined(separator: " ")
    let token = showsToken ? result.push.token : shortToken(result.push.token)
    return [style.of(result.outcome)(result.outcome.words), answer.printable, token].filter {
      !$0.isEmpty
    }.joined(separator: "  ")
  }

  /// What a refusal means and what to do about it.
  private var explanation: [String] {
    if result.hasExpired { return ["  It expired before it could be sent\(again)."] }
    guard let response = result.response, !response.isAccepted else { return [] }
    if let reason = response.reason, let info = reason.info {
      let causes = reason.causes(of: facts)
      if isVerbose { return ["  \(info.meaning)"] + Self.lines(of: causes) }
      return ["  \(info.meaning)"] + likeliest(causes)
    }
    if response.reason == nil {
      let meaning = response.status.info?.meaning
      return ["  The answer gave no reason.\(meaning.map { " " + $0 } ?? "")"]
    }
    if response.reason?.rawValue.hasPrefix("Emulator") == true {
      return ["  This is the emulator's own word: what APNs answers here is not documented."]
    }
    return ["  This reason is newer than this version of fanfare."]
  }

  private static func lines(of causes: [Cause]) -> [String] {
    let text = ReportText(width: 78).text(of: ExplainedTopic.causes(causes))
    return text.split(separator: "\n").map { "  " + $0 }
  }

  private var again: String { result.attempts > 0 ? " again" : "" }

  /// What each environment said, when none knows the device token.
  private var refusals: [String] {
    guard let search, search.attempts.count > 1, search.goesOn else { return [] }
    return search.attempts.map { "  \($0.words)" }
  }

  /// When to try again.
  private var waiting: [String] { result.outcome == .deferred ? ["  " + wayOn.retry] : [] }

  private func likeliest(_ causes: [Cause]) -> [String] {
    guard let cause = causes.first else { return [] }
    let lead = causes.count > 1 ? "Most likely: \(cause.text)" : nil
    return [lead, cause.fix].compactMap { $0.map { "  " + $0 } }
  }
}
