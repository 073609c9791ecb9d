import APNS
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import Recipients

@Suite("Rows with payloads of their own", .timeLimit(.minutes(15)))
struct RenderedRowsTests {
  private let folder: KeptFolder

  init() throws { folder = try KeptFolder() }

  private func list(_ name: String, _ text: String) throws -> RecipientSource {
    .file(try folder.file(name, text))
  }

  @Test("Values come in the order of the names, from whatever the row has")
  func values() throws {
    let sources = [
      RecipientSource.tokens([try DeviceToken("ab12")]), try list("a.txt", "cd34\n"),
      try list("b.csv", "city,token,name\n,ef56,Ada\nRome,aa11,\n"),
      try list("c.jsonl", #"{"token":"bb22","name":1}"#),
    ]
    let reading = try ListReading(sources, rendering: EchoRendering(names: ["name", "city"]))
    #expect(
      reading.payloads == [
        "name missing, city missing", "name missing, city missing", "name text Ada, city text ",
        "name text , city text Rome", "name json 1, city missing",
      ])
  }

  @Test(
    "For a queue each row's values are kept, and are rendered later as they would have been now")
  func kept() throws {
    let echo = EchoRendering(names: ["name", "v"], needing: ["v"])
    let rows = ValueRows(for: echo)
    #expect(rows.names == ["name", "v"] && rows.neededNames == ["v"])
    var reader = try RecipientReader(
      [try list("a.csv", "token,v\nab12,ok\ncd34,bad\n"), .tokens([try DeviceToken("ee")])],
      rendering: rows)
    var (later, payloads, problems): ((any RowRendering)?, [String], [Bool]) = (echo, [], [])
    while let chunk = try reader.next() {
      var builder = PushChunkBuilder()
      for index in 0..<chunk.count {
        var values = TemplateValues()
        #expect(chunk.withPayload(at: index) { values.decode($0) } == true)
        chunk.withToken(at: index) { builder.append(token: $0, line: 1) }
        builder.render(values, &later)
      }
      let sent = builder.take()
      payloads += (0..<sent.count).compactMap { index in
        sent.withPayload(at: index) { String(decoding: $0, as: UTF8.self) }
      }
      problems += (0..<sent.count).map { sent.problems(at: $0) != nil }
      #expect(!chunk.hasProblems)
    }
    #expect(payloads == ["name missing, v text ok", "", "name missing, v missing"])
    #expect(problems == [false, true, false])
  }

  @Test("A row that breaks a rule is a push to be skipped, with its problems, and has no payload")
  func problems() throws {
    let text = "token,v\nab12,ok\ncd34,bad\nef56,ok\n"
    let reading = try ListReading([list("a.csv", text)], rendering: EchoRendering(names: ["v"]))
    #expect(reading.tokens == ["ab12", "cd34", "ef56"])
    #expect(reading.payloads == ["v text ok", "", "v text ok"])
    #expect(reading.problems == [nil, "bad", nil])
    #expect(reading.counts == .init(lines: 3))
  }

  @Test("Over many chunks each row keeps its own payload and problem")
  func manyChunks() throws {
    let tokens = try deviceTokens(1000).map(\.hex)
    let rows = tokens.enumerated().map { "\($1),\($0 % 7 == 3 ? "bad" : "v\($0)")" }
    let text = "token,v\n" + rows.joined(separator: "\n")
    let reading = try ListReading([list("a.csv", text)], rendering: EchoRendering(names: ["v"]))
    #expect(reading.payloads == (0..<1000).map { $0 % 7 == 3 ? "" : "v text v\($0)" })
    #expect(reading.problems == (0..<1000).map { $0 % 7 == 3 ? "bad" : nil })
  }

  @Test("Without a rendering there are no payloads")
  func none() throws {
    var reader = try RecipientReader([list("a.csv", "token,v\nab12,x\n")])
    let chunk = try #require(try reader.next())
    #expect(!chunk.hasPayloads && !chunk.hasProblems)
    #expect(chunk.withPayload(at: 0) { $0.count } == nil)
    #expect(chunk.problems(at: 0) == nil)
  }

  @Test("The time of registration is kept where the list says it, and stays a variable")
  func registered() throws {
    let text = """
      token,Registered
      ab12,
      cd34,1700000000
      ef56,soon
      aa11,2023-11-14T22:13:20Z
      bb22,
      """
    let reading = try ListReading(
      [.tokens([DeviceToken("cc33")]), list("a.csv", text)],
      rendering: EchoRendering(names: ["Registered"]))
    #expect(reading.registered == [nil, nil, 1_700_000_000, 1_700_000_000, nil])
    #expect(reading.badLines.map(\.error) == [.registered("soon", .form)])
    #expect(reading.payloads[2] == "Registered text 1700000000")
    let lines =
      #"{"token":"ab12","registered":1700000000.5}"# + "\n"
      + #"{"token":"cd34","registered":null}"# + "\n" + #"{"token":"ef56","registered":"0"}"#
    let other = try ListReading([list("a.jsonl", lines)])
    #expect(other.registered == [1_700_000_000, nil, 0])
  }
}
