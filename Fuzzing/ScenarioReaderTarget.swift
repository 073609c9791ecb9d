import APNS
import Settings

extension FuzzTarget {
  /// A scenario file, and the rules on the headers and the payload that it gives.
  static let scenarioReader = FuzzTarget("ScenarioReader") { bytes in
    let reader = ScenarioReader(file: "scenarios/fuzz.json5") { path in
      switch path.split(separator: ".").last {
      case "json": Array(#"{"aps":{"alert":"Hello"}}"#.utf8)
      case "json5": Array(#"{extends: "fuzz.json5", notification: {type: "alert"}}"#.utf8)
      default: nil
      }
    }
    switch Result(catching: { () throws(BrokenRules) in try reader.read(bytes) }) {
    case .success(let scenario):
      let context = RuleContext(now: 1_800_000_000)
      try expect(!scenario.steps.isEmpty, "a scenario has a step")
      for step in scenario.steps {
        _ = try problems(of: draft(of: step, in: scenario, context), context)
      }
    case .failure(let error):
      try expect(!error.problems.isEmpty, "a scenario is refused for a reason")
      try expectPresentable(error.problems)
    }
  }

  private static func draft(
    of step: ScenarioStep, in scenario: Scenario, _ context: RuleContext
  ) -> Draft {
    let fields = step.fields.map { field in
      field.name == HeaderName.expiration.text
        ? .expiration(field.value, now: context.now, from: field.origin) : field
    }
    let topic = scenario.settings.bundleID.map { DraftField(.topic, $0.value, from: $0.origin) }
    return Draft(fields: [topic].compactMap(\.self) + fields, payload: step.payload)
  }
}
