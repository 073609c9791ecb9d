import PlainText
import Testing

@Suite("Printable text")
struct PrintableTests {
  @Test(
    "Characters that a terminal would act on are written as their numbers",
    arguments: [
      ("plain", "plain"), ("Grüße 🎺", "Grüße 🎺"), ("\u{1b}[31m", "\\u{1b}[31m"),
      ("a\nb\r\u{7f}", "a\\u{a}b\\u{d}\\u{7f}"), ("\u{9b}1m", "\\u{9b}1m"),
      ("\u{202e}abc", "\\u{202e}abc"), ("\u{2028}", "\\u{2028}"), ("", ""),
      ("a\u{200d}b", "a\\u{200d}b"), ("\u{200d}", "\\u{200d}"), ("😀\u{200d}", "😀\\u{200d}"),
      ("a\u{e0061}", "a\\u{e0061}"), ("👩‍👩‍👧 🏳️‍🌈", "👩‍👩‍👧 🏳️‍🌈"),
      ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
    ])
  func printable(text: String, shown: String) {
    #expect(text.printable == shown)
  }
}
