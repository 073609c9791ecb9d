import PlainText
import Testing

@Suite("The width of a text")
struct DisplayWidthTests {
  @Test(
    "is that of its characters on a terminal, an emoji of several scalars being one",
    arguments: [
      ("", 0), ("plain", 5), ("Grüße", 5), ("e\u{301}", 1), ("\u{301}", 0), ("長い", 4), ("한", 2),
      ("Ａ", 2), ("🎺", 2), ("👩‍👩‍👧", 2), ("👍🏽", 2), ("🇫🇷", 2), ("🏳️‍🌈", 2), ("❤️", 2), ("❤", 1),
      ("1️⃣", 2), ("a🎺b", 4),
    ])
  func columns(text: String, width: Int) {
    #expect(text.columns == width)
  }
}
