import Testing

@testable import APNS

@Suite("The values of a row, encoded")
struct TemplateValuesTests {
  private static let samples: [[RowValue]] = [
    [], [.missing], [.text("")], [.text("Ada"), .missing, .json("[1, 2]"), .json("null")],
    [.text(String(repeating: "x", count: 31)), .text(String(repeating: "y", count: 32))],
    [.json("\"" + String(repeating: "é", count: 5000) + "\""), .bytes([0, 0xFF, 0x80])],
  ]

  private func values(_ row: [RowValue]) -> TemplateValues {
    let names = row.indices.map { "\($0)" }
    return TemplateValues(Dictionary(uniqueKeysWithValues: zip(names, row)), for: names)
  }

  private func encoded(_ row: [RowValue]) -> [UInt8] {
    var bytes: [UInt8] = []
    values(row).encode(first: row.count, into: &bytes)
    return bytes
  }

  /// Nil where they are refused.
  private func decoded(_ bytes: [UInt8]) -> [String]? {
    var values = values([.text("of the row before")])
    guard bytes.withUnsafeBufferPointer({ values.decode($0) }) else { return nil }
    return described(values)
  }

  private func described(_ values: TemplateValues) -> [String] {
    (0..<values.count).map { index in values.withValue(at: index) { "\($0) \(Array($1))" } }
  }

  @Test("are read as they were", arguments: samples)
  func roundTrip(row: [RowValue]) {
    #expect(decoded(encoded(row)) == described(values(row)))
  }

  @Test("have one form for ever")
  func form() {
    #expect(encoded([.text("ab"), .missing, .json("7")]) == [9, 0x61, 0x62, 0, 6, 0x37])
    #expect(encoded([.text(String(repeating: "z", count: 40))]).prefix(2) == [0xA1, 1])
  }

  @Test(
    "are refused when they end early, and when nothing writes such a thing",
    arguments: [
      [9], [9, 0x61], [0x80], [0x80, 0], [4, 0x61], [3], [7, 0x61],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7D],
      [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
    ] as [[UInt8]])
  func damage(bytes: [UInt8]) {
    #expect(decoded(bytes) == nil)
  }
}
