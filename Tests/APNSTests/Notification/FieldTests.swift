import APNS
import Testing

@Suite struct FieldTests {
  @Test("The three priorities are read, and nothing else", arguments: [10, 5, 1])
  func priorities(number: Int) {
    #expect(Priority(String(number))?.rawValue == number)
  }

  @Test(
    "A number that is no priority is refused", arguments: ["", "0", "2", "010", " 5", "+5", "five"])
  func notAPriority(text: String) {
    #expect(Priority(text) == nil)
  }

  @Test("A collapse id may have 64 bytes, counted in UTF-8")
  func collapseID() throws {
    #expect(try CollapseID(String(repeating: "é", count: 32)).text.utf8.count == 64)
    #expect(throws: CollapseIDError.tooLong(66)) {
      try CollapseID(String(repeating: "é", count: 33))
    }
  }

  @Test(
    "A collapse id that cannot be a header value is refused",
    arguments: [
      ("", CollapseIDError.empty),
      ("a\r\nb", .controlCharacter("\r")),
      ("a\u{7F}", .controlCharacter("\u{7F}")),
      ("a\u{85}", .controlCharacter("\u{85}")),
      ("a\u{2028}", .controlCharacter("\u{2028}")),
      (" a", .surroundingSpace),
    ])
  func badCollapseID(text: String, error: CollapseIDError) {
    #expect(throws: error) { try CollapseID(text) }
  }

  @Test("A header's name is lowered and its value kept")
  func headerField() throws {
    let field = try HeaderField(HeaderName("APNS-New"), "a b~!")
    #expect(field.name.text == "apns-new")
    #expect(field.value == "a b~!")
  }

  @Test(
    "A header's name is made of token characters",
    arguments: [
      ("", HeaderFieldError.emptyName), (":path", .nameCharacter(":")),
      ("a b", .nameCharacter(" ")), ("a\n", .nameCharacter("\n")), ("ä", .nameCharacter("ä")),
    ])
  func badName(text: String, error: HeaderFieldError) {
    #expect(throws: error) { try HeaderName(text) }
  }

  @Test(
    "A header's value cannot break out of its line",
    arguments: [
      ("a\r\nb: c", HeaderFieldError.valueCharacter("\r")), ("a\0", .valueCharacter("\0")),
      ("a\tb", .valueCharacter("\t")), ("ä", .valueCharacter("ä")), (" a", .surroundingSpace),
      ("a ", .surroundingSpace), (String(repeating: "a", count: 4097), .valueTooLong(4097)),
    ])
  func badValue(text: String, error: HeaderFieldError) {
    #expect(throws: error) { try HeaderField(.topic, text) }
  }

  @Test("A push type newer than this tool keeps its text")
  func unknownPushType() {
    #expect(PushType(rawValue: "telepathy")?.rawValue == "telepathy")
    #expect(PushType(rawValue: "telepathy")?.info == nil)
  }

  @Test("A push type is visible ASCII", arguments: ["", "a b", "a\n", "ä"])
  func badPushType(text: String) {
    #expect(PushType(rawValue: text) == nil)
  }
}
