import Credentials
import Testing

@Suite("Elements of DER")
struct DERItemTests {
  @Test("are read one after another")
  func reads() throws {
    let bytes: [UInt8] = [0x0C, 2, 0x61, 0x62, 0x30, 0x81, 1, 0xFF, 5, 0]
    try bytes.withUnsafeBytes { bytes in
      let items = try #require(DERItem.wholeItems(in: bytes[...]))
      #expect(items.map(\.tag) == [0x0C, DERItem.sequence, 5])
      #expect(items.map { Array($0.content) } == [[0x61, 0x62], [0xFF], []])
      #expect(items.map(\.text) == ["ab", nil, nil])
    }
  }

  static let broken: [(name: String, bytes: [UInt8])] = [
    ("no length", [0x0C]), ("too little content", [0x0C, 2, 0x61]),
    ("an endless length", [0x30, 0x80, 0, 0]), ("a length without bytes", [0x0C, 0x82, 1]),
    ("a length past any certificate", [0x0C, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]),
    ("a tag of several bytes", [0x1F, 0x81, 1, 0]),
  ]

  @Test("are refused where all have to be whole", arguments: broken)
  func refuses(_ row: (name: String, bytes: [UInt8])) {
    row.bytes.withUnsafeBytes { bytes in
      #expect(DERItem.wholeItems(in: bytes[...])?.isEmpty == nil)
    }
  }
}
