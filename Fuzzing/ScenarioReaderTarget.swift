import APNS
import PushCore

extension FuzzTarget {
  /// A scenario file, and the rules on the headers and the payload that it gives.
  static let scenarioReader = FuzzTarget("ScenarioReader") { bytes in
    let reader = ScenarioReader(file: "scenarios/fuzz.json5") { path in
      path.hasSuffix(".json") ? Array(#"{"aps":{"alert":"Hello"}}"#.utf8) : nil
    }
    switch Result(catching: { () throws(BrokenRules) in try reader.read(bytes) }) {
    case .success(let scenario):
      let context = RuleContext(now: 1_800_000_000)
      _ = try problems(of: draft(of: scenario, context), context)
    case .failure(let error):
      try expect(!error.problems.isEmpty, "a scenario is refused for a reason")
      try expectPresentable(error.problems)
    }
  }

  private static func draft(of scenario: Scenario, _ context: RuleContext) -> Draft {
    let fields = scenario.fields.map { field in
      field.name == HeaderName.expiration.text
        ? .expiration(field.value, now: context.now, from: field.origin) : field
    }
    let topic = scenario.bundleID.map { [$0] } ?? []
    return Draft(fields: topic + fields, payload: scenario.payload)
  }
}
