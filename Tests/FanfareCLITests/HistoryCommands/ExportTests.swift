import APNS
import JSONText
import Testing

@testable import History
@testable import HistoryCommands
@testable import PushModel
@testable import Reporting
@testable import Runs
@testable import Settings

@Suite("An export of the history")
struct ExportTests {
  static let cells: [(text: String, guarded: String)] = [
    ("=1+1", "'=1+1"), ("+49 30 12.5", "+49 30 12.5"), ("-1", "-1"), ("-", "-"),
    ("-1+1", "'-1+1"), ("+A1", "'+A1"), ("-1e5", "'-1e5"), ("+1;2", "'+1;2"),
    ("@SUM(A1)", "'@SUM(A1)"),
    ("\t=1", "'\t=1"), ("\r=1", "'\r=1"), ("\n=1", "'\n=1"), ("\r\n=1", "'\r\n=1"),
    ("\u{FF1D}1", "'\u{FF1D}1"), ("=\u{301}1", "'=\u{301}1"), ("a=1", "a=1"), ("", ""),
    ("'=1", "'=1"), (" =1", " =1"),
  ]

  @Test("has an apostrophe before what a spreadsheet would run", arguments: cells)
  func spreadsheets(_ row: (text: String, guarded: String)) {
    #expect(spreadsheetText(row.text) == row.guarded)
  }

  @Test("in CSV guards texts of others, and leaves numbers and device tokens alone")
  func csv() {
    let answer = Response(
      status: .badRequest, uniqueID: "@id", reason: Reason(rawValue: "=cmd|'/c calc'!A1,x"),
      timestamp: -5)
    let push = entry(.rejected, answer, list: "-list.csv")
    let text = line("a.csv", push)
    #expect(text.contains(",'-list.csv,") && text.contains(",\"'=cmd|'/c calc'!A1,x\",-5,'@id,"))
    #expect(text.hasPrefix("1,1,") && text.hasSuffix(",sandbox,alert,com.example.shop\r\n"))
    let exact = line("a.csv", push, isSafe: false)
    #expect(exact.contains(",-list.csv,") && exact.contains(",\"=cmd|'/c calc'!A1,x\",-5,@id,"))
  }

  @Test("in CSV has a cell for each of its columns")
  func columns() {
    let head = ExportFormat.of(path: "a.csv").map {
      String(decoding: $0.make(true, []).head, as: UTF8.self)
    }
    let columns = ["run"] + ResultLineTests.columns + ["environment", "pushType", "topic"]
    #expect(head == columns.joined(separator: ",") + "\r\n")
    let cells = line("a.csv", entry()).split(
      separator: ",", omittingEmptySubsequences: false)
    #expect(cells.count == columns.count)
  }

  @Test("in JSON is what 'history list' prints")
  func jsonLines() {
    let push = entry(.rejected, .dead)
    #expect(Array(line("a.jsonl", push).utf8) == DescribedPush(entry: push).jsonLine)
  }

  private func line(_ path: String, _ push: PushEntry, isSafe: Bool = true) -> String {
    var export = ExportFormat.of(path: path)?.make(isSafe, [])
    let bytes = export?.bytes(of: DescribedPush(entry: push), in: run(), nil) ?? []
    return String(decoding: bytes, as: UTF8.self)
  }
}

@Suite("An export as HAR")
struct HARExportTests {
  /// What HAR 1.2 asks of each object: its members, and their kinds.
  static let required: [(path: [String], members: [String: String])] = [
    (
      [],
      [
        "startedDateTime": "text", "time": "a number", "request": "an object",
        "response": "an object", "cache": "an object", "timings": "an object",
      ]
    ),
    (
      ["request"],
      [
        "method": "text", "url": "text", "httpVersion": "text", "cookies": "an array",
        "headers": "an array", "queryString": "an array", "headersSize": "a number",
        "bodySize": "a number",
      ]
    ),
    (
      ["response"],
      [
        "status": "a number", "statusText": "text", "httpVersion": "text",
        "cookies": "an array", "headers": "an array", "content": "an object",
        "redirectURL": "text", "headersSize": "a number", "bodySize": "a number",
      ]
    ),
    (["response", "content"], ["size": "a number", "mimeType": "text"]),
    (["timings"], ["send": "a number", "wait": "a number", "receive": "a number"]),
  ]

  static let pushes = [
    entry(), entry(.rejected, .dead), entry(.unknown, nil, attempts: 2),
    entry(.rejected, Response(status: .badRequest, reason: hostileReason)),
  ]

  @Test("has all that the format asks for", arguments: pushes)
  func structure(_ push: PushEntry) throws {
    let entry = try #require(try entries([(push, request(push, run()))]).first)
    for row in Self.required {
      let object = try #require(row.path.reduce(entry) { $0?[$1] })
      for (name, kind) in row.members { #expect(object[name]?.kind == kind, "\(name)") }
    }
    let kinds = (entry["request"]?["headers"]?.array ?? []).map { $0.object?.keys }
    #expect(kinds == Array(repeating: ["name", "value"], count: 3))
  }

  @Test("tells the request, when it went out, and the answer")
  func contents() throws {
    let push = entry(.rejected, .dead, latency: 1_500_250)
    let entry = try #require(try entries([(push, request(push, run()))]).first)
    #expect(entry["startedDateTime"] == "2023-11-14T22:13:18.500Z")
    #expect(entry["time"]?.number?.double == 1500.25)
    #expect(
      entry["request"]?["url"]?.string == "https://127.0.0.1:2197/3/device/\(sampleToken)")
    #expect(entry["request"]?["postData"]?["text"] == #"{"aps":{"alert":"It's time"}}"#)
    #expect(entry["response"]?["status"] == 410)
    #expect(
      entry["response"]?["content"]?["text"]
        == #"{"reason":"Unregistered","timestamp":1690000000000}"#)
    let names = entry["request"]?["headers"]?.array?.compactMap { $0["name"]?.string }
    #expect(names == ["apns-push-type", "apns-topic", "apns-id"])
  }

  @Test("says which payload is lost, and leaves out what was never sent")
  func lost() throws {
    let (gone, unsent) = (entry(.rejected, .dead), entry(.skipped, nil, attempts: 0))
    // Its sender was killed before it could count the request.
    let unknown = entry(.unknown, nil, attempts: 0)
    #expect(try entries([(unknown, request(unknown, run()))]).count == 1)
    let all = try entries([
      (unsent, lostRequest(unsent, run())), (gone, lostRequest(gone, run())),
      (entry(), request(entry(), run())),
    ])
    #expect(all.count == 2 && all[0]["request"]?["postData"] == nil)
    #expect(all[0]["request"]?["comment"]?.string?.contains("beta.csv") == true)
  }

  @Test("of nothing is whole too")
  func empty() throws { #expect(try entries([]).isEmpty) }

  /// The entries of an archive of these pushes.
  private func entries(_ pushes: [(PushEntry, StoredRequest)]) throws -> [JSON] {
    var export = HARExport()
    var bytes = export.head
    for (push, request) in pushes {
      bytes += export.bytes(of: DescribedPush(entry: push), in: run(), request)
    }
    let log = try #require(try JSONReader().read(bytes + export.tail)["log"])
    #expect(log["version"] == "1.2" && log["creator"]?["name"] == "fanfare")
    return try #require(log["entries"]?.array)
  }
}

@Suite("An export as a command of curl")
struct CurlExportTests {
  private static func settings(certificate: String? = nil, ca: String) -> Settings {
    var settings = Settings()
    settings.certificate = certificate.map { Setting(.file($0), .storedRun) }
    settings.ca = Setting(ca, .storedRun)
    return settings
  }

  static let commands: [(run: StoredRun, holds: [String])] = [
    (
      run(),
      [
        "\ncurl --http2 ", #"-H "authorization: bearer $FANFARE_PROVIDER_TOKEN" \"#,
        "-H 'apns-topic: com.example.shop' \\",
        #"--data-binary '{"aps":{"alert":"It'\''s time"}}'"#,
        "\n  https://127.0.0.1:2197/3/device/\(sampleToken)\n",
      ]
    ),
    (
      run(settings: Self.settings(certificate: "shop.p12", ca: "ca.pem")),
      [#"--cert "$FANFARE_CERT" \"#, "--cacert /home/ada/ca.pem \\"]
    ),
    (run(settings: Self.settings(ca: "/etc/a b.pem")), ["--cacert '/etc/a b.pem' \\"]),
    (run(server: nil), [#"--cacert "$FANFARE_CA" \"#, #""$FANFARE_SERVER"/3/device/"#]),
    (
      run(headers: #"{"x-a":"","x-b":"$(id) `id` 'q'"}"#),
      ["-H 'x-a;' \\", #"-H 'x-b: $(id) `id` '\''q'\''' \"#]
    ),
    (
      run(payload: "{\"a\":\"\u{1b}$(id)\n'\u{200d}\"}"),
      [#"--data-binary $'{"a":"\033$(id)\012\'\342\200\215"}' \"#]
    ),
    (run(headers: #"{"content-type":"text/x"}"#), ["-H user-agent: -H accept: \\"]),
  ]

  @Test("quotes everything, and has variables where the secrets were", arguments: commands)
  func command(_ row: (run: StoredRun, holds: [String])) {
    let text = text(entry(), row.run, request(entry(), row.run))
    for part in row.holds { #expect(text.contains(part), "\(part) in \(text)") }
  }

  @Test("has a remark in place of a push that cannot be sent again")
  func lost() {
    let gone = entry(.rejected, .dead)
    let text = text(gone, run(), lostRequest(gone, run()))
    #expect(text.contains("\n# No command: ") && text.contains("beta.csv"))
    #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("# ") })
    let unsent = entry(.skipped, nil, attempts: 0)
    #expect(self.text(unsent, run(), lostRequest(unsent, run())).contains("it was never sent."))
  }

  @Test("keeps what others named within its remark")
  func names() {
    let push = entry()
    let lost = StoredRequest(
      of: push, in: run(), body: .lost(.listChanged(path: "x\nrm -rf /\u{1b}[2J"), template: []))
    let lines = text(push, run(), lost).split(separator: "\n")
    #expect(lines.count == 2 && lines[1].contains(#"x\u{a}rm -rf /\u{1b}[2J"#))
  }

  private func text(_ push: PushEntry, _ run: StoredRun, _ request: StoredRequest) -> String {
    StoredCurlCommand(push: push, stored: run, request: request).text
  }
}
