import Credentials
import Testing

@Suite("Base64url")
struct Base64URLTests {
  @Test("decodes what it encoded", arguments: 0..<40)
  func decodes(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 200) }
    #expect(Base64URL.decode(Base64URL.encode(bytes).utf8) == bytes)
  }

  @Test(
    "refuses other texts", arguments: ["A", "AA=", "AA==", "AB", "A+AA", "A/AA", "AA A", "AAé"])
  func refuses(_ text: String) {
    #expect(Base64URL.decode(text.utf8) == nil)
  }

  @Test("takes plain base64 where people paste it", arguments: ["-_8", "+/8=", "-/8", "+_9"])
  func loosely(_ text: String) {
    #expect(Base64URL.decodeLoosely(text.utf8) == [0xFB, 0xFF])
    #expect(Base64URL.decodeLoosely("".utf8) == nil && Base64URL.decodeLoosely("A A".utf8) == nil)
  }
}
