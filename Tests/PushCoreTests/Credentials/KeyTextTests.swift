import Foundation
import PushCore
import Testing

@Suite("The forms a key is kept in")
struct KeyTextTests {
  private static let pem = "-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n"

  @Test("PEM text is taken as it is")
  func plain() {
    #expect(KeyText.form(of: Self.pem) == .pem(Array(Self.pem.utf8)))
  }

  @Test("PEM on one line with \\n gets its lines back")
  func folded() {
    let line = Self.pem.replacing("\n", with: "\\n")
    #expect(KeyText.form(of: line) == .pem(Array(Self.pem.utf8)))
  }

  @Test("Base64 of PEM is decoded, with or without line ends")
  func base64() {
    let data = Data(Self.pem.utf8)
    for options: Data.Base64EncodingOptions in [[], .lineLength76Characters] {
      let text = data.base64EncodedString(options: options)
      #expect(KeyText.form(of: text) == .pem(Array(Self.pem.utf8)))
    }
  }

  @Test(
    "Everything else is a path",
    arguments: ["AuthKey_ABC123DEFG.p8", "/etc/keys/a.p8", "", "keys", "QUJD"])
  func paths(_ text: String) {
    #expect(KeyText.form(of: text) == .path(text))
  }
}
