/// The rules as a page for people.
public enum RuleDocumentation {
  /// A page in Markdown with a row for each rule of ``RuleTable/all``, in its order. It ends in a
  /// line feed.
  public static var markdown: String {
    let payload = RuleTable.all.filter { $0.subject == .payload }
    let simulator = RuleTable.all.filter { $0.subject == .simulator }
    let templates = RuleTable.all.filter { $0.subject == .template }
    let headers = RuleTable.all.filter {
      ![.payload, .simulator, .template].contains($0.subject)
    }
    return introduction + section("Headers", headers) + section("Payload", payload)
      + section("Simulator", simulator) + section("Templates", templates)
  }

  private static let introduction = """
    # Rules

    Everything a notification is held to before it is sent. This page is made from the table in
    `Sources/APNS/Rules`; `RECORD_SNAPSHOTS=1 swift test --filter RuleDocumentation` writes it anew.

    A broken rule of severity error keeps a notification from being sent, unless `--force` says
    otherwise; the rules marked with an asterisk cannot be forced. A warning is only told. The
    answer is what APNs gives to a push that breaks the rule: often nothing at all, and then the
    push is accepted and lost, or shown without the part that is wrong. Where no source tells the
    answer it is unknown.

    """

  private static func section(_ title: String, _ rules: [Rule]) -> String {
    let head = """

      ## \(title)

      | rule | severity | what has to hold | fix | APNs' answer | source |
      | --- | --- | --- | --- | --- | --- |

      """
    return head + rules.map(row).joined()
  }

  private static func row(_ rule: Rule) -> String {
    let cells = [
      "`\(rule.identifier)`", rule.severity.rawValue + (rule.isForceable ? "" : "*"),
      rule.summary, rule.fix, answer(rule), rule.source,
    ]
    return "| " + cells.map(escaped).joined(separator: " | ") + " |\n"
  }

  private static func answer(_ rule: Rule) -> String {
    if let reason = rule.reason { return "`\(reason.rawValue)`" }
    if !rule.isForceable || rule.subject == .simulator { return "never asked" }
    return rule.isAnswerKnown ? "nothing" : "unknown"
  }

  private static func escaped(_ cell: String) -> String {
    cell.map { "|\\*<".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
