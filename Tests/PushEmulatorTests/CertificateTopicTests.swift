import Testing

@testable import PushEmulator

@Suite("The topics that a certificate lists")
struct CertificateTopicTests {
  @Test("reads a list of topics with and without labels, and a text with commas")
  func topics() {
    let list: [UInt8] = [0x30, 8, 0x0C, 1, 0x61, 0x30, 0, 0x0C, 1, 0x62]
    #expect(PresentedCertificate.topics(inExtension: list) == ["a", "b"])
    let text: [UInt8] = [0x0C, 5] + Array("a, b,".utf8)
    #expect(PresentedCertificate.topics(inExtension: text) == ["a", "b"])
    #expect(PresentedCertificate.topics(inExtension: [0x30, 0]) == [])
  }

  @Test(
    "refuses a list of anything else",
    arguments: [
      [], [5, 0], [0x30, 2, 5, 0], [0x30, 0, 0x30, 0], [0x0C, 1, 0xFF], [0x30, 2, 0x0C],
    ]
      as [[UInt8]])
  func brokenTopics(_ bytes: [UInt8]) {
    #expect(PresentedCertificate.topics(inExtension: bytes) == nil)
  }
}
