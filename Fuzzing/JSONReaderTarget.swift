import APNS
import JSONText

extension FuzzTarget {
  /// Reading in both dialects and writing in every style: what was read is written and read again
  /// to the same value, and every place is where it says.
  static let jsonReader = FuzzTarget("JSONReader") { bytes in
    let text = TextLines(bytes)
    for depth in [32, JSONReader.greatestDepth] {
      let strict = try read(bytes, text, JSONReader(.json, depthLimit: depth))
      let relaxed = try read(bytes, text, JSONReader(.json5, depthLimit: depth))
      try expect(strict == nil || strict == relaxed, "JSON5 reads JSON as JSON does")
    }
  }

  private static func read(
    _ bytes: [UInt8], _ text: TextLines, _ reader: JSONReader
  ) throws -> JSON? {
    switch Result(catching: { () throws(JSONSyntaxError) in try reader.read(bytes) }) {
    case .success(let value):
      try expectPlaces(of: value, in: text)
      for style in [JSONWriter.Style.compact, .pretty, .wire] {
        try expectRoundTrip(of: value, style)
      }
      return value
    case .failure(let error):
      try text.expectInside(error.position)
      try expectPrintable(error.message)
      return nil
    }
  }

  private static func expectRoundTrip(of value: JSON, _ style: JSONWriter.Style) throws {
    let written = value.encoded(style)
    let again = try JSONReader(depthLimit: JSONReader.greatestDepth).read(written)
    try expect(again == value, "what is written reads as it was", "\(style)")
    try expect(again.encoded(style) == written, "what is read is written as it was", "\(style)")
    if style != .wire {
      let steering = String(decoding: written, as: UTF8.self).unicodeScalars.first(where: \.steers)
      try expect(steering == nil, "\(style) is safe to print", "\(String(describing: steering))")
    }
  }

  private static func expectPlaces(of value: JSON, in text: TextLines) throws {
    let scalar = value.position.flatMap(text.scalar)
    try expect(
      value.mayBegin(with: scalar), "a value stands at its place",
      "\(value.kind) at \(String(describing: value.position))")
    for element in value.array ?? [] { try expectPlaces(of: element, in: text) }
    for member in value.object?.members ?? [] {
      let scalar = member.keyPosition.flatMap(text.scalar)
      try expect(scalar != nil, "a key stands at its place", member.key)
      try expectPlaces(of: member.value, in: text)
    }
  }
}

extension JSON {
  fileprivate func mayBegin(with scalar: Unicode.Scalar?) -> Bool {
    guard let scalar else { return false }
    switch content {
    case .null: return scalar == "n"
    case .bool(let bool): return scalar == (bool ? "t" : "f")
    case .number: return "+-.0123456789".unicodeScalars.contains(scalar)
    case .string: return scalar == "\"" || scalar == "'"
    case .array: return scalar == "["
    case .object: return scalar == "{"
    }
  }
}

extension Unicode.Scalar {
  /// Whether a terminal or a script would act on it. A text in several lines has line feeds.
  fileprivate var steers: Bool {
    switch properties.generalCategory {
    case .control: self != "\n"
    case .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}
