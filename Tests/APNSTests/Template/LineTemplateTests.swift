import Testing

@testable import APNS

@Suite("A line template")
struct LineTemplateTests {
  static let fields = ["token", "status", "reason"]

  /// Lines of a push that was rejected, and of one without an answer.
  static let lines: [(template: String, line: String, unanswered: String)] = [
    ("{{token}} {{status}}\\n", "0a1b 410\n", "0a1b \n"),
    ("{{token}} {{status}}", "0a1b 410\n", "0a1b \n"),
    ("{{token}}\n", "0a1b\n", "0a1b\n"),
    (#"{{status|default("-")}}\t{{reason|default('none')}}\n"#, "410\tGone\n", "-\tnone\n"),
    ("{{reason}}{{reason}}", "GoneGone\n", "\n"),
    ("{{ token }}: {{{{ok}}", "0a1b: {{ok}}\n", "0a1b: {{ok}}\n"),
    (#"a\\n\x\"#, "a\\n\\x\\\n", "a\\n\\x\\\n"),
    ("{{now}} {{now-1h}}", "7200 3600\n", "7200 3600\n"), ("", "\n", "\n"),
    ("{{token}}\\n\\n", "0a1b\n\n", "0a1b\n\n"),
  ]

  @Test("writes the fields that it names, and ends each line", arguments: lines)
  func writes(_ row: (template: String, line: String, unanswered: String)) throws {
    let template = try LineTemplate(row.template, fields: Self.fields, now: 7200)
    #expect(line(template, ["0a1b", "410", "Gone"]) == row.line)
    #expect(line(template, ["0a1b", "", ""]) == row.unanswered)
  }

  private func line(_ template: LineTemplate, _ values: [String]) -> String {
    var (bytes, ends): ([UInt8], [Int]) = ([], [])
    for value in values {
      bytes += Array(value.utf8)
      ends.append(bytes.count)
    }
    var line: [UInt8] = []
    template.write(bytes, ending: ends, into: &line)
    return String(decoding: line, as: UTF8.self)
  }

  static let broken: [(template: String, error: LineTemplateError)] = [
    ("{{tokn}}", .unknownField("tokn")), ("{{Token}}", .unknownField("Token")),
    ("{{status|number}}", .numberFilter),
    (
      "{{token",
      .malformed(
        message: PlaceholderFault.unclosed.message("{{token"),
        fix: PlaceholderFault.unclosed.fix ?? "")
    ),
  ]

  @Test("that cannot be read says why", arguments: broken)
  func refuses(_ row: (template: String, error: LineTemplateError)) {
    #expect(throws: row.error) { try LineTemplate(row.template, fields: Self.fields, now: 0) }
  }
}
