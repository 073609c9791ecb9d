internal import APNS
internal import JSONText
internal import Projects

/// Scenarios as test suites and steps as test cases, in the XML that JUnit made common.
struct JUnitReport {
  let scenarios: [ScenarioReport]
  /// When it is written, in milliseconds since 1970 UTC.
  let now: Int64

  /// The whole document.
  var text: String {
    let figures = SuiteFigures(scenarios)
    var xml = XMLText()
    xml.open(
      "testsuites",
      [
        ("name", "fanfare"), ("tests", "\(figures.steps)"), ("failures", "\(figures.failed)"),
        ("errors", "\(figures.broken + figures.interrupted)"),
        ("skipped", "\(figures.notRun - figures.interrupted)"),
        ("time", seconds(scenarios.reduce(0) { $0 + $1.seconds })),
      ])
    for scenario in scenarios { write(scenario, to: &xml) }
    xml.close()
    return xml.text
  }

  private func write(_ scenario: ScenarioReport, to xml: inout XMLText) {
    let figures = SuiteFigures([scenario])
    xml.open(
      "testsuite",
      [
        ("name", scenario.scenario.title), ("file", scenario.scenario.file),
        ("tests", "\(figures.steps)"), ("failures", "\(figures.failed)"),
        ("errors", "\(figures.broken + figures.interrupted)"),
        ("skipped", "\(figures.notRun - figures.interrupted)"),
        ("time", seconds(scenario.seconds)), ("timestamp", timestamp),
      ])
    for step in scenario.steps { write(step, of: scenario.scenario, to: &xml) }
    xml.close()
  }

  private func write(_ step: StepReport, of scenario: Scenario, to xml: inout XMLText) {
    xml.open(
      "testcase",
      [
        ("name", "step \(step.step.label)"), ("classname", scenario.title),
        ("file", step.step.file(in: scenario)),
        ("line", step.step.origin.position.map { "\($0.line)" }), ("time", seconds(step.seconds)),
      ])
    if let run = step.run?.summary.run {
      xml.open("properties")
      xml.empty("property", [("name", "run"), ("value", "\(run)")])
      xml.close()
    }
    writeVerdict(step, to: &xml)
    if let text = step.run?.text { xml.element("system-out", text: text) }
    xml.close()
  }

  private func writeVerdict(_ step: StepReport, to xml: inout XMLText) {
    let (message, all) = (step.reasons.first, step.reasons.joined(separator: "\n"))
    switch step.verdict {
    case .passed: break
    case .failed: xml.element("failure", [("message", message)], text: all)
    case .broken: xml.element("error", [("message", message)], text: all)
    case .notRun(.interrupted): xml.element("error", [("message", message)], text: all)
    case .notRun(.step): xml.empty("skipped", [("message", message)])
    }
  }

  private func seconds(_ time: Double) -> String { fixed(time, decimals: 3) }

  /// Without fractions and zone, as xs:dateTime is used here.
  private var timestamp: String { String(ISO8601.text(seconds: now / 1000).dropLast()) }
}
