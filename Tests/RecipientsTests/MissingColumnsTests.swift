import APNS
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import Recipients

@Suite("Columns that are needed", .timeLimit(.minutes(15)))
struct MissingColumnsTests {
  private let folder: KeptFolder

  init() throws { folder = try KeptFolder() }

  /// Opens lists as a run does that begins.
  private func error(
    _ sources: [RecipientSource], needing names: [String] = ["name"], listed: [String] = [],
    refuses: Bool = true
  ) -> ListError? {
    do throws(ListError) {
      _ = try RecipientReader(
        sources, rendering: EchoRendering(names: ["name", "city"], needing: names),
        listed: listed, refusesMissing: refuses)
      return nil
    } catch {
      return error
    }
  }

  static let lists: [(name: String, text: String, missing: [String]?, found: [String])] = [
    ("a.csv", "token,name\nab12,Ada\n", nil, []),
    ("a.csv", "token,Name\nab12,Ada\n", ["name"], ["token", "Name"]),
    ("a.csv", "name;device_token\n;ab12\n", nil, []),
    ("a.csv", "token,,city\nab12,,\n", ["name"], ["token", "city"]),
    ("a.txt", "ab12\n", ["name"], []),
    ("a.jsonl", #"{"token":"ab12"}"#, nil, []),
  ]

  @Test(
    "are looked for when a list is opened; each object of JSON Lines has its own", arguments: lists)
  func opened(_ row: (name: String, text: String, missing: [String]?, found: [String])) throws {
    let list = RecipientSource.file(try folder.file(row.name, row.text))
    let missing = row.missing.map { MissingColumns(variables: $0, found: row.found) }
    #expect(error([list])?.fault == missing.map { .missingColumns($0) })
    #expect(error([list], needing: []) == nil)
    #expect(error([list], refuses: false) == nil)
  }

  @Test("are looked for in every list, and single device tokens have none")
  func everyList() throws {
    let tokens = RecipientSource.tokens([try DeviceToken("ab12")])
    let good = RecipientSource.file(try folder.file("good.csv", "token,name\nab12,\n"))
    let bad = try ["b.csv", "c.csv"].map { name in
      RecipientSource.file(try folder.file(name, "token,nmae\nab12,\n"))
    }
    #expect(error([tokens, good]) == nil)
    let found = try #require(error([good, bad[0], tokens, bad[1], bad[0]]))
    #expect(found.list == bad[0].name && found.others.map(\.list) == [bad[1].name])
  }

  @Test("are found in the header row of a pipe before anything is read of it")
  func pipe() throws {
    let pipe = try SilentPipe(Array("token,nmae\nab12,Ada\n".utf8), name: "pipe.csv")
    let missing = MissingColumns(variables: ["name"], found: ["token", "nmae"])
    #expect(error([.file(pipe.path)])?.fault == .missingColumns(missing))
  }

  @Test("in results have to be there too, and the device token is none of them")
  func listed() throws {
    let list = RecipientSource.file(try folder.file("a.csv", "token,name\nab12,\n"))
    let missing = MissingColumns(variables: [], listed: ["id"], found: ["token", "name"])
    #expect(error([list], listed: ["id", "name"])?.fault == .missingColumns(missing))
    #expect(error([list], listed: ["name"]) == nil)
    #expect(error([list], listed: ["token"]) != nil)
  }

  @Test("in results are kept beside each recipient, with their JSON types")
  func values() throws {
    let sources = [
      RecipientSource.tokens([try DeviceToken("ab12")]),
      .file(try folder.file("a.csv", "id,token,name\n7,cd34,\"A, b\"\n,ef56,\n")),
      .file(try folder.file("b.jsonl", #"{"token":"aa11","id":7,"name":[1]}"#)),
    ]
    var reader = try RecipientReader(
      sources, rendering: EchoRendering(names: ["name"]), listed: ["name", "id"])
    var values: [String] = []
    while let chunk = try reader.next() {
      for index in 0..<chunk.count {
        #expect(chunk.withPayload(at: index) { $0.isEmpty } == false)
        for column in 0..<2 {
          chunk.withListed(column, at: index) { kind, bytes in
            values.append("\(kind) " + String(decoding: bytes, as: UTF8.self))
          }
        }
        #expect(chunk.withListed(2, at: index) { _, _ in true } == nil)
      }
    }
    #expect(
      values == [
        "missing ", "missing ", "text A, b", "text 7", "text ", "text ", "json [1]", "json 7",
      ])
  }

  @Test("in results go along when pushes are sent again, whatever they are called")
  func resent() throws {
    let number = try #require(RunNumber(rawValue: 1))
    var writer = ResentListWriter(of: number, scratchFolder: folder.path)
    var values = TemplateValues()
    Array("Ada".utf8).withUnsafeBufferPointer { values.append(.text, $0) }
    Array("7".utf8).withUnsafeBufferPointer { values.append(.json, $0) }
    writer.add(
      token: "ab12", sequence: 4, registered: nil, columns: ["payload", "sequence"],
      values: values)
    writer.add(token: "cd34", sequence: 5, registered: nil, columns: ["payload", "sequence"])
    var reader = try RecipientReader(
      [.resent(try writer.finish())], listed: ["payload", "sequence"], refusesMissing: true)
    let chunk = try #require(try reader.next())
    let read = [0, 1].flatMap { index in
      [0, 1].map { column in
        chunk.withListed(column, at: index) { "\($0) " + String(decoding: $1, as: UTF8.self) }
      }
    }
    #expect(read == ["text Ada", "json 7", "missing ", "missing "])
    #expect(chunk.line(at: 0) == 4)
  }
}
