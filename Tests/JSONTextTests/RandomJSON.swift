import JSONText

extension SeededRandom {
  /// A value of any kind, at most `depth` levels deep.
  mutating func json(depth: Int = 4) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &self) {
    case 0: nil
    case 1: JSON(.bool(Bool.random(using: &self)))
    case 2: JSON(.number(JSONNumber(Int64.random(in: .min ... .max, using: &self))))
    case 3: JSON(.number(double()))
    case 4, 5: JSON(.string(text()))
    case 6: JSON(.array((0..<size()).map { _ in json(depth: depth - 1) }))
    default: JSON(.object(object(depth: depth - 1)))
    }
  }

  /// Text with every kind of character that is written or read in its own way.
  mutating func text() -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...20, using: &self) { text.append(scalar()) }
    return String(text)
  }

  private mutating func scalar() -> Unicode.Scalar {
    let ranges: [ClosedRange<UInt32>] = [
      0...0x1F, 0x20...0x7F, 0x20...0x7F, 0x80...0x9F, 0x22...0x22, 0x5C...0x5C, 0xA0...0x7FF,
      0x200B...0x206F, 0x800...0xD7FF, 0xE000...0xFFFF, 0x10000...0x10FFFF,
    ]
    let range = ranges[Int.random(in: 0..<ranges.count, using: &self)]
    return Unicode.Scalar(UInt32.random(in: range, using: &self)) ?? " "
  }

  private mutating func size() -> Int { Int.random(in: 0...12, using: &self) }

  private mutating func double() -> JSONNumber {
    JSONNumber(double: Double(bitPattern: next())) ?? JSONNumber(0)
  }

  private mutating func object(depth: Int) -> JSONObject {
    JSONObject((0..<size()).map { _ in JSONMember(key: text(), value: json(depth: depth)) })
  }
}
