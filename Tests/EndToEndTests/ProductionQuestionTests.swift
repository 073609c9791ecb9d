import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("Before production, on a terminal")
struct ProductionQuestionTests {
  /// Apple's hosts, and words that lead to production.
  private struct Bench {
    let fanfare: Fanfare
    let services: AppleServices

    init(_ fanfare: Fanfare) throws {
      self.fanfare = fanfare
      services = try AppleServices(
        sandbox: BusyDevices().answer, production: BusyDevices().answer)
      try fanfare.folder.write("ca.pem", services.authorities)
      try fanfare.folder.write("one.txt", tokenList(1))
      try fanfare.folder.write("list.txt", tokenList(3))
      try fanfare.folder.write("vip.csv", "token,name\n\(tokenText(1)),Ada\n\(tokenText(2)),Bo\n")
      try fanfare.folder.write("hi.json", #"{"aps": {"alert": "Hi {{name|default('you')}}"}}"#)
    }

    var count: Int { services.production.requestCount }

    var place: [String] {
      ["--env", "production", "--ca", "ca.pem", "--proxy", services.proxy.url] + credentials
    }

    func send(_ words: [String]) -> [String] {
      ["send", "--bundle-id", "com.example.app"] + words + place
    }

    /// Runs it on a terminal, where the only question is answered, or none comes.
    func run(_ words: [String], _ answer: String?) throws -> (code: Int32?, screen: String) {
      try runOnTerminal(Fanfare.path, words, answer, in: fanfare.folder)
    }
  }

  /// What is sent, the answer, the exit code, how many pushes arrive, and what the screen says.
  struct Row: CustomTestStringConvertible {
    var words: [String]
    var answer: String?
    var code: Int32 = 0
    var count: Int
    var says = ""
    var testDescription: String { "\(words) \(answer ?? "-")" }
  }

  private static let two = ["--title", "Hi", "--to", tokenText(1), "--to", tokenText(2)]

  static let rows = [
    Row(
      words: two, answer: "n", code: 2, count: 0,
      says: "production: 2 pushes for com.example.app, such as this to …00000001:"),
    Row(words: two, answer: "", code: 2, count: 0, says: "Not confirmed: nothing was sent."),
    Row(words: two, answer: "y", count: 2, says: #"{"aps":{"alert":{"title":"Hi"}}}"#),
    Row(words: two + ["--quiet"], answer: "yes", count: 2),
    Row(words: two + ["--yes"], count: 2), Row(words: two + ["-y"], count: 2),
    Row(words: two + ["--dry-run"], count: 0),
    Row(words: two + ["--limit", "1"], count: 1),
    Row(words: two + ["--limit", "2"], answer: "n", code: 2, count: 0, says: "2 pushes for"),
    Row(words: ["--title", "Hi", "--to", tokenText(1)], count: 1),
    Row(words: ["--title", "Hi", "--tokens", "one.txt"], count: 1),
    Row(
      words: ["--title", "Hi", "--tokens", "list.txt", "--suppress", "one.txt"], answer: "y",
      count: 2, says: "2 pushes for com.example.app, such as this to …00000002:"),
    Row(
      words: ["--payload", "hi.json", "--tokens", "vip.csv"], answer: "y", count: 2, says: "Hi Ada"),
    Row(
      words: ["--channel", "QUJD", "--event", "update", "--content-state", "{}"], answer: "n",
      code: 2, count: 0,
      says: "production: 1 push to channel QUJD of com.example.app, with this payload:"),
    Row(
      words: ["--channel", "QUJD", "--event", "end"], answer: "n", code: 2, count: 0,
      says: "Send it? [y/N]"),
  ]

  @Test("several recipients are confirmed, with their number and one push", arguments: rows)
  func send(_ row: Row) throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      let (code, screen) = try bench.run(bench.send(row.words), row.answer)
      #expect(code == row.code && (row.says.isEmpty || screen.contains(row.says)), "\(screen)")
      #expect(bench.count == row.count)
    }
  }

  @Test("recipients of a pipe are not counted, and their payloads not known")
  func pipe() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      let send = [Fanfare.path] + bench.send(["--payload", "hi.json", "--tokens", "-"])
      let script = "cat list.txt | \"$@\""
      let (code, screen) = try runOnTerminal(
        "/bin/sh", ["-c", script, "sh"] + send, "y", in: fanfare.folder)
      #expect(code == 0 && bench.count == 3, "\(screen)")
      #expect(screen.contains("an unknown number of pushes for com.example.app, each with"))
      let more = ["-c", script, "sh"] + send + ["--to", tokenText(9)]
      let atLeast = try runOnTerminal("/bin/sh", more, "n", in: fanfare.folder)
      #expect(atLeast.code == 2 && atLeast.screen.contains("at least 1 push for"))
    }
  }

  @Test("nothing is asked without a terminal, and one line says so; nor in the sandbox")
  func elsewhere() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      let result = try fanfare.run(bench.send(Self.two))
      #expect(result.exitCode == 0 && bench.count == 2, "\(result.errors)")
      #expect(result.errors == "production: 2 pushes for com.example.app. \(Self.unasked)\n")
      for words in [["--yes"], ["--quiet"], ["--dry-run"], ["--limit", "1"]] {
        let silent = try fanfare.run(bench.send(Self.two) + words)
        #expect(silent.exitCode == 0 && silent.errors == "", "\(silent.errors)")
      }
      let wanted = try fanfare.run(bench.send(Self.two), environment: ["FANFARE_CONFIRM": "no"])
      #expect(wanted.exitCode == 0 && wanted.errors == "", "\(wanted.errors)")
      let words = bench.send(Self.two).map { $0 == "production" ? "sandbox" : $0 }
      #expect(try bench.run(words, nil).code == 0)
    }
  }

  private static let unasked =
    "Nobody was asked, because there is no terminal; --yes says that this is meant."

  @Test(
    "the terminal is asked wherever the streams go",
    arguments: [
      "\"$@\" 2>err.log", "\"$@\" 2>&1 | tee log", "\"$@\" >out.txt 2>&1 </dev/null",
      "cat list.txt | \"$@\" --tokens - 2>err.log",
    ])
  func redirected(_ script: String) throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      let send = ["-c", script, "sh", Fanfare.path] + bench.send(Self.two)
      let refused = try runOnTerminal("/bin/sh", send, "n", in: fanfare.folder)
      #expect(bench.count == 0, "\(refused.screen)")
      _ = try runOnTerminal("/bin/sh", send, "y", in: fanfare.folder)
      #expect(bench.count > 1)
      if script.contains("list.txt") { return }
      let again = ["-c", script, "sh", Fanfare.path, "send", "--again"]
      let resent = try runOnTerminal("/bin/sh", again, "n", in: fanfare.folder)
      #expect(bench.count == 2 && resent.screen.contains("2 pushes for"), "\(resent.screen)")
    }
  }

  @Test("a resumed run is described where it is asked about, also when notices go to a file")
  func resumedIntoFile() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      let busy = BusyDevices.numbers.prefix(2).flatMap { ["--to", tokenText($0)] }
      #expect(try fanfare.run(bench.send(["--title", "Hi"] + busy)).exitCode == 4)
      let words = ["-c", "\"$@\" 2>err.log", "sh", Fanfare.path, "resume", "--now"]
      let refused = try runOnTerminal("/bin/sh", words, "n", in: fanfare.folder)
      #expect(refused.screen.contains("production; 0 pushes are done, 2 are left."))
      #expect(refused.code == 2 && bench.count == 2)
      let unasked = try fanfare.run(["resume", "1", "--now"])
      #expect(unasked.errors.contains("2 are left. \(Self.unasked)\n"), "\(unasked.errors)")
    }
  }

  @Test("a background job is not asked, as reading would stop it")
  func background() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      let script = "set -m; \"$@\" & wait $!"
      let send = ["-c", script, "sh", Fanfare.path] + bench.send(Self.two)
      let (code, screen) = try runOnTerminal("/bin/sh", send, nil, in: fanfare.folder)
      #expect(code == 0 && bench.count == 2 && screen.contains("Nobody was asked"), "\(screen)")
    }
  }

  @Test(
    "FANFARE_CONFIRM and FANFARE_TRUST_PROJECT say yes or no, or nothing is opened",
    arguments: ["FANFARE_CONFIRM", "FANFARE_TRUST_PROJECT"])
  func answers(_ variable: String) throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      func run(_ value: String, _ words: [String]) throws -> Program.Result {
        try fanfare.run(words, environment: [variable: value])
      }
      let needsYes = variable == "FANFARE_CONFIRM"
      for value in ["1", "true", "YES", "On"] {
        #expect(try run(value, bench.send(Self.two)).exitCode == (needsYes ? 2 : 0), "\(value)")
      }
      let before = bench.count
      for value in ["0", "False", "no", "OFF", ""] {
        #expect(try run(value, bench.send(Self.two)).exitCode == 0, "\(value)")
      }
      #expect(bench.count == before + 10)
      let sandbox = bench.send(Self.two).map { $0 == "production" ? "sandbox" : $0 }
      for value in ["2", "yes please", "-1", "jа"] {
        for words in [bench.send(Self.two) + ["--yes"], sandbox, ["resume"], ["work"]] {
          let refused = try run(value, words)
          #expect(refused.exitCode == 2, "\(refused.errors)")
          #expect(refused.errors.contains("\(variable) cannot be '"), "\(refused.errors)")
          #expect(refused.errors.contains("1, true, yes or on, or else 0, false, no or off"))
        }
      }
      #expect(bench.count == before + 10 && bench.services.sandbox.requestCount == 0)
    }
  }

  @Test("with FANFARE_CONFIRM the question is an error without a terminal, unless there is --yes")
  func required() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      func run(_ words: [String], _ value: String = "1") throws -> Program.Result {
        try fanfare.run(words, environment: ["FANFARE_CONFIRM": value])
      }
      let refused = try run(bench.send(Self.two))
      #expect(refused.exitCode == 2 && bench.count == 0, "\(refused.errors)")
      #expect(
        refused.errors.hasPrefix(
          "fanfare: error: production: 2 pushes for com.example.app, such as this to …00000001: "))
      #expect(refused.errors.hasSuffix("Send them?\n  Give --yes to answer yes.\n"))
      #expect(try run(bench.send(Self.two), "0").exitCode == 0 && bench.count == 2)
      #expect(try run(bench.send(Self.two) + ["--yes"]).exitCode == 0 && bench.count == 4)
      let one = bench.send(["--title", "Hi", "--to", tokenText(1)])
      #expect(try run(one).exitCode == 0 && bench.count == 5)
      let busy = BusyDevices.numbers.prefix(2).flatMap { ["--to", tokenText($0)] }
      #expect(try fanfare.run(bench.send(["--title", "Hi"] + busy)).exitCode == 4)
      let resume = try run(["resume", "--now"])
      #expect(resume.exitCode == 2 && resume.errors.contains("2 are left. Send what is left?"))
      #expect(bench.count == 7)
      #expect(try run(["resume", "--now", "--yes"]).exitCode == 0 && bench.count == 9)
      try fanfare.folder.write(
        "s.json5",
        """
        {bundleID: "a.b", recipients: ["\(device("0a1b"))", "\(device("0a1c"))"],
         notification: {payload: {aps: {alert: "1"}}}}
        """)
      let scenario = try run(["run", "s.json5"] + bench.place)
      #expect(scenario.exitCode == 2 && scenario.errors.contains("2 pushes for a.b"))
      #expect(bench.count == 9)
    }
  }

  @Test("a device of another environment is confirmed, and without a terminal needs --yes")
  func deviceElsewhere() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      _ = try fanfare.run(["device", "add", "sbx", tokenText(1), "--env", "sandbox"])
      try fanfare.folder.write(
        "s.json5",
        """
        {bundleID: "a.b", environment: "production", recipients: ["device:sbx"],
         notification: {payload: {aps: {alert: "1"}}}}
        """)
      let place = Array(bench.place.dropFirst(2))
      for words in [bench.send(["--title", "Hi", "--to", "sbx"]), ["run", "s.json5"] + place] {
        let before = bench.count
        let refused = try fanfare.run(words)
        #expect(refused.exitCode == 2 && refused.errors.contains("'sbx' is for sandbox, and "))
        #expect(refused.errors.contains("--yes"), "\(refused.errors)")
        #expect(try bench.run(words, "n").code == 2 && bench.count == before)
        #expect(try bench.run(words, "y").code == 0 && bench.count == before + 1)
        #expect(try fanfare.run(words + ["--yes"]).exitCode == 0 && bench.count == before + 2)
      }
      let own = ["send", "--bundle-id", "a.b", "--title", "Hi", "--to", "sbx"] + place
      #expect(try fanfare.run(own).exitCode == 0)
      #expect(try fanfare.run(bench.send(["--title", "Hi", "--to", tokenText(1)])).exitCode == 0)
    }
  }

  @Test("so is a device of what is resent or resumed somewhere else than it was sent to")
  func deviceOfEarlierRun() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      let device = tokenText(BusyDevices.numbers.lowerBound)
      _ = try fanfare.run(["device", "add", "sbx", device, "--env", "sandbox"])
      let sandbox = bench.send(["--title", "Hi", "--to", device]).map {
        $0 == "production" ? "sandbox" : $0
      }
      #expect(try fanfare.run(sandbox).exitCode == 4)
      let resume = ["resume", "1", "--now"]
      for words in [["history", "resend", "1"], ["history", "resend", "last"], resume] {
        let refused = try fanfare.run(words + bench.place)
        #expect(refused.exitCode == 2 && bench.count == 0, "\(refused.errors)")
        #expect(
          refused.errors.contains("'sbx' is for sandbox, and --env sends to production."),
          "\(refused.errors)")
        #expect(refused.errors.contains("give --yes to send there"))
      }
      let resend = ["history", "resend", "1"] + bench.place
      #expect(try bench.run(resend, "n").code == 2 && bench.count == 0)
      #expect(try fanfare.run(resend + ["--yes"]).exitCode == 4 && bench.count == 1)
      // A resend is resumed as the run itself.
      let again = try fanfare.run(["resume", "2", "--now"] + bench.place)
      #expect(again.exitCode == 2 && again.errors.contains("'sbx' is for sandbox"))
      #expect(try fanfare.run(["resume", "2", "--now"]).exitCode == 0 && bench.count == 2)
    }
  }

  @Test("scenarios are confirmed once for all steps")
  func scenarios() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      try fanfare.folder.write(
        "s.json5",
        """
        {bundleID: "a.b", recipients: ["\(device("0a1b"))", "\(device("0a1c"))"], steps: [
          {notification: {payload: {aps: {alert: "1"}}}},
          {notification: {payload: {aps: {alert: "2"}}}}]}
        """)
      let run = ["run", "s.json5"] + bench.place
      let refused = try bench.run(run, "n")
      #expect(refused.code == 2 && bench.count == 0, "\(refused.screen)")
      #expect(
        refused.screen.contains(
          "production: 4 pushes for a.b, such as this to \(deviceTail("0a1b")):"))
      #expect(try bench.run(run, "y").code == 0 && bench.count == 4)
      #expect(try bench.run(run + ["--yes"], nil).code == 0 && bench.count == 8)
    }
  }

  @Test("a channel of a scenario is confirmed, also with a limit of one push")
  func channel() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      try fanfare.folder.write(
        "s.json5",
        """
        {bundleID: "a.b", channel: "QUJD", notification: {type: "liveactivity",
          payload: {aps: {event: "update", timestamp: 1700000000, "content-state": {}}}}}
        """)
      let (code, screen) = try bench.run(["run", "s.json5", "--limit", "1"] + bench.place, "n")
      #expect(code == 2 && bench.count == 0 && screen.contains("to channel QUJD of a.b"))
    }
  }

  @Test("what is repeated, resent or resumed is confirmed")
  func later() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      let busy = BusyDevices.numbers.prefix(2).flatMap { ["--to", tokenText($0)] }
      let first = try fanfare.run(bench.send(["--title", "Hi"] + busy))
      #expect(first.exitCode == 4 && bench.count == 2, "\(first.errors)")
      let again = try bench.run(["send", "--again"], "n")
      #expect(again.code == 2 && again.screen.contains("Repeats run 1"), "\(again.screen)")
      let resend = try bench.run(["history", "resend", "1"], "n")
      #expect(resend.code == 2 && resend.screen.contains("2 pushes for"), "\(resend.screen)")
      let resume = try bench.run(["resume", "--now"], "n")
      #expect(resume.code == 2 && bench.count == 2, "\(resume.screen)")
      #expect(resume.screen.contains("com.example.app, production; 0 pushes are done, 2 are left."))
      #expect(try bench.run(["resume", "--now", "--quiet"], "y").code == 0 && bench.count == 4)
      #expect(try bench.run(["history", "resend", "1", "--yes"], nil).code == 0)
    }
  }

  @Test("without a terminal a run is resumed only by its number, or with --yes")
  func unattended() throws {
    for words in [["1"], ["--yes"]] {
      try withFanfare { fanfare in
        let bench = try Bench(fanfare)
        let busy = BusyDevices.numbers.prefix(2).flatMap { ["--to", tokenText($0)] }
        #expect(try fanfare.run(bench.send(["--title", "Hi"] + busy)).exitCode == 4)
        let refused = try fanfare.run(["resume", "--now"])
        #expect(refused.exitCode == 2 && bench.count == 2, "\(refused.errors)")
        #expect(refused.errors.contains("is not sent to production without its number or --yes"))
        #expect(refused.errors.contains("'fanfare resume 1'"))
        #expect(try fanfare.run(["resume", "--now"] + words).exitCode == 0 && bench.count == 4)
      }
    }
  }

  @Test("a run of more than a day ago is resumed only when that is confirmed, wherever it goes")
  func old() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 5000, in: fanfare)
      _ = try run.send(signal: SIGINT, atRequest: 100)
      try run.history.execute("UPDATE runs SET started = started - 90000000")
      let path = Fanfare.path
      let refused = try runOnTerminal(path, ["resume"], "n", in: fanfare.folder)
      #expect(refused.code == 2 && refused.screen.contains("Run 1 of "), "\(refused.screen)")
      #expect(try runOnTerminal(path, ["resume"], "y", in: fanfare.folder).code == 0)
      run.expectNobodyLost()
      run.expectNobodyTwice()
    }
  }
}

/// Runs a program on a terminal.
///
/// - Parameter answer: what is typed at the only question; nil where none may come.
private func runOnTerminal(
  _ path: String, _ words: [String], _ answer: String?, in folder: TemporaryFolder
) throws -> (code: Int32?, screen: String) {
  let program = try TerminalProgram(path: path, words, in: folder)
  if let answer {
    #expect(program.wait(for: "[y/N] "), "\(program.screen)")
    program.type(answer + "\n")
  }
  let code = program.finish()
  let asked = program.screen.components(separatedBy: "[y/N]").count - 1
  #expect(asked == (answer == nil ? 0 : 1), "\(program.screen)")
  return (code, program.screen)
}
