import CommandLineKit
import TestSupport
import Testing

@Suite("The manual page")
struct ManualPageTests {
  private let page = ManualPage.text(of: kettle.description, date: "May 3, 2026")

  @Test("the page is as recorded")
  func recorded() throws { try expectSnapshot(page, "kettle.1") }

  @Test("groff renders it without a warning", .needs("groff"))
  func groff() throws {
    let text = try withFile("kettle.1", page) {
      try output(of: "groff", "-mdoc", "-ww", "-Tutf8", "-P-cbou", $0)
    }
    #expect(!text.contains("warning") && !text.contains("error"))
    #expect(text.contains("-t, --temperature N"))
    #expect(text.contains("brew by a recipe") || text.contains("Brew by a recipe"))
  }

  @Test("mandoc finds nothing to complain about", .needs("mandoc"))
  func mandoc() throws {
    #expect(try withFile("kettle.1", page) { try output(of: "mandoc", "-Tlint", $0) } == "")
  }

  @Test("words that roff would obey are shown as they are")
  func escapes() throws {
    var tool = Tool("pot", "In a pot it's .hot.", version: "1", commands: [])
    tool.discussion = ".Sh NOT A SECTION\\fB 'quoted' `so` été…"
    let text = ManualPage.text(of: tool.description, date: "May 3, 2026")
    #expect(text.contains("\n\\&.Sh NOT A SECTION\\efB \\(aqquoted\\(aq \\(gaso\\(ga "))
    #expect(text.contains(" \\[u00E9]t\\[u00E9]\\[u2026]\n"))
    #expect(text.contains("\n.Nd \\&in \\&a \\&pot it\\(aqs .hot\n"))
  }
}
