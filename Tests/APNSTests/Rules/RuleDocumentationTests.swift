import APNS
import Foundation
import TestSupport
import Testing

@Suite struct RuleDocumentationTests {
  private static let page = URL(filePath: #filePath).appending(path: "../../../../docs/rules.md")
    .standardizedFileURL

  @Test("docs/rules.md is what the table says")
  func page() throws {
    try expectSnapshot(RuleDocumentation.markdown, in: Self.page)
  }

  @Test("Every rule has a row of seven cells")
  func rows() {
    let rows = RuleDocumentation.markdown.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.count == RuleTable.all.count)
    for row in rows {
      #expect(row.replacing("\\|", with: "").count { $0 == "|" } == 8, "\(row)")
    }
  }
}
