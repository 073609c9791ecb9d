import PlainText
import Testing

@Suite("Bytes in hexadecimal")
struct HexadecimalTests {
  @Test("have two digits each, in the bytes' order")
  func digits() {
    #expect(hexadecimal([0, 1, 0x0A, 0xA0, 0xFF]) == "00010aa0ff")
    #expect(hexadecimal([]) == "")
  }
}
