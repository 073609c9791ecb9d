import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing
import Tools

@Suite("The schemas")
struct SchemaTests {
  private static let folder = projectFolder.appending(path: "docs/schemas")

  @Test("in docs/schemas are what the shapes say", arguments: DescribedFormat.allCases)
  func recorded(_ format: DescribedFormat) throws {
    let name = format == .config ? "fanfare" : format.rawValue
    let text = String(decoding: format.schema, as: UTF8.self)
    try expectSnapshot(text, in: Self.folder.appending(path: "\(name).schema.json"))
  }

  @Test("have no key that no page of the documentation names", arguments: DescribedFormat.allCases)
  func documented(_ format: DescribedFormat) throws {
    if [.scenario, .config].contains(format) { return }
    let docs = projectFolder.appending(path: "docs")
    let pages = try FileManager.default.contentsOfDirectory(atPath: docs.path).filter {
      $0.hasSuffix(".md")
    }
    let words = try Set(
      pages.flatMap { page in
        try String(contentsOf: docs.appending(path: page), encoding: .utf8)
          .split { !$0.isLetter && !$0.isNumber }
      })
    let keys = JSONSchema(try JSONReader().read(format.schema)).keys
    let unnamed = keys.filter { key in
      let name = key.split(separator: ".").last?.drop { $0 == "$" }
      return name.map(words.contains) != true
    }
    #expect(unnamed == [])
  }

  @Test("offer commands to the user's own file, and to no scenario")
  func commands() {
    let texts = [DescribedFormat.scenario, .config].map {
      String(decoding: $0.schema, as: UTF8.self)
    }
    #expect(texts.map { $0.contains("\"command\"") } == [false, true])
  }

  /// Another program that knows JSON Schema.
  private static let validator = PythonPackages(
    ["jsonschema==4.23.0"], folder: "schema-validator", proof: "import jsonschema")

  @Test("take every scenario that ships", .needs(validator))
  func scenarios() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: projectFolder.appending(path: "scenarios").path
    ).filter { $0.hasSuffix(".json5") }
    #expect(!files.isEmpty)
    for file in files {
      let path = projectFolder.appending(path: "scenarios/\(file)").path
      try expect(path, fits: "scenario.schema.json", true)
    }
  }

  static let texts: [(schema: String, text: String, isGood: Bool)] = [
    ("scenario.schema.json", "{steps: [{wait: '2s'}, {notification: {payload: 'a'}}]}", true),
    ("scenario.schema.json", "{notification: {payload: 'a', prority: 5}}", false),
    ("scenario.schema.json", "{notification: {}, steps: []}", false),
    ("scenario.schema.json", "{credentials: {key: {command: ['op']}}}", false),
    ("scenario.schema.json", "{environment: 'prod'}", false),
    (
      "script.schema.json",
      "{rules: [{when: {nth: 1}, freeze: true, answer: {afterwards: {drop: 'fin'}}}]}", true
    ),
    ("script.schema.json", "{rules: [{swallow: false}]}", false),
    ("script.schema.json", "{rules: [{reset: 'OOPS'}]}", false),
    ("script.schema.json", "{rules: [{drop: 'fin', swallow: true}]}", false),
    ("script.schema.json", "{settings: [{at: {errors: 3}, windowIncrement: 1}]}", true),
    ("scenario.schema.json", "{connections: 'auto'}", true),
    ("scenario.schema.json", "{connections: 64}", true),
    ("scenario.schema.json", "{connections: 65}", false),
    ("scenario.schema.json", "{connections: '4'}", false),
    (
      "fanfare.schema.json",
      "{default: 'a', profiles: {a: {credentials: {key: {command: ['op']}}, rate: '5/s'}}}", true
    ),
    ("fanfare.schema.json", "{profiles: {a: {credentials: {key: {command: []}}}}}", false),
    ("fanfare.schema.json", "{profiles: {a: {timeout: 5}}}", false),
    ("fanfare.schema.json", "{profiles: {a: {credentials: {teamID: 'x'}}}}", false),
  ]

  @Test("say of a text what this program says of it", .needs(validator), arguments: texts)
  func verdicts(_ row: (schema: String, text: String, isGood: Bool)) throws {
    try withFile("text.json5", row.text) { try expect($0, fits: row.schema, row.isGood) }
  }

  private static let script = """
    import json, sys
    from jsonschema import Draft202012Validator as V
    schema, value = (json.load(open(f)) for f in sys.argv[1:])
    V.check_schema(schema)
    print("good" if V(schema).is_valid(value) else "bad")
    """

  private func expect(_ path: String, fits schema: String, _ isGood: Bool) throws {
    let text = try Data(contentsOf: URL(filePath: path))
    let json = try JSONReader(.json5).read([UInt8](text))
    try withFile("value.json", json.encodedString(.compact)) { value in
      let file = Self.folder.appending(path: schema).path
      let said = try withTemporaryFolder {
        try Program(path: Self.validator.python, ["-c", Self.script, file, value], in: $0).finish()
      }
      #expect(said.output == (isGood ? "good\n" : "bad\n"), "\(path): \(said.errors)")
    }
  }
}
