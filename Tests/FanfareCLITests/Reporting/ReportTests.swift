import APNS
import JSONText
import Testing

@testable import Reporting

@Suite("A report")
struct ReportTests {
  private static let hostile = "x\u{1b}[31m\r\nok\u{202e}"

  private static let report = Report(
    parts: [
      .section(
        "a.txt",
        [
          .json("file", "a.txt"), .fact("tokens", "tokens", 12_345),
          .fact("valid until", "end", nil),
          .fact(
            .init(
              name: "state", shown: "\("expired", .bad), too \("late", .doubtful)", key: "state",
              value: "late")),
          .fix("Renew it."), .text("seen", .init(hostile)),
          .object("latency", [.fact("p50", "p50", 3), .json("p99", .decimal(1.5))]),
          .section(
            "Keys",
            [.list("keys", [[.fact("first", "name", "one")], [.fact("second", "name", "two")]])]),
          .section("Nothing to see", [.json("hidden", true)]), .next("fanfare resume 3"),
        ])
    ])

  @Test("a problem of a file as a whole names no part of it")
  func noPart() {
    let problem = Problem(
      .error, rule: "x", at: .other(""), from: .file("a.json"), message: "Bad.", fix: "Mend it.")
    let text = ReportText(style: Style(hasColor: false)).text(of: [.problems(key: "p", [problem])])
    #expect(text.hasPrefix("a.json: error: Bad. [x]"))
  }

  @Test("is told in aligned rows, indented below headings, safe to print")
  func text() {
    #expect(
      ReportText().text(of: Self.report) == """
        a.txt
          tokens  12,345
          state   expired, too late
                  Fix: Renew it.
          seen    x\\u{1b}[31m\\u{d}\\u{a}ok\\u{202e}
          p50     3
          Keys
            first   one
            second  two
          go on with  fanfare resume 3

        """)
  }

  @Test("is one object in the order of its parts")
  func json() {
    #expect(
      String(decoding: ReportJSON.bytes(Self.report), as: UTF8.self)
        == #"{"file":"a.txt","tokens":12345,"end":null,"state":"late","fix":"Renew it.","#
        + #""latency":{"p50":3,"p99":1.5},"keys":[{"name":"one"},{"name":"two"}],"hidden":true}"#
        + "\n")
  }

  @Test("shows colors, and wraps sentences but no commands, on a terminal")
  func terminal() {
    let report = Report(parts: [
      .text("note", "one two three four five six seven eight nine ten \("eleven", .good) twelve"),
      .text("then", .verbatim("openssl pkcs12 -in a -out b -legacy -nodes -passin file:password")),
    ])
    let text = ReportText(style: Style(hasColor: true), hasMarks: true, width: 50).text(of: report)
    #expect(
      text == """
        note  one two three four five six seven eight nine
              ten \u{1b}[32meleven\u{1b}[0m twelve
        then  openssl pkcs12 -in a -out b -legacy -nodes -passin file:password

        """)
  }

  @Test("has a table with a column for each fact, and JSON Lines of the same")
  func table() {
    let rows = [(7, "ok"), (12, nil)].map { number, state -> [Report.Part] in
      [
        .fact("run", "run", .number(number)), .json("kind", "send"),
        .fact("state", "state", .text(state)),
      ]
    }
    let report = Report(parts: [.table(nil, rows)], form: .lines)
    #expect(ReportText().text(of: report) == "run  state\n  7  ok\n 12\n")
    #expect(
      String(decoding: ReportJSON.bytes(report), as: UTF8.self)
        == #"{"run":7,"kind":"send","state":"ok"}"# + "\n"
        + #"{"run":12,"kind":"send","state":null}"# + "\n")
  }

  @Test("cuts the widest texts of a table that has no room, but no number and nothing to copy")
  func narrowTable() {
    let row: [Report.Part] = [
      .fact("run", "run", 12), .text("notification", "\("Order", .good) ready at the counter"),
      .text("id", .verbatim("6b1f0c52-93a7")),
    ]
    #expect(
      ReportText(tableWidth: 34).text(of: [.table(nil, [row])]) == """
        run  notification    id
         12  Order ready a…  6b1f0c52-93a7

        """)
    let whole = ReportText(tableWidth: 46).text(of: [.table(nil, [row])])
    #expect(whole.contains("Order ready at the counter  6b1f0c52-93a7"))
    #expect(StyledText("日本語テキスト").cut(to: 5).plain == "日本…")
  }

  @Test("keeps texts beside long names within 60 columns")
  func narrowText() {
    let text = ReportText(width: 60).text(of: [
      .text("liveactivity/start-on-channel", "Starts a Live Activity on a broadcast channel.")
    ])
    let lines = text.split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.count <= 60 })
  }

  @Test("has an object in place of an array when its rows have names")
  func named() {
    let report = Report(parts: [
      .table("settings", [[.fact("value", "value", "1")]], names: ["rate"])
    ])
    #expect(report.json == ["settings": ["rate": ["value": "1"]]])
  }
}
