internal import APNS
internal import Delivery
internal import JSONText
internal import PushModel

/// The summary of a run in the form of `--json`.
struct SummaryJSON: Sendable {
  let report: Run.Report
  let environment: String
  /// The run's number in the history; nil when it is not written down.
  let run: Int64?
  /// What the requests showed, for the cause of a refusal.
  let facts: RequestFacts
  /// The environments that were asked; nil when it was known where to send.
  var search: EnvironmentSearch?

  /// One line of JSON.
  var bytes: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    writeMembers(to: &json)
    json.endObject()
    json.endLine()
    return json.bytes
  }

  /// The members of the object.
  func writeMembers(to json: inout JSONWriter) {
    json.member("run", run)
    json.key("environment")
    json.string(environment)
    writeCounts(to: &json)
    writeReasons(to: &json)
    writeSpeed(to: &json)
    if let result = report.onlyResult {
      json.key("push")
      ResultLine(result: result, apnsID: report.apnsID(of: result.push)).write(to: &json)
      writeCause(of: result, to: &json)
    }
    if let search { write(search, to: &json) }
  }

  /// What most likely brought a refusal about.
  private func writeCause(of result: PushResult, to json: inout JSONWriter) {
    guard let cause = result.response?.reason?.causes(of: facts).first else { return }
    json.key("cause")
    json.beginObject()
    json.member("message", cause.text)
    json.member("fix", cause.fix)
    json.endObject()
  }

  private func write(_ search: EnvironmentSearch, to json: inout JSONWriter) {
    json.key("asked")
    json.beginArray()
    for attempt in search.attempts {
      json.beginObject()
      json.member("environment", attempt.environment.name)
      json.member("status", attempt.response?.status.rawValue)
      json.member("reason", attempt.reason?.rawValue)
      json.endObject()
    }
    json.endArray()
  }

  private func writeCounts(to json: inout JSONWriter) {
    let summary = report.summary
    json.member("lines", summary.recipients.lines)
    json.member("total", summary.total)
    for outcome in Outcome.allCases { json.member(outcome.rawValue, summary[outcome]) }
    json.member("badLines", summary.recipients.badLines)
    json.member("duplicates", summary.recipients.duplicates)
    json.member("suppressed", summary.recipients.suppressed)
    json.member("otherShards", summary.recipients.otherShards)
  }

  private func writeReasons(to json: inout JSONWriter) {
    json.key("reasons")
    json.beginObject()
    for (refusal, count) in report.summary.sortedReasons { json.member(refusal.name, count) }
    json.endObject()
  }

  private func writeSpeed(to json: inout JSONWriter) {
    let summary = report.summary
    json.member("resentInDoubt", summary.resentInDoubt)
    json.member("seconds", summary.seconds)
    json.member("pushesPerSecond", summary.pushesPerSecond)
    json.key("latency")
    json.beginObject()
    json.member("p50", summary.latency.percentile(0.5))
    json.member("p95", summary.latency.percentile(0.95))
    json.member("p99", summary.latency.percentile(0.99))
    json.endObject()
  }
}

extension RunSummary {
  /// Refusals, the most frequent first.
  var sortedReasons: [(Refusal, Int)] {
    reasons.sorted { ($0.value, $1.key.name) > ($1.value, $0.key.name) }.map { ($0.key, $0.value) }
  }
}

extension RunSummary.Refusal {
  /// The reason, or the status when there is none.
  var name: String { reason?.rawValue ?? "status \(status)" }
}
