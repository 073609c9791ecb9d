import APNS
import PushModel
import Reporting
import Runs
import SQLHistory
import Settings
import Testing

@Suite("Where a history is")
struct HistoryLocationTests {
  static let texts: [(text: String, isPath: Bool, isUsable: Bool)] = [
    ("history.sqlite", true, true), ("/var/h", true, true), ("host", true, true),
    ("hosts=all.sqlite", true, true), ("run=1.sqlite", true, true), ("./host=a", true, true),
    ("a b://c", true, true), ("postgresql:/h", true, true),
    ("postgresql:///push", false, true), ("postgres://ada@db1:5432/push", false, true),
    ("postgresql:///?service=push", false, true),
    ("postgresql://db1,db2/push?target_session_attrs=read-write", false, true),
    ("postgresql://ada:sesame@db1/push", false, false), ("postgresql://[db1/push", false, false),
    ("postgresql://ada:pass/word@db1/push", false, false),
    ("postgresql://ada:1/word@db1/push", false, false),
    ("postgresql://ada%40db1@db1:5432,db2:5433/push%40?user=ada@db1", false, true),
    ("PostgreSQL://db1/push", false, false), ("file:///var/h", false, false),
    ("host=db1 dbname=push", false, false), ("service = push", false, false),
  ]

  @Test("is a path or a URL, and nothing else", arguments: texts)
  func kinds(_ row: (text: String, isPath: Bool, isUsable: Bool)) throws {
    let location = HistoryLocation(row.text)
    #expect((location.file != nil) == row.isPath && (location.fault == nil) == row.isUsable)
    #expect((location.shown == row.text) == row.isUsable)
    #expect(location.files.isEmpty == !row.isPath)
    var settings = Settings()
    settings.history = Setting(row.text, .setting("--history"))
    if row.isUsable {
      #expect(try settings.historyPath() == row.text)
    } else {
      let failure = #expect(throws: Failure.self) { try settings.historyPath() }
      #expect(failure?.sentence.hasPrefix("--history ") == true)
    }
  }

  @Test("is in a profile as it was written, unless it is a path")
  func profile() throws {
    let rows = [
      ("h", "app/h"), ("postgresql://a/b", "postgresql://a/b"), ("dbname=a", "dbname=a"),
    ]
    for (text, value) in rows {
      let file = try ProfileFile(
        reading: Array("{profiles: {p: {history: '\(text)'}}}".utf8), path: "app/fanfare.json",
        home: "/home/ada", isOwn: false)
      #expect(file.profiles[0].settings.history?.value == value)
    }
  }

  @Test("is told apart from the file whose room copies of lists take")
  func scratchFolder() {
    let context = context(["XDG_STATE_HOME": "/no/such", "TMPDIR": "/tmp/a"])
    #expect(context.scratchFolder(beside: "postgresql://db1/push") == "/tmp/a")
    #expect(context.scratchFolder(beside: "/tmp/history.sqlite") == "/tmp")
  }
}
