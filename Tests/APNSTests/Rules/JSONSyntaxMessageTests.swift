import APNS
import JSONText
import Testing

@Suite struct JSONSyntaxMessageTests {
  @Test(
    "Text that is not JSON is told what is wrong with it",
    arguments: [
      ("", "The text is empty."),
      ("{\"a\":1,\n\"a\":2}", "Duplicate key \"a\", first used in line 1."),
      ("{\"a\" 1}", "Unexpected \"1\"; expected a colon."),
      ("[1,]", "Trailing comma before the closing bracket."),
      ("{a:1}", "The key \"a\" is not quoted."),
      ("[\"", "Unexpected end of text; expected a closing quote."),
      ("[\"a\u{1}\"]", #"A string contains an unescaped "\u{1}"."#),
      ("[\"\\ud800\"]", #"\ud800 is half of a surrogate pair."#),
      ("[01]", "The number \"01\" has a leading zero."),
      ("[yes]", "\"yes\" is not true, false or null."),
      ("{\u{A0}\"a\":1}", "Unexpected no-break space (U+00A0); expected a key."),
      ("[1\u{3000}]", "Unexpected ideographic space (U+3000); expected a comma or ]."),
      ("{}\u{200B}", "Unexpected zero width space (U+200B) after the value."),
      ("{} x", "Unexpected \"x\" after the value."),
    ])
  func message(text: String, message: String) throws {
    let error = try #require(throws: JSONSyntaxError.self) { try JSONReader().read(text) }
    #expect(error.message == message)
  }
}
