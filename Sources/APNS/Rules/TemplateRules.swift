extension RuleTable {
  /// The rules about placeholders, as written and when filled. Only a ``Template`` applies them:
  /// the filled text may contain braces like any other.
  static let templateRules: [Rule] = [
    templateRule(
      "placeholder-form", summary: "A placeholder is well formed.",
      fix: "Write {{name}}, {{name|number}} or {{name|default('text')}}."),
    templateRule(
      "placeholder-key", summary: "Placeholders are in values, not in keys.",
      fix: "Write out the key; a value can be a placeholder."),
    templateRule(
      "placeholder-unfilled", summary: "Every placeholder has a value.",
      fix: "Set it with --var, a column of the list, or {{name|default('…')}}."),
    templateRule(
      "placeholder-value", summary: "A value fits where its placeholder is.",
      fix: "Correct the value."),
  ]

  /// Converts findings to problems with one of these rules.
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
