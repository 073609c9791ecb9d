internal import APNS
internal import JSONText
internal import Projects

/// A step in the form of `run --json`: whose it is and whether it is as expected, and then the
/// summary of its run.
struct StepJSON {
  let scenario: Scenario
  let report: StepReport

  /// One line.
  var line: String {
    var json = JSONWriter()
    json.beginObject()
    json.member("scenario", scenario.title)
    json.member("file", scenario.file)
    json.member("step", report.step.number)
    json.member("stepName", report.step.name)
    json.member("passed", report.verdict.isPassed)
    writeVerdict(to: &json)
    report.run?.summary.writeMembers(to: &json)
    json.endObject()
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func writeVerdict(to json: inout JSONWriter) {
    switch report.verdict {
    case .passed: break
    case .failed(let misses):
      json.key("missed")
      json.beginArray()
      for miss in misses { miss.write(to: &json) }
      json.endArray()
    case .broken: json.member("error", report.reasons.joined(separator: " "))
    case .notRun: json.member("notRun", report.reasons.joined(separator: " "))
    }
  }
}

extension Miss {
  /// `{"expectation", "wanted", "got"}`
  fileprivate func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("expectation", key)
    switch self {
    case .status(let wanted, let got):
      json.member("wanted", wanted.rawValue)
      Self.write(got, to: &json)
    case .reason(let wanted, let got):
      json.member("wanted", wanted.rawValue)
      Self.write(got, to: &json)
    case .accepted(let wanted, let got, let all):
      json.member("wanted", Optional(wanted))
      json.member("got", all > 0 ? Double(got) / Double(all) : nil)
    case .latency(let wanted, let got):
      json.member("wanted", Double(wanted))
      json.member("got", got)
    }
    json.endObject()
  }

  /// How many lines came to what.
  private static func write(_ counts: [Count], to json: inout JSONWriter) {
    json.key("got")
    json.beginObject()
    for count in counts { json.member(count.value.words, count.count) }
    json.endObject()
  }
}
