import APNS
import POSIX
import TestSupport
import Testing

@testable import Reporting

@Suite("Links")
struct HyperlinkTests {
  private static let (start, middle, end) = ("\u{1b}]8;;", "\u{1b}\\", "\u{1b}]8;;\u{1b}\\")

  /// With links, without colors.
  private static let style = Style(hasColor: false, hasLinks: true)

  private func linked(_ text: String, _ address: String) -> String {
    Self.start + address + Self.middle + text + Self.end
  }

  @Test("are around their texts, also where a text is wrapped or cut, and nowhere else")
  func texts() {
    let text: StyledText = "see \("two words", link: "a:b") now"
    #expect(Self.style.of(text) == "see \(linked("two words", "a:b")) now")
    let lines = text.wrapped(at: 9).map(Self.style.of)
    #expect(lines == ["see \(linked("two", "a:b"))", "\(linked("words", "a:b")) now"])
    #expect(text.wrapped(at: 80).map(Self.style.of) == [Self.style.of(text)])
    #expect(Self.style.of(text.cut(to: 8)) == "see " + linked("two", "a:b") + "…")
    #expect(Style(hasColor: false).of(text) == "see two words now")
  }

  @Test("hold no character that a terminal obeys")
  func harmless() {
    let text = Self.style.linked("a", "b\u{7}c\u{1b}\\d")
    #expect(text.unicodeScalars.filter { $0.value < 32 }.count == 4)
  }

  @Test("of a problem lead to the line of its file, and to the page that documents its rule")
  func problems() throws {
    try withTemporaryFolder { folder in
      let path = try folder.write("a b.json", "{}")
      let problem = Problem(
        .error, rule: "key-kind", at: .payload(PayloadPath().key("aps")), from: .file(path),
        message: "Wrong.",
        fix: "Mend it.")
      let text = ReportText(style: Self.style).text(of: [.problems(key: "problems", [problem])])
      let real = path.replacing(" ", with: "%20")
      let host = ProcessFacts.hostName ?? ""
      #expect(text.hasPrefix(linked(path, "file://\(host)\(real)")))
      let page =
        "https://developer.apple.com/documentation/usernotifications/"
        + "generating-a-remote-notification"
      #expect(text.contains("[" + linked("key-kind", page) + "]"))
      #expect(Hyperlink.file(path, line: 12)?.hasSuffix("/a%20b.json#12") == true)
      #expect(Hyperlink.file("--payload", line: 1) == nil)
    }
  }

  @Test("lead from every rule and reason to a page of Apple's, or nowhere")
  func pages() {
    let rules = RuleTable.all.compactMap { Hyperlink.rule($0.identifier) }
    let reasons = Reason.table.compactMap { Hyperlink.reason($0.reason) }
    #expect(rules.count > 50 && reasons.count > 20)
    for page in Set(rules + reasons) {
      let form = /https:\/\/developer\.apple\.com\/documentation\/[a-z]+\/[a-z0-9-]+/
      #expect(page.wholeMatch(of: form) != nil, "\(page)")
    }
    #expect(Hyperlink.rule("payload-json") == nil && Hyperlink.rule("no-such-rule") == nil)
  }
}
