import APNS
import CommandLineKit
import Foundation
import JSONText
import PushModel
import Recipients
import Settings
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Reporting
@testable import Scenarios

@Suite("A check")
struct CheckingTests {
  static let payloads: [(file: String, text: String, words: [String], rules: [String])] = [
    ("p.json", #"{"aps": {"alert": "Hi"}}"#, [], []),
    ("p.json", #"{"aps": {"alert": "Hi"}}"#, ["--priority", "7"], ["priority-form"]),
    ("p.json", #"{"aps": {"alert": "Hi"}}"#, ["--type", "mdm"], ["mdm-only", "mdm-only"]),
    ("p.json", #"{"mdm": "magic"}"#, [], []),
    ("p.json", #"{"mdm": "magic"}"#, ["--env", "production"], ["authentication-for-type"]),
    ("p.json", #"{"mdm": "magic"}"#, ["--env", "emulator"], []),
    ("p.json", #"{"aps": {}}"#, [], ["push-type-missing"]),
    ("p.json", #"{"aps": {"alert": "Hi"}, "aps": {}}"#, [], ["payload-duplicate-key"]),
    ("p.json", "[]", ["--type", "alert"], ["payload-object"]),
    ("p.apns", #"{"Simulator Target Bundle": "a.b", "aps": {"alert": "Hi"}}"#, [], []),
    (
      "p.apns", #"{"Simulator Target Bundle": 1, "aps": {"alert": "{{x}}"}}"#, [],
      ["placeholder-unfilled", "simulator-target"]
    ),
    ("s.json", #"{"notification": {"payload": {"aps": {"alert": "Hi"}}}}"#, [], []),
    ("p.json5", #"{aps: {alert: "Hi"}}"#, [], ["file"]), ("p.md", "{}", [], ["file-kind"]),
    ("p.csv", "token", [], ["list"]), ("p.csv", "id\n0a1b", [], ["list"]),
    ("p.csv", "token\n0a1b\nxyz\n", [], ["bad-line"]),
    ("p.jsonl", "{\"token\":\"0a1b\"}\n{}\n", [], ["bad-line"]),
    ("p.txt", "0a1b\nxyz\n", ["--shard", "2/2"], []),
    ("p.txt", "0a1b\nxyz\n", ["--limit", "1"], []),
    ("p.txt", "0a1b\n", ["--suppress", "/nonexistent/dead.txt"], ["list"]),
    ("p.txt", "0a1b\nxyz\n", [], ["bad-line"]),
    ("p.txt", "# nobody\n", [], ["list"]),
  ]

  @Test("finds what the text itself breaks", arguments: payloads)
  func rules(_ row: (file: String, text: String, words: [String], rules: [String])) throws {
    let checked = try withFile(row.file, row.text) { try check([$0], row.words) }
    #expect(checked.flatMap(\.problems).map(\.rule).sorted() == row.rules.sorted())
  }

  @Test("tells file, line and column of every problem of a file")
  func places() throws {
    try withFile("p.json", "{\"aps\":\n {\"alert\": \"Hi\"}}") { path in
      let problems = try check([path], ["--type", "background"]).flatMap(\.problems)
      #expect(problems.map(\.rule) == ["background-content-available", "background-silent"])
      #expect(problems.map(\.file) == [path, path])
      #expect(problems.map(\.line) == [2, 2])
      #expect(problems.map(\.column) == [2, 12])
    }
  }

  @Test("takes the push type from the folder, unless it is said")
  func folderType() throws {
    try withTemporaryFolder { folder in
      try folder.makeFolder("voip")
      let path = try folder.write("voip/call.json", #"{"caller": "Ada"}"#)
      #expect(try check([path]).map(\.pushType) == ["voip"])
      #expect(try check([path]).flatMap(\.problems).isEmpty)
      let said = try check([path], ["--type", "alert"])
      #expect(said.map(\.pushType) == ["alert"])
      #expect(said.flatMap(\.problems).map(\.rule) == ["aps-missing"])
    }
  }

  @Test("of a folder takes what it knows, in order, and leaves the rest")
  func folder() throws {
    try withTemporaryFolder { folder in
      for name in ["sub", ".hidden", "empty"] { try folder.makeFolder(name) }
      let names = [
        "b.json", "a.apns", "sub/c.json5", "sub/d.txt", "sub/e.csv", "f.md", "README.txt",
        "LICENSE.txt", ".g.json", ".hidden/h.json", "fanfare.json", "results.jsonl",
      ]
      for name in names { try folder.write(name, "{}") }
      // Reading it would wait for a writer without end.
      #expect(mkfifo(folder.file("pipe.json"), 0o600) == 0)
      let found = try check([folder.path]).compactMap(\.file).map {
        $0.dropFirst(folder.path.count)
      }
      #expect(found == ["/a.apns", "/b.json", "/fanfare.json", "/sub/c.json5", "/sub/d.txt"])
      #expect(try check([folder.file("empty")]).isEmpty)
    }
  }

  @Test("of a scenario looks at its keys, its payload, its lists and its credentials' ids")
  func scenario() throws {
    try withTemporaryFolder { folder in
      try folder.write("p.json", #"{"aps": {"badge": 1}, "aps": 1}"#)
      try folder.write("l.txt", "0a1b\n0a1b\n")
      let text = """
        {credentials: {key: "k.p8", keyID: "short"}, recipients: ["l.txt", "none.txt", "0a1b"],
         notification: {type: "alert", priority: 7, payload: "p.json"}}
        """
      let checked = try check([try folder.write("s.json5", text)])
      #expect(checked.map(\.kind) == [.scenario, .list, .list])
      #expect(
        checked[0].problems.map(\.rule) == [
          "priority-form", "payload-duplicate-key", "aps-object", "credentials", "credentials",
        ])
      #expect(checked[1].list?.counts.duplicates == 1)
      #expect(checked[2].problems.map(\.rule) == ["list"])
      let together = try check([folder.file("l.txt"), folder.file("s.json5")])
      #expect(together.map(\.kind) == [.list, .scenario, .list])
      try folder.write("t.json5", "{nme: 1}")
      let broken = try check([folder.file("t.json5")]).flatMap(\.problems)
      #expect(broken.map(\.rule) == ["scenario-key", "scenario-missing"])
    }
  }

  @Test("of a misspelt key hides neither an unknown device nor a missing list")
  func gathered() throws {
    let text =
      #"recipients: ["device:phone", "none.txt"], notification: {payload: {aps: {badge: 1}}}}"#
    try withFile("s.json5", "{" + text) { path in
      let checked = try check([path])
      #expect(checked.map(\.errors) == [1, 1])
      #expect(checked.flatMap(\.problems).map(\.rule) == ["device", "list"])
    }
    try withFile("s.json5", "{nme: 1, " + text) { path in
      let (scenario, problems) = try readScenarioInPart(path, context())
      let checking = Checking(options: Settings(), context: context())
      let errors = checking.errors(of: scenario, besides: problems)
      #expect(errors.map(\.rule) == ["scenario-key", "device", "list"])
    }
  }

  static let profileFiles: [(text: String, rules: [String])] = [
    (
      #"{default: "stagng", profiles: {staging: {bundelID: "a.b", credentials: {profile: "no"}}}}"#,
      ["profile-key", "profile", "profile"]
    ),
    // What may be in the part that was not read is not missed.
    (#"{default: "staging", profils: {staging: {}}}"#, ["profile-key"]),
  ]

  @Test(
    "of profiles gathers what is wrong with the file and what it refers to", arguments: profileFiles
  )
  func profiles(_ row: (text: String, rules: [String])) throws {
    let rules = try withFile("fanfare.json", row.text) {
      try check([$0]).flatMap(\.problems).map(\.rule)
    }
    #expect(rules == row.rules)
  }

  @Test("of options alone looks at what they make")
  func options() throws {
    #expect(try check([], ["--title", "Hi"]).map(\.problems.count) == [0])
    let checked = try check([], ["--title", "Hi", "--collapse-id", ""])
    #expect(checked.map(\.file) == [nil])
    #expect(checked.flatMap(\.problems).map(\.origin?.setting) == ["--collapse-id"])
    try withFile("p.json", #"{"aps": {"alert": "Hi"}}"#) { path in
      let problems = try check([path], ["--priority", "7"]).flatMap(\.problems)
      #expect(problems.map(\.file) == [path])
    }
    #expect(try check([]).isEmpty)
  }

  @Test("shows of a bad line its end only, unless it is to be shown whole")
  func badLines() throws {
    try withFile("l.txt", "0123456789abcdef0123456789abcdeg\n") { path in
      #expect(try check([path]).flatMap(\.problems).map(\.place.description) == ["…89abcdeg"])
      let shown = try check([path], ["--show-tokens"]).flatMap(\.problems)
      #expect(shown.map(\.place.description) == ["0123456789abcdef0123456789abcdeg"])
    }
  }

  @Test("of lists looks at those of --tokens and --suppress too, in the format that is said")
  func selection() throws {
    try withTemporaryFolder { folder in
      let dead = try folder.write("dead", "token\n0a1b\nxyz\n")
      let all = try folder.write("all", "token\n0a1b\n0c2d\n0e3f\n")
      let words = ["--tokens", all, "--suppress", dead, "--tokens-format", "csv"]
      let checked = try check([], words)
      #expect(checked.map(\.file) == [all, dead])
      #expect(checked[0].list?.tokens == 2)
      #expect(checked[1].problems.map(\.line) == [3])
      let text = text(of: checked)
      #expect(text.hasSuffix("2 lists (2 tokens, 1 suppressed): 1 error\n"))
      let limited = try check([], words + ["--limit", "1"])
      #expect(limited[0].list?.counts.lines == 2 && limited[0].list?.tokens == 1)
    }
  }

  @Test("counts the bad lines that it does not tell one by one")
  func manyBadLines() throws {
    let count = ListCheck.badLineLimit + 5
    try withFile("l.txt", String(repeating: "xyz\n", count: count)) { path in
      let checked = try check([path])
      #expect(checked.map(\.problems.count) == [ListCheck.badLineLimit])
      #expect(checked.map(\.errors) == [count])
      let text = text(of: checked)
      #expect(text.contains("l.txt: 5 more bad lines\n"))
      #expect(text.hasSuffix("1 list (0 tokens, 1,005 bad lines): 1,005 errors\n"))
    }
  }

  @Test("ends with 2 when there is an error, and with 0 when there are warnings only")
  func exitCode() throws {
    let alert = ["--title", "Hi", "--type"]
    #expect(try CheckCommand.parse(alert + ["alert"]).run(context()).exitCode == .success)
    #expect(try CheckCommand.parse(alert + ["mdm"]).run(context()).exitCode == .usage)
    // Priority 1 for a Live Activity is doubtful, not wrong.
    let doubtful = ["--priority", "1", "--type", "background", "--content-available"]
    let checked = try check([], doubtful)
    #expect(checked.map(\.errors) == [0] && checked.map(\.warnings) == [1])
    #expect(try CheckCommand.parse(doubtful).run(context()).exitCode == .success)
    #expect(try CheckCommand.parse(doubtful + ["--strict"]).run(context()).exitCode == .usage)
  }

  @Test("with --strict has errors in place of warnings, which say so")
  func strict() throws {
    let words = ["--priority", "1", "--type", "background", "--content-available"]
    let checked = try check([], words).map(\.strict)
    #expect(checked.map(\.errors) == [1] && checked.map(\.warnings) == [0])
    let text = text(of: checked, errorsOnly: true)
    #expect(text.contains(" error: ") && text.contains(" --strict makes this warning an error. ["))
  }

  static let refused: [(words: [String], says: String)] = [
    ([], "Nothing to check was given."),
    (["-", "--payload", "-"], "'FILE -' and '--payload -' cannot"),
    (["--tokens", "-", "-"], "'FILE -' and '--tokens -' cannot"),
    (["--tokens", "-", "--payload", "-"], "'--payload -' and '--tokens -' cannot"),
    (
      ["--title", "Hi", "--topic", "a.b", "--bundle-id", "a.b"],
      "'--bundle-id' and '--topic' cannot"
    ),
    (
      ["--title", "Hi", "--apns-id", "x", "--to", "0a", "--to", "0b"],
      "--apns-id works with a single recipient only."
    ),
  ]

  @Test("refuses options that do not fit together", arguments: refused)
  func usage(_ row: (words: [String], says: String)) {
    expectFailure(row.says) { try CheckCommand.parse(row.words).run(context()) }
  }

  @Test("is told as recorded")
  func text() throws {
    let checked = try sample()
    let whole = text(of: checked)
    let errors = text(of: checked, errorsOnly: true)
    let json = String(
      decoding: ReportJSON.bytes(CheckReport(checked: checked, errorsOnly: false).report),
      as: UTF8.self)
    try expectSnapshot(whole, "check.txt")
    try expectSnapshot(errors, "check-quiet.txt")
    try expectSnapshot(json, "check.json")
  }

  private func text(of checked: [CheckedFile], errorsOnly: Bool = false) -> String {
    ReportText().text(of: CheckReport(checked: checked, errorsOnly: errorsOnly).report)
  }

  static let filled: [(words: [String], list: [Int?], places: [String])] = [
    (["p.json", "l.csv"], [1], ["l.csv:3"]), (["p.json", "--tokens", "l.csv"], [1], ["l.csv:3"]),
    (["--payload", "p.json", "--tokens", "l.csv"], [1], ["l.csv:3"]),
    (["l.csv"], [nil], []), (["p.json", "l.csv", "--var", "unread=1"], [1], ["l.csv:3"]),
    (["p.json", "--to", "0a1b"], [1], ["--to:1"]),
    // It is not said which of them the list is for.
    (["p.json", "q.json", "l.csv"], [nil], []),
    (["p.json", "q.json", "--tokens", "l.csv"], [1], ["l.csv:3"]),
    (["s.json5"], [1], ["l.csv:3"]), (["s.json5", "--tokens", "m.csv"], [0], []),
  ]

  @Test("fills templates with the rows of the lists beside them", arguments: filled)
  func rows(_ row: (words: [String], list: [Int?], places: [String])) throws {
    try withTemporaryFolder { folder in
      let payload = #"{"aps": {"alert": "Hi", "badge": "{{unread|number}}"}}"#
      try folder.write("p.json", payload)
      try folder.write("q.json", #"{"aps": {"alert": "Hi"}}"#)
      try folder.write("l.csv", "token,unread\n0a1b,1\n0a1c,many\nxyz,2\n")
      try folder.write("m.csv", "token,unread\n0a1b,1\n")
      try folder.write(
        "s.json5",
        #"{bundleID: "a.b", recipients: ["l.csv"], notification: {payload: "p.json"}}"#)
      let words = row.words.map { $0.contains(".") && !$0.hasPrefix("-") ? folder.file($0) : $0 }
      let paths = words.prefix { !$0.hasPrefix("--") }
      let checked = try check(Array(paths), Array(words.dropFirst(paths.count)))
      let lists = checked.filter { $0.kind == .list }
      #expect(lists.map { $0.list?.badRowCount } == row.list)
      let problems = lists.flatMap(\.problems).filter {
        $0.rule == "placeholder-value" || $0.rule == "placeholder-unfilled"
      }
      let places = problems.map { problem in
        let name = problem.file?.split(separator: "/").last.map(String.init) ?? ""
        return "\(name):\(problem.line ?? 0)"
      }
      #expect(places == row.places)
    }
  }

  @Test("counts the rows that fill no template, and tells the first")
  func manyRows() throws {
    try withTemporaryFolder { folder in
      try folder.write("p.json", #"{"aps": {"badge": "{{n|number}}"}}"#)
      let rows = (0..<25).map { "{\"token\":\"\(String(0xA000 + $0, radix: 16))\",\"n\":\"x\"}\n" }
      try folder.write("l.jsonl", rows.joined())
      let checked = try check([folder.file("p.json"), folder.file("l.jsonl")])
      #expect(checked.map(\.errors) == [0, 25])
      #expect(checked[1].problems.count == ListCheck.badRowLimit)
      let text = text(of: checked)
      #expect(text.contains("l.jsonl: 15 more rows that cannot be sent\n"))
      #expect(text.hasSuffix("1 list (25 tokens, 25 rows that cannot be sent): 25 errors\n"))
    }
  }

  @Test("tells a thousand bad lines of a list, and counts those above", arguments: [1000, 1001])
  func manyBadLines(_ count: Int) throws {
    try withFile("l.txt", "0a1b\n" + String(repeating: "xyz\n", count: count)) { path in
      let checked = try check([path])
      let told = checked.flatMap(\.problems).filter { $0.rule == "bad-line" }
      #expect(told.count == 1000 && checked.map(\.errors) == [count])
    }
  }

  @Test("tells of a column that a list lacks once, with the columns that are there")
  func missingColumn() throws {
    try withTemporaryFolder { folder in
      try folder.write("p.json", #"{"aps": {"alert": "Hi {{name}}"}}"#)
      try folder.write("l.csv", "token,nmae\n0a1b,Ada\nxyz,\n")
      let checked = try check([folder.file("p.json"), folder.file("l.csv")])
      #expect(checked.flatMap(\.problems).map(\.rule) == ["bad-line", "list"])
      let problem = try #require(checked.last?.problems.last)
      #expect(problem.message == "The list has no column 'name', which the payload needs.")
      #expect(problem.fix.hasPrefix("Did you mean 'nmae'? Its columns: 'token', 'nmae'."))
      #expect(checked.last?.list?.tokens == 1)
    }
  }

  @Test("of nothing says so", arguments: [false, true])
  func nothing(isFolder: Bool) throws {
    try withTemporaryFolder { folder in
      let words = isFolder ? [folder.path] : []
      let failure = #expect(throws: Failure.self) {
        try CheckCommand.parse(words).run(context())
      }
      #expect(failure?.exitCode == .usage && failure?.sentence.contains("othing") ?? false)
    }
  }

  private func sample() throws -> [CheckedFile] {
    try withTemporaryFolder { folder in
      try folder.write("a.json", #"{"aps": {"content-available": 1}}"#)
      try folder.write("b.txt", "0a1b2c3d\n0a1b2c3d\n0a1\n\n0123456789abcdef\n")
      try folder.write("\u{1b}c.md", "")
      let files = ["a.json", "b.txt", "\u{1b}c.md"]
      let checked = try check(files.map(folder.file), ["--priority", "1"])
      return zip(checked, files).map { checked, name in checked.renamed(name) }
    }
  }

  private func check(_ paths: [String], _ words: [String] = []) throws -> [CheckedFile] {
    try Check(paths, CheckCommand.parse(words).options, context()).checkedFiles()
  }
}

extension CheckedFile {
  /// The same with the name of the file alone, for a folder that has another name each time.
  fileprivate func renamed(_ name: String) -> CheckedFile {
    var renamed = self
    renamed.file = name
    renamed.problems = problems.map { problem in
      Problem(
        problem.severity, rule: problem.rule, at: problem.place,
        from: problem.file == nil
          ? problem.origin : .file(name, at: problem.origin?.position),
        message: problem.message, fix: problem.fix)
    }
    return renamed
  }
}
