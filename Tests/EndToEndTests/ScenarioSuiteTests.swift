import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare run with steps and expectations")
struct ScenarioSuiteTests {
  @Test("A step that is not as expected is the last of its scenario; the others go on")
  func failure() throws {
    try withFanfare { fanfare in
      let result = try runFailing(fanfare)
      #expect(result.exitCode == 1, "\(result.errors)")
      #expect(
        result.output
          == """
          A  s/a.json5
            FAIL 1 first  0 of 1 accepted  p99 MS
                  status: wanted 200, got 410 Unregistered for 1 of 1: \(deviceTail("dead0a"))
            -    2
                  not run: step 1 was not as expected
                  fanfare run s/a.json5 --from 2

          B  s/b.json5
            ok   1  1 of 1 accepted  p99 MS

          2 scenarios, 3 steps: 1 passed, 1 failed, 1 not run

          """.withLatency(of: result.output))
    }
  }

  @Test("In JSON a step that is not as expected says what was missed, and why the rest is not run")
  func failureInJSON() throws {
    try withFanfare { fanfare in
      let lines = try runFailing(fanfare, "--json").output.split(separator: "\n")
        .map { try JSON(text: $0) }
      #expect(lines.map { $0["scenario"] } == ["A", "A", "B"])
      #expect(lines.map { $0["passed"] } == [false, false, true])
      let tail = deviceTail("dead0a")
      let answer: JSON = [
        "status": 410, "reason": "Unregistered", "outcome": nil, "count": 1,
        "tokens": [JSON(.string(tail))],
      ]
      let missed: JSON = [
        "expectation": "status", "wanted": 200, "got": ["410": 1], "answers": [answer],
      ]
      let why = "status: wanted 200, got 410 Unregistered for 1 of 1: \(tail)"
      #expect(lines[0]["missed"] == [missed])
      #expect(lines[0]["why"] == [JSON(.string(why))])
      #expect(lines[1]["notRun"] == "not run: step 1 was not as expected")
    }
  }

  /// Runs two scenarios; the first step of the first is not as expected.
  private func runFailing(_ fanfare: Fanfare, _ words: String...) throws -> Program.Result {
    try fanfare.folder.makeFolder("s")
    try fanfare.folder.write(
      "s/a.json5", ScenarioText.dead(expecting: "{status: 200}", more: true))
    try fanfare.folder.write("s/b.json5", ScenarioText.good("B"))
    try fanfare.folder.write("dead.json5", ScenarioText.script)
    return try fanfare.run(["run", "s", "--script", "dead.json5", "--no-history"] + words)
  }

  @Test("A scenario's script that another server does not get is told, with --strict as an error")
  func idleScript() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("a.json5", ScenarioText.scripted)
      try fanfare.folder.write("dead.json5", ScenarioText.script)
      let said = "a.json5 has an emulator script, which is not used: its pushes go to "
      #expect(try !fanfare.run(["run", "a.json5"]).errors.contains(said))
      let server = try Server(fanfare)
      let words = ["run", "a.json5"] + server.place + credentials
      let told = try fanfare.run(words)
      #expect(told.exitCode == 0 && told.errors.contains("\(said)\(server.emulator.url)."))
      #expect(told.errors.contains("Give '--env emulator' to use it."))
      #expect(try !fanfare.run(words + ["--quiet"]).errors.contains(said))
      let strict = try fanfare.run(words + ["--strict"])
      #expect(strict.exitCode == 2 && strict.errors.contains(said), "\(strict.errors)")
      #expect(server.emulator.requestCount == 2)
    }
  }

  static let expectations: [(expect: String, isMet: Bool)] = [
    ("{status: 410}", true), ("{status: 410, reason: 'Unregistered'}", true),
    ("{reason: 'BadDeviceToken'}", false), ("{acceptedAtLeast: 0}", true),
    ("{acceptedAtLeast: 0.01}", false), ("{acceptedAtLeast: 0, status: 410}", true),
    ("{acceptedAtLeast: 0, status: 400}", false), ("{latencyP99Below: '1h'}", false),
  ]

  @Test("An expectation decides, whatever the answers are", arguments: expectations)
  func expectation(_ row: (expect: String, isMet: Bool)) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("a.json5", ScenarioText.dead(expecting: row.expect, more: false))
      try fanfare.folder.write("dead.json5", ScenarioText.script)
      let result = try fanfare.run(["run", "a.json5", "--script", "dead.json5"])
      #expect(result.exitCode == (row.isMet ? 0 : 1), "\(result.output)")
      #expect(result.output.contains(row.isMet ? "as expected\n" : "not as expected: "))
      #expect(!result.output.contains("fanfare resume"))
    }
  }

  /// Four scenarios, of which one extends a base that sends nothing itself.
  private func writeScenarios(in folder: TemporaryFolder) throws {
    try folder.makeFolder("scenarios/more")
    try folder.write("scenarios/a.json5", ScenarioText.good("Order ready"))
    try folder.write("scenarios/more/b.json5", ScenarioText.twoSteps(wait: "1ms"))
    try folder.write(
      "scenarios/base.json5", "{notification: {expiration: '1h'}, expect: {status: 200}}")
    try folder.write(
      "scenarios/c.json5",
      "{extends: 'base.json5', bundleID: 'a.b', environment: 'emulator', "
        + "recipients: ['\(device("0c"))'], notification: {payload: {aps: {alert: 'c'}}}}")
    try folder.write("scenarios/d.json5", ScenarioText.good("Shop/Order"))
  }

  @Test("A scenario is found by its name, and all are listed")
  func byName() throws {
    try withFanfare { fanfare in
      try writeScenarios(in: fanfare.folder)
      for name in ["Order ready", "a", "Shop/Order"] {
        let result = try fanfare.run(["run", name])
        #expect(result.exitCode == 0 && result.output.contains("accepted"), "\(result)")
      }
      let listed = """
        scenario           steps  file
        Order ready            1  scenarios/a.json5
        scenarios/c.json5      1  scenarios/c.json5
        Shop/Order             1  scenarios/d.json5
        A                      2  scenarios/more/b.json5

        """
      #expect(try fanfare.run(["run", "--list"]).output == listed)
      #expect(try fanfare.run(["run", "--list", "scenarios/more"]).output.hasSuffix("b.json5\n"))
      let all = try fanfare.run(["run", "scenarios"])
      #expect(all.exitCode == 0 && !all.output.contains("base.json5"), "\(all)")
      let checked = try fanfare.run(["check", "scenarios"])
      #expect(checked.output == "4 scenarios: no problems\n", "\(checked)")
    }
  }

  @Test("A scenario whose name is mistyped is suggested")
  func mistypedName() throws {
    try withFanfare { fanfare in
      try writeScenarios(in: fanfare.folder)
      let mistyped = try fanfare.run(["run", "Order redy"])
      #expect(mistyped.exitCode == 2)
      #expect(mistyped.errors.contains("There is no scenario 'Order redy'."))
      #expect(mistyped.errors.contains("'Order ready'"))
      let file = try fanfare.run(["run", "b.jsn5"])
      #expect(file.errors.contains("Did you mean 'b.json5'?"), "\(file)")
      let none = try fanfare.run(["run"])
      #expect(none.exitCode == 2 && none.errors.hasPrefix("fanfare: Missing argument FILE."))
    }
  }

  @Test("A scenario is found by its name from every folder of the project", .needs("sh"))
  func byNameInProject() throws {
    try withFanfare { fanfare in
      try fanfare.folder.makeFolder("scenarios")
      try fanfare.folder.makeFolder("Sources/App")
      try fanfare.folder.write("scenarios/a.json5", ScenarioText.good("Order ready"))
      try fanfare.folder.write("fanfare.json", "{}")
      func inApp(_ words: String...) throws -> Program.Result {
        let line = "cd Sources/App && exec \"$0\" run \"$@\""
        return try run("sh", ["-c", line, Fanfare.path] + words, in: fanfare.folder)
      }
      for name in ["Order ready", "a", "a.json5"] {
        let result = try inApp(name)
        #expect(result.exitCode == 0 && result.output.contains("accepted"), "\(result)")
      }
      #expect(try inApp("--list").output.hasSuffix(" ../../scenarios/a.json5\n"))
      let mistyped = try inApp("Order redy")
      #expect(mistyped.exitCode == 2 && mistyped.errors.contains("Did you mean 'Order ready'?"))
    }
  }

  @Test("Steps go out in order, to their own recipients, and into one file of results")
  func steps() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      try fanfare.folder.write(
        "ride.json5",
        """
        {bundleID: "a.b", recipients: ["\(device("0b0b"))"], steps: [
          {notification: {payload: {aps: {alert: "1"}}}, recipients: ["\(device("0a0a"))"]}, {wait: "1ms"},
          {notification: {payload: {aps: {alert: "2"}}}},
          {notification: {payload: {aps: {alert: "3"}}}},
        ]}
        """)
      let words = ["run", "ride.json5", "--results", "r.csv"] + server.place + credentials
      let result = try fanfare.run(words)
      #expect(result.exitCode == 0, "\(result.errors)")
      let rows = try fanfare.folder.text("r.csv").split(whereSeparator: \.isNewline)
      #expect(rows.count == 4 && rows[0].hasPrefix("sequence,"))
      #expect(rows.dropFirst().map { $0.contains(device("0a0a")) } == [true, false, false])
      #expect(rows[0].hasSuffix(",answeredAt,skippedFor,channel,scenario,step"))
      #expect(rows.dropFirst().map { $0.hasSuffix(",ride.json5,1") } == [true, false, false])
      #expect(rows[3].hasSuffix(",ride.json5,3"))
      #expect(server.emulator.requestCount == 3)
      let runs = try fanfare.run(["history", "list", "--json"]).output.split(separator: "\n")
      #expect(try runs.map { try JSON(text: $0)["step"] } == [3, 2, 1])
    }
  }

  @Test("Rows that resume adds to the results of a scenario name it too")
  func resumed() throws {
    try withFanfare { fanfare in
      let script =
        "{rules: [{when: {nth: 1}, answer: {status: 503, reason: 'ServiceUnavailable'}}]}"
      try fanfare.folder.write("busy.json5", script)
      try fanfare.folder.write("a.json5", ScenarioText.good("A"))
      let results = ["--results", "r.csv"]
      let first = try fanfare.run(["run", "a.json5", "--script", "busy.json5"] + results)
      #expect(first.exitCode == 4, "\(first.errors)")
      let second = try fanfare.run(["resume", "--now"] + results)
      #expect(second.exitCode == 0, "\(second.errors)")
      let rows = try fanfare.folder.text("r.csv").split(whereSeparator: \.isNewline)
      #expect(rows.count == 3 && rows.dropFirst().allSatisfy { $0.hasSuffix(",A,1") }, "\(rows)")
    }
  }

  @Test("Scenarios with the same key share a connection to a server; another key has its own")
  func sharing() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.journal = .file(fanfare.folder.file("journal.jsonl"))
      let server = try Server(fanfare, configuration)
      try fanfare.folder.makeFolder("keys")
      try fanfare.folder.writeSecret("keys/AuthKey_ABC123DEFG.p8", fanfare.folder.text(keyFile))
      try fanfare.folder.writeSecret("AuthKey_XYZ123DEFG.p8", freshKey())
      let keys = [keyFile, "keys/AuthKey_ABC123DEFG.p8", "AuthKey_XYZ123DEFG.p8", keyFile]
      for (index, key) in keys.enumerated() {
        try fanfare.folder.write(
          "\(index).json5",
          """
          {bundleID: "app.number\(index)", recipients: ["\(device("0a0\(index)"))"],
           environment: {server: "\(server.emulator.url)", ca: "ca.pem"},
           credentials: {key: "\(key)", teamID: "DEF123GHIJ"},
           notification: {payload: {aps: {alert: "\(index)"}}}}
          """)
      }
      let result = try fanfare.run(["run", "."])
      #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
      server.emulator.stop()
      let entries = try fanfare.folder.lines("journal.jsonl").map { try JSON(text: $0) }
      #expect(entries.map { $0["connection"] } == [1, 1, 2, 1])
    }
  }

  @Test("A list in a pipe with a name is opened once, and only by one step")
  func pipe() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("a.json5", ScenarioText.good("A"))
      let pipe = fanfare.folder.file("list.txt")
      #expect(mkfifo(pipe, 0o600) == 0)
      let writer = try Program(
        path: "/bin/sh", ["-c", "printf '\(device("0a1b"))\\n\(device("0a1c"))\\n' > list.txt"],
        in: fanfare.folder)
      let result = try fanfare.run(["run", "a.json5", "--tokens", "list.txt", "--json"])
      #expect(try writer.finish().exitCode == 0)
      #expect(try JSON(text: result.output)["accepted"] == 2)
      let words = ["run", "a.json5", "a.json5", "--tokens", "list.txt"]
      let twice = try fanfare.run(words)
      #expect(twice.exitCode == 2 && twice.errors.contains("so not by several scenarios."))
    }
  }

  @Test("--only runs the scenarios of a name or a file, and names near ones")
  func only() throws {
    try withFanfare { fanfare in
      for name in ["apple", "berry"] {
        try fanfare.folder.write("\(name).json5", ScenarioText.good("The \(name)"))
      }
      let words = ["run", ".", "--env", "emulator", "--json", "--only"]
      for name in ["The berry", "berry.json5", "berry"] {
        let lines = try fanfare.run(words + [name]).output.split(separator: "\n")
        #expect(try lines.map { try JSON(text: $0)["scenario"] } == ["The berry"])
      }
      let wrong = try fanfare.run(words + ["The bery"])
      #expect(wrong.exitCode == 2 && wrong.errors.contains("Did you mean 'The berry'?"))
    }
  }

  @Test("Several at once tell the same as one after the other")
  func parallel() throws {
    try withFanfare { fanfare in
      try fanfare.folder.makeFolder("s")
      for index in 1...9 {
        try fanfare.folder.write("s/\(index).json5", ScenarioText.good("\(index)"))
      }
      let result = try fanfare.run(["run", "s", "--parallel", "4", "--tap", "t.tap"])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.output.hasSuffix("\n9 scenarios, 9 steps: 9 passed\n"))
      let points = try fanfare.folder.text("t.tap").split(separator: "\n").dropFirst(2)
      #expect(points.elementsEqual((1...9).map { "ok \($0) - \($0): step 1" }))
    }
  }

  @Test("Credentials that are not here are made up for the emulator, and for nobody else")
  func madeUp() throws {
    try withFanfare { fanfare in
      let text = """
        {bundleID: "a.b", credentials: {cert: {env: "NO_CERT"}}, recipients: ["\(device("0a1b"))"],
         notification: {payload: {aps: {alert: "Hi"}}}}
        """
      try fanfare.folder.write("a.json5", text)
      let emulated = try fanfare.run(["run", "a.json5", "--env", "emulator"])
      #expect(emulated.exitCode == 0)
      #expect(emulated.errors.contains("credentials: made up for the emulator: NO_CERT"))
      let real = try fanfare.run(["run", "a.json5", "--env", "sandbox"])
      #expect(real.exitCode == 2 && real.errors.contains("NO_CERT"))
    }
  }

  @Test("On GitHub a failed step and a broken rule are shown beside their lines")
  func annotations() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("a.json5", ScenarioText.dead(expecting: "{status: 200}", more: true))
      try fanfare.folder.write("dead.json5", ScenarioText.script)
      try fanfare.folder.write("b.json5", "{\nnam: 'x', notification: {payload: {aps: {}}}}")
      let github = ["GITHUB_ACTIONS": "true"]
      let result = try fanfare.run(
        ["run", "a.json5", "--script", "dead.json5"], environment: github)
      let wanted = "::error file=a.json5,line=2,title=A%2C step 1 first::status: wanted 200"
      #expect(result.errors.contains(wanted), "\(result.errors)")
      for command in ["run", "check"] {
        let broken = try fanfare.run([command, "b.json5"], environment: github)
        #expect(broken.errors.contains("::error file=b.json5,line=2,col=1,title=scenario-key::"))
      }
      #expect(!(try fanfare.run(["run", "b.json5"]).errors.contains("::error")))
    }
  }

  @Test("GitHub's summary is appended to, any other report is written anew")
  func summary() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("a.json5", ScenarioText.good("A"))
      try fanfare.folder.write("sum.md", "before\n")
      let words = ["run", "a.json5", "--markdown", "sum.md"]
      let result = try fanfare.run(words, environment: ["GITHUB_STEP_SUMMARY": "sum.md"])
      #expect(result.exitCode == 0)
      #expect(try fanfare.folder.text("sum.md").hasPrefix("before\n## fanfare: passed\n"))
      _ = try fanfare.run(words)
      #expect(try fanfare.folder.text("sum.md").hasPrefix("## fanfare: passed\n"))
    }
  }

  @Test("Ctrl-C during a wait ends it, and the report says what was not run")
  func interrupted() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "a.json5",
        """
        {name: "A", bundleID: "a.b", environment: "emulator", recipients: ["\(device("0a1b"))"], steps: [
          {notification: {payload: {aps: {alert: "1"}}}}, {wait: "1h"},
          {notification: {payload: {aps: {alert: "2"}}}}]}
        """)
      let program = try fanfare.start(["run", "a.json5", "--tap", "r.tap", "--json"])
      #expect(program.readLine()?.contains("\"step\":1") == true)
      program.send(SIGINT)
      let result = try program.finish()
      #expect(result.exitCode == 130)
      let report = try fanfare.folder.text("r.tap")
      #expect(report.contains("ok 1 - A: step 1\n"))
      #expect(report.contains("ok 2 - A: step 2 # SKIP not run: interrupted\n"))
    }
  }

  @Test("--from begins with a later step, after what was before it, and without its wait")
  func from() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("a.json5", ScenarioText.twoSteps(wait: "1h"))
      let result = try fanfare.run(["run", "a.json5", "--from", "2", "--json"])
      #expect(result.exitCode == 0, "\(result.errors)")
      let lines = try result.output.split(separator: "\n").map { try JSON(text: $0)["step"] }
      #expect(lines == [2])
      #expect(try fanfare.run(["history", "list"]).output.contains("A (step 2)"))
      let none = try fanfare.run(["run", "a.json5", "--from", "3"])
      #expect(none.exitCode == 2 && none.errors.contains("Its steps are 1 to 2."))
    }
  }

  @Test("Each scenario goes through the proxy of its own profile", arguments: ["a b", "b a"])
  func proxies(_ order: String) throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      try fanfare.folder.write(
        "fanfare.json",
        """
        {profiles: {
          a: {environment: {server: "\(server.emulator.url)", ca: "ca.pem"},
              proxy: "http://127.0.0.1:1"},
          b: {environment: {server: "\(server.emulator.url)", ca: "ca.pem"}}}}
        """)
      for name in ["a", "b"] {
        try fanfare.folder.write(
          "\(name).json5",
          """
          {name: "\(name)", profile: "\(name)", bundleID: "a.b", recipients: ["\(device("0a1b"))"],
           notification: {payload: {aps: {alert: "Hi"}}}}
          """)
      }
      let files = order.split(separator: " ").map { "\($0).json5" }
      let words = ["--json", "--timeout", "2s", "--trust-project"]
      let result = try fanfare.run(["run"] + files + credentials + words)
      let lines = try result.output.split(separator: "\n").map { try JSON(text: $0) }
      let passed = lines.map { "\($0["scenario"]?.string ?? "") \($0["passed"] == true)" }
      #expect(passed.sorted() == ["a false", "b true"], "\(result.errors)")
      #expect(server.emulator.requestCount == 1)
    }
  }

  @Test("A payload on standard input, and lists that can be read once, are read once")
  func inputs() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("a.json5", ScenarioText.good("A"))
      let payload = #"{"aps": {"alert": "Other"}}"#
      try fanfare.folder.write("p.json", payload)
      let read = try fanfare.run(
        ["run", "a.json5", "--payload", "-", "--json"], input: .file(fanfare.folder.file("p.json")))
      #expect(read.exitCode == 0, "\(read.errors)")
      #expect(mkfifo(fanfare.folder.file("list.txt"), 0o600) == 0)
      try fanfare.folder.write(
        "b.json5",
        ScenarioText.twoSteps(wait: "1s").replacing(#""\#(device("0a1b"))""#, with: #""list.txt""#))
      let twice = try fanfare.run(["run", "b.json5"])
      #expect(twice.exitCode == 2 && twice.errors.contains("list.txt' can be read only once"))
    }
  }

  @Test("No name of a scenario is a command of GitHub Actions, and --dry-run makes no report")
  func names() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "a.json5", ScenarioText.twoSteps(wait: "1ms", name: "::stop-commands::x"))
      let result = try fanfare.run(["run", "a.json5"], environment: ["GITHUB_ACTIONS": "true"])
      #expect(result.exitCode == 0)
      #expect(result.output.split(separator: "\n").allSatisfy { !$0.hasPrefix("::") })
      let idle = try fanfare.run(["run", "a.json5", "--dry-run", "--junit", "r.xml"])
      #expect(
        idle.exitCode == 2 && idle.errors.contains("'--dry-run' and '--junit' cannot be used"))
    }
  }
}

extension String {
  /// This text, in which `MS` stands for the latencies of another, in order.
  fileprivate func withLatency(of other: String) -> String {
    let times = other.split(separator: "p99 ").dropFirst().map { $0.prefix { $0 != "\n" } }
    var parts = split(separator: "MS", omittingEmptySubsequences: false).map(String.init)
    for (index, time) in times.enumerated() where index < parts.count - 1 {
      parts[index] += time
    }
    return parts.joined()
  }
}
