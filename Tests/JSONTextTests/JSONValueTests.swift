import JSONText
import Testing

@Suite("Values")
struct JSONValueTests {
  @Test("A number keeps its spelling and still counts")
  func numbers() throws {
    #expect(JSONNumber(parsing: "12")?.int == 12)
    #expect(JSONNumber(parsing: "-0")?.int == 0)
    #expect(JSONNumber(parsing: "9223372036854775808")?.int == nil)
    #expect(JSONNumber(parsing: "1.0")?.int == nil)
    #expect(JSONNumber(parsing: "1e3")?.int == nil)
    #expect(JSONNumber(parsing: "1e3")?.double == 1000)
    #expect(JSONNumber(parsing: "1e999")?.double == .infinity)
    #expect(JSONNumber(parsing: "2.50")?.text == "2.50")
  }

  @Test("Only a strict number is parsed", arguments: ["", " 1", "1 ", "+1", "01", "\"1\"", "1,"])
  func notNumbers(text: String) {
    #expect(JSONNumber(parsing: text) == nil)
  }

  @Test("A double becomes a number unless it is not finite")
  func doubles() {
    #expect(JSONNumber(double: 0.1)?.text == "0.1")
    #expect(JSONNumber(double: .nan) == nil)
    for double in [1e300, 2.5e-308, -1e-7, 1e20] {
      #expect(JSONNumber(double: double).flatMap { JSONNumber(parsing: $0.text) }?.double == double)
    }
  }

  @Test("Setting a key keeps its place, adds it, or removes it")
  func objectSubscript() {
    var object = JSONObject([JSONMember(key: "a", value: 1), JSONMember(key: "b", value: 2)])
    object["a"] = 3
    object["c"] = 4
    object["b"] = nil
    object["d"] = nil
    #expect(JSON(.object(object)).encodedString() == #"{"a":3,"c":4}"#)
    #expect(object.keys == ["a", "c"])
  }

  @Test("Of members with the same key the last counts, at the place of the first")
  func lastMemberCounts() {
    let value: JSON = ["a": 1, "b": 2, "a": 3]
    #expect(value.encodedString() == #"{"a":3,"b":2}"#)
  }
}
