extension RuleTable {
  /// Placeholders, before and while they are filled. Only a ``Template`` is asked about them: what
  /// it has filled may hold braces like any other text.
  static let templateRules: [Rule] = [
    templateRule(
      "placeholder-form", summary: "A placeholder is written so that it can be read.",
      fix: "Write {{name}}, {{name|number}} or {{name|default('text')}}."),
    templateRule(
      "placeholder-key", summary: "Placeholders stand in values, not in keys.",
      fix: "Write the key out; a value may be a placeholder."),
    templateRule(
      "placeholder-unfilled", summary: "Every placeholder has its value.",
      fix: "Give it by --var, in a column of the list, or as {{name|default('…')}}."),
    templateRule(
      "placeholder-value", summary: "A value can stand where its placeholder does.",
      fix: "Correct the value."),
  ]

  /// Problems with one of these rules.
  static func problems(_ findings: [Finding], of rule: String) -> [Problem] {
    templateRules.first { $0.identifier == rule }.map { rule in findings.map(rule.problem) } ?? []
  }

  private static func templateRule(_ identifier: String, summary: String, fix: String) -> Rule {
    Rule(
      identifier, .error, about: .template, summary: summary, fix: fix, source: Source.template,
      isForceable: false
    ) { _, _ in [] }
  }
}
