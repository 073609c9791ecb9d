import Testing

@testable import PushEmulator

@Suite("DERReader")
struct DERReaderTests {
  @Test("reads element after element")
  func reads() throws {
    var reader = DERReader([0x0C, 2, 0x61, 0x62, 0x30, 0x81, 1, 0xFF, 5, 0])
    let (text, list, null) = try (reader.next(), reader.next(), reader.next())
    #expect(text?.text == "ab")
    #expect(list?.tag == DERReader.Element.sequence && list?.content == [0xFF])
    #expect(null?.tag == 5 && null?.content.isEmpty == true && null?.text == nil)
    #expect(try reader.next() == nil)
  }

  static let broken: [(name: String, bytes: [UInt8])] = [
    ("no length", [0x0C]), ("too little content", [0x0C, 2, 0x61]),
    ("an endless length", [0x30, 0x80, 0, 0]), ("a length without bytes", [0x0C, 0x82, 1]),
    ("a length past any certificate", [0x0C, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]),
    ("a tag of several bytes", [0x1F, 0x81, 1, 0]),
  ]

  @Test("refuses what is no DER", arguments: broken)
  func refuses(_ row: (name: String, bytes: [UInt8])) {
    var reader = DERReader(row.bytes)
    #expect(throws: DERReader.Broken.self) { try reader.next() }
  }

  @Test("reads a list of topics with and without labels, and a text with commas")
  func topics() throws {
    let list: [UInt8] = [0x30, 8, 0x0C, 1, 0x61, 0x30, 0, 0x0C, 1, 0x62]
    #expect(try ClientCertificate.topics(inExtension: list) == ["a", "b"])
    let text: [UInt8] = [0x0C, 5] + Array("a, b,".utf8)
    #expect(try ClientCertificate.topics(inExtension: text) == ["a", "b"])
    #expect(try ClientCertificate.topics(inExtension: [0x30, 0]) == [])
  }

  @Test(
    "refuses a list of anything else",
    arguments: [
      [], [5, 0], [0x30, 2, 5, 0], [0x30, 0, 0x30, 0], [0x0C, 1, 0xFF], [0x30, 2, 0x0C],
    ]
      as [[UInt8]])
  func brokenTopics(_ bytes: [UInt8]) {
    #expect(throws: DERReader.Broken.self) { try ClientCertificate.topics(inExtension: bytes) }
  }
}
