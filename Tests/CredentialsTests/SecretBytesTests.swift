import Credentials
import Testing

@Suite("Secret bytes")
struct SecretBytesTests {
  @Test("keep nothing of what was written and not counted", arguments: [0, 3, 8])
  func rest(_ count: Int) throws {
    var written: UnsafeMutableRawBufferPointer?
    let secret = SecretBytes(capacity: 8) { buffer in
      buffer.copyBytes(from: Array(1...8))
      written = buffer
      return count
    }
    // The buffer lives as long as its owner.
    try withExtendedLifetime(secret) {
      let buffer = try #require(written)
      #expect(Array(buffer) == Array(1...8).prefix(count) + Array(repeating: 0, count: 8 - count))
    }
  }

  @Test("show their count alone")
  func description() {
    let secret = SecretBytes("hunter2")
    #expect("\(secret)" == "secret of 7 bytes")
    #expect(!String(reflecting: secret).contains("hunter"))
  }
}
