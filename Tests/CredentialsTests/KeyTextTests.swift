import Credentials
import Foundation
import TestSupport
import Testing

@Suite("A key in a variable")
struct KeyTextTests {
  private static let pem = "-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n"

  private static func contents(of text: String) -> [UInt8]? {
    guard case .contents(let contents) = KeyText(text) else { return nil }
    return contents.array
  }

  @Test("PEM is taken as it is, whatever its line ends became", arguments: ["\n", "\\n", " "])
  func pem(_ end: String) {
    let text = Self.pem.replacing("\n", with: end)
    #expect(Self.contents(of: text) == Array(text.utf8))
  }

  @Test("Base64 of PEM or DER is taken, with or without line ends")
  func base64() throws {
    let folder = try KeptFolder.withKey()
    try openssl("pkey", "-in", "AuthKey.p8", "-outform", "DER", "-out", "key.der", in: folder)
    for data in [Data(Self.pem.utf8), Data(try folder.bytes("key.der"))] {
      for options: Data.Base64EncodingOptions in [[], .lineLength76Characters] {
        let text = data.base64EncodedString(options: options)
        #expect(Self.contents(of: text) == Array(text.utf8))
      }
    }
  }

  @Test("A provider token is taken, to be told what it is")
  func token() { #expect(Self.contents(of: "eyJh.eyJp.AAAA") != nil) }

  @Test(
    "What is plainly a key is never a path, however damaged",
    arguments: [
      "----- BEGIN PRIVATE KEY-----\\nMIGH", "—–BEGIN PRIVATE KEY—–", "LS0tLS1CRUdJTiBQUklWQVRF",
      "TFMwdExTMUNSVWRKVGlCUVVrbFdRVlJG", "MIGTAgEAMBMGByqGSM49", "MIGHAgEA", "MIGH\nAgEA",
    ])
  func damaged(_ text: String) { #expect(Self.contents(of: text) != nil) }

  @Test(
    "Everything else is a path",
    arguments: [
      "AuthKey_ABC123DEFG.p8", "/etc/keys/a.p8", "", "keys", "QUJD", "MIGHkeys", "MIIB",
      "MAMCAQE/keys",
    ])
  func paths(_ text: String) {
    guard case .path(let path) = KeyText(text) else {
      Issue.record("taken for a key")
      return
    }
    #expect(path == text)
  }
}
