import APNS
import JSONText
import Testing

@Suite("The shape of a file")
struct FileShapeTests {
  static let shape = FileShape.object(
    ObjectShape(
      [
        FileKey("name", .text, isRequired: true, help: "A name."),
        FileKey("count", .integer(1...9), help: "How many."),
        FileKey("more", .integer(0 ... .max), help: "More."),
        FileKey("share", .ratio, help: "A share."),
        FileKey("wait", .timeSpan, help: "A time."),
        FileKey("is", .truth, help: "Whether."),
        FileKey("colour", .word(["red", "green"]), help: "A colour."),
        FileKey("tags", .array(.either([.text, .number])), help: "Tags."),
        FileKey("any", .map(.anything), help: "Anything."),
        FileKey("this", .text, help: "This."), FileKey("that", .text, help: "Or that."),
        FileKey("type", .openWord(["alert"]), help: "A type."),
      ], exclusive: [["this", "that"]]))

  static let good = [
    "{name: 'a'}",
    "{name: 'a', count: 9, more: 12345, share: 0.5, wait: '15m', is: true, colour: 'red'}",
    "{name: 'a', count: 9.0, tags: ['x', 7], any: {'odd key': null}, this: 'a', type: 'hologram'}",
  ]

  @Test("takes what fits", arguments: good)
  func fits(_ text: String) throws {
    #expect(try problems(text).isEmpty)
  }

  static let bad: [(text: String, place: String, says: String)] = [
    ("{}", "name", "'name' is missing"),
    ("{name: 'a', nmae: 1}", "nmae", "Did you mean 'name'?"),
    ("{name: 'a', zzzz: 1}", "zzzz", "use one of: name, count"),
    ("{name: 7}", "name", "a number, not text"),
    ("{name: 'a', count: 10}", "count", "from 1 to 9"),
    ("{name: 'a', count: 1.5}", "count", "whole number"),
    ("{name: 'a', more: -1}", "more", "of at least 0"),
    ("{name: 'a', share: 1.01}", "share", "from 0 to 1"),
    ("{name: 'a', wait: '2 s'}", "wait", "duration"),
    ("{name: 'a', wait: '25h'}", "wait", "at most a day"),
    ("{name: 'a', is: 'yes'}", "is", "text, not true or false"),
    ("{name: 'a', colour: 'gren'}", "colour", "Did you mean 'green'?"),
    ("{name: 'a', colour: 'mauve'}", "colour", "Write red or green."),
    ("{name: 'a', tags: 'x'}", "tags", "text, not an array"),
    ("{name: 'a', tags: ['x', {}]}", "tags[1]", "an object, not text or a number"),
    ("{name: 'a', any: []}", "any", "an array, not an object"),
    ("{name: 'a', this: 'x', that: 'y'}", "that", "cannot be used together"),
    ("['a']", "sample", "an array, not an object"),
  ]

  @Test("tells what does not fit, where, and what to do", arguments: bad)
  func misfits(_ row: (text: String, place: String, says: String)) throws {
    let found = try problems(row.text)
    #expect(found.count == 1)
    let problem = try #require(found.first)
    #expect(problem.place == .other(row.place))
    #expect("\(problem.message) \(problem.fix)".contains(row.says), "\(problem)")
  }

  @Test("makes a JSON Schema")
  func schema() throws {
    let schema = try JSONReader().read(Self.shape.schema(titled: "Sample"))
    #expect(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["required"] == ["name"] && schema["additionalProperties"] == false)
    let properties = schema["properties"]
    #expect(properties?["name"] == ["description": "A name.", "type": "string"])
    #expect(properties?["count"]?["maximum"] == 9 && properties?["more"]?["maximum"] == nil)
    #expect(properties?["colour"]?["enum"] == ["red", "green"])
    #expect(properties?["tags"]?["items"]?["anyOf"] == [["type": "string"], ["type": "number"]])
    #expect(schema["allOf"] == [["not": ["required": ["this", "that"]]]])
  }

  private func problems(_ text: String) throws -> [Problem] {
    let problems = ProblemList(file: "a.json5", kind: "sample")
    _ = try problems.read(Array(text.utf8), as: Self.shape)
    return problems.list
  }
}
