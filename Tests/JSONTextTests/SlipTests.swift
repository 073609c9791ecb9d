import JSONText
import Testing

@Suite("Slips")
struct SlipTests {
  private typealias Reading = (reading: Result<JSON, JSONSyntaxError>, slips: [JSONSyntaxError])

  private func read(_ text: String, _ dialect: JSONReader.Grammar = .json) -> Reading {
    Array(text.utf8).withUnsafeBufferPointer { JSONReader(dialect).readPastSlips($0) }
  }

  @Test("Trailing commas and comments are told in order, and do not hide the value")
  func passedOver() throws {
    let (reading, slips) = read("[1, // one\n {\"a\": 2,},\n]")
    #expect(try reading.get() == [1, ["a": 2]])
    #expect(slips.map(\.kind) == [.comment, .trailingComma, .trailingComma])
    #expect(slips.map(\.position.line) == [1, 2, 2])
    #expect(throws: slips[0]) { try JSONReader().read("[1, // one\n {\"a\": 2,},\n]") }
  }

  @Test("Of a repeated key the last value counts, in both dialects", arguments: ["\"a\"", "a"])
  func repeated(_ key: String) throws {
    let dialect = key == "a" ? JSONReader.Grammar.json5 : .json
    let (reading, slips) = read("{\(key): 1, \"b\": 2, \(key): {}, \(key): 3}", dialect)
    #expect(try reading.get() == ["a": 3, "b": 2])
    let kind = JSONSyntaxError.Kind.duplicateKey("a", first: JSONPosition(line: 1, column: 2))
    #expect(slips.count == 2 && slips.first?.kind == kind)
    let many = "{\"a\":1" + String(repeating: ",\"a\":1", count: 101) + "}"
    let error = #expect(throws: JSONSyntaxError.self) { try read(many).reading.get() }
    #expect(error?.kind == .duplicateKey("a", first: JSONPosition(line: 1, column: 602)))
  }

  @Test("Any other error ends the reading, behind the slips before it")
  func ended() {
    let (reading, slips) = read("[1,], [2,]")
    let error = #expect(throws: JSONSyntaxError.self) { try reading.get() }
    #expect(error?.kind == .trailingContent(","))
    #expect(slips.map(\.kind) == [.trailingComma])
  }

  @Test("JSON5 has none, and of very many only the first are kept")
  func bounds() {
    #expect(read("[1, /* */ {a: 2,},]", .json5).slips.isEmpty)
    let many = "[" + String(repeating: "[1,],", count: 5000) + "1]"
    #expect(read(many).slips.count == 100)
  }
}
