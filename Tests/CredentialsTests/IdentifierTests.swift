import Credentials
import Testing

@Suite("Key ids and team ids")
struct IdentifierTests {
  @Test("Ten capital letters and digits are an id", arguments: ["ABC123DEFG", "0000000000"])
  func good(_ text: String) throws {
    #expect(try KeyID(text).text == text)
    #expect(try TeamID(text).text == text)
  }

  @Test(
    "Anything else is not, and the error says why",
    arguments: [
      ("", IdentifierError.wrongLength(0)),
      ("ABC123DEF", .wrongLength(9)),
      ("ABC123DEFGH", .wrongLength(11)),
      ("abc123DEFG", .badCharacter("a")),
      ("ABC 23DEFG", .badCharacter(" ")),
      ("ABC123DEF\n", .badCharacter("\n")),
      ("ABC123DEFÉ", .badCharacter("É")),
      ("ABC123DEF٣", .badCharacter("٣")),
    ])
  func bad(_ text: String, _ error: IdentifierError) {
    #expect(throws: error) { try KeyID(text) }
    #expect(throws: error) { try TeamID(text) }
  }

  @Test(
    "A file name as Apple gives it shows the key id",
    arguments: [
      ("AuthKey_ABC123DEFG.p8", "ABC123DEFG"),
      ("keys/AuthKey_ABC123DEFG.p8", "ABC123DEFG"),
      ("/AuthKey_X/APNSAuthKey_ABC123DEFG.p8", "ABC123DEFG"),
      ("AuthKey_ABC123DEFG.pem", nil),
      ("AuthKey_abc123defg.p8", nil),
      ("AuthKey_ABC123DEFG (1).p8", nil),
      ("authkey_ABC123DEFG.p8", nil),
      ("AuthKey_ABC123DEFG.p8/", "ABC123DEFG"),
      ("key.p8", nil),
      ("", nil),
    ])
  func fileNames(_ name: String, _ id: String?) {
    #expect(KeyID(fileName: name)?.text == id)
  }
}
