import APNS
import JSONText
import Testing

@Suite struct JSONSyntaxMessageTests {
  @Test(
    "Text that is not JSON is told what is wrong with it",
    arguments: [
      ("", "The text is empty."),
      ("{\"a\":1,\n\"a\":2}", "The key \"a\" was written before, in line 1."),
      ("{\"a\" 1}", "\"1\" stands where a colon has to."),
      ("[1,]", "Trailing comma before the closing bracket."),
      ("{a:1}", "The key \"a\" has no quotes."),
      ("[\"", "The text ends where a closing quote has to stand."),
      ("[\"a\u{1}\"]", #"A string holds "\u{1}" unescaped."#),
      ("[\"\\ud800\"]", #"\ud800 is half of a surrogate pair."#),
      ("[01]", "The number \"01\" begins with a zero."),
      ("[yes]", "\"yes\" is neither true, false nor null."),
      ("{} x", "\"x\" follows the value."),
    ])
  func message(text: String, message: String) throws {
    let error = try #require(throws: JSONSyntaxError.self) { try JSONReader().read(text) }
    #expect(error.message == message)
  }
}
