import APNS
import JSONText
import PushModel
import Recipients
import Settings
import Testing

@Suite("Scenario files")
struct ScenarioReaderTests {
  @Test("A notification alone is one step, to the scenario's recipients")
  func oneStep() throws {
    let scenario = try read(
      """
      {name: "Order", recipients: ["0a1b", "beta.csv"], expect: {status: 200},
       notification: {type: "alert", priority: 5, payload: "order.json"}}
      """)
    let step = try #require(scenario.steps.first)
    #expect(scenario.steps.count == 1 && step.number == 1 && step.pauseMilliseconds == 0)
    #expect(step.recipients.map(\.name) == ["app/s.json5: recipients[0]", "app/beta.csv"])
    #expect(step.fields.map(\.name) == ["apns-push-type", "apns-priority"])
    #expect(step.payload?.file == "app/order.json")
    #expect(step.expectation?.status == .accepted)
  }

  @Test("Steps have recipients and expectations of their own, and waits between them")
  func steps() throws {
    let scenario = try read(
      """
      {recipients: ["0a1b"], expect: {acceptedAtLeast: 0.5}, steps: [
        {wait: "1s"},
        {name: "start", notification: {payload: {aps: {}}}, recipients: ["0c0d"]},
        {wait: "2s"}, {wait: "500ms"},
        {notification: {payload: {aps: {}}}, expect: {status: 410, reason: "Unregistered"}},
      ]}
      """)
    #expect(scenario.steps.map(\.number) == [1, 2])
    #expect(scenario.steps.map(\.name) == ["start", nil])
    #expect(scenario.steps.map(\.pauseMilliseconds) == [1000, 2500])
    #expect(scenario.steps[0].recipients.map(\.name) == ["app/s.json5: steps[1].recipients[0]"])
    #expect(scenario.steps[1].recipients.map(\.name) == ["app/s.json5: recipients[0]"])
    #expect(scenario.steps[0].expectation?.acceptedAtLeast == 0.5)
    #expect(scenario.steps[1].expectation?.reason == .unregistered)
    #expect(scenario.steps[1].origin.position?.line == 5)
  }

  @Test("What a scenario leaves out is as in the file that it extends, whose paths are its own")
  func extends() throws {
    let scenario = try read(
      """
      {extends: "base/base.json5", variables: {shop: "B"}, notification: {priority: 5}}
      """,
      files: [
        "app/base/base.json5": """
        {extends: "../root.json5", variables: {shop: "A", tables: 7},
         credentials: {key: "k.p8", teamID: "DEF123GHIJ"},
         notification: {type: "alert", priority: 10, payload: "p.json"}}
        """,
        "app/base/../root.json5": """
        {name: "Root", bundleID: "a.b", environment: {server: "https://a.example", ca: "ca.pem"}}
        """,
      ])
    #expect(scenario.name == "Root" && scenario.settings.bundleID?.value == "a.b")
    #expect(scenario.settings.serverCA?.value == "app/base/../ca.pem")
    #expect(scenario.settings.variables.mapValues(\.value) == ["shop": "B", "tables": 7])
    let step = try #require(scenario.steps.first)
    #expect(step.fields.map(\.value).sorted() == ["5", "alert"])
    #expect(step.payload?.file == "app/base/p.json")
    #expect(scenario.settings.key?.value == .file("app/base/k.p8"))
    #expect(scenario.settings.key?.origin == .file("app/s.json5"))
  }

  @Test("A scenario with steps takes none of the notification that it extends")
  func stepsOverNotification() throws {
    let scenario = try read(
      "{extends: 'b.json5', steps: [{notification: {payload: {aps: {}}}}]}",
      files: ["app/b.json5": "{notification: {type: 'voip', payload: {a: 1}}}"])
    #expect(scenario.steps[0].fields.isEmpty)
  }

  @Test("The emulator may get a script, and a profile may be named")
  func places() throws {
    let scenario = try read(
      """
      {environment: {emulator: {script: "bad.json5"}}, profile: "staging",
       credentials: {profile: "live"}, notification: {payload: {}}}
      """)
    #expect(scenario.settings.environment?.value == .named(.emulator))
    #expect(scenario.script == "app/bad.json5")
    #expect(scenario.settings.profile?.value == "staging")
    #expect(scenario.settings.credentialsProfile?.value == "live")
  }

  @Test(
    "The script of the file that it extends is for the environment of that file",
    arguments: [
      ("", "app/bad.json5"), ("environment: 'sandbox'", nil), ("environment: 'emulator'", nil),
      ("environment: {emulator: {script: 'own.json5'}}", "app/own.json5"),
    ])
  func scriptBelow(_ row: (text: String, script: String?)) throws {
    let scenario = try read(
      "{extends: 'b.json5', \(row.text)}",
      files: [
        "app/b.json5": """
        {environment: {emulator: {script: "bad.json5"}}, notification: {payload: {}}}
        """
      ])
    #expect(scenario.script == row.script)
  }

  @Test(
    "The number of connections is the scenario's own, or that of the file that it extends",
    arguments: [("", "8"), ("connections: 4", "4"), ("connections: 'auto'", "auto")])
  func connections(_ row: (text: String, count: String)) throws {
    let scenario = try read(
      "{extends: 'b.json5', notification: {payload: {}}, \(row.text)}",
      files: ["app/b.json5": "{connections: 8}"])
    #expect(scenario.settings.connections?.value.text == row.count)
    #expect(scenario.settings.connections?.origin == .file("app/s.json5"))
  }

  @Test("A file with a number of connections may be a base; an object of them makes it a script")
  func outline() {
    let files = [
      "a.json5": "{extends: 'b.json5', notification: {payload: {}}}", "b.json5": "{connections: 4}",
      "c.json5": "{connections: {limit: 1}}",
    ]
    let folder = ScenarioFolder(files.keys.sorted(), home: nil) { files[$0].map { Array($0.utf8) } }
    #expect(folder.scenarios == ["a.json5"] && folder.bases == ["b.json5"])
  }

  static let bases: [(file: String, text: String, isBase: Bool)] = [
    ("b.json5", "{notification: {expiration: '1h'}}", true), ("b.json5", "{bundleID: 'a.b'}", true),
    ("b.json5", "{notification: {payload: {}}}", false), ("b.json5", "{steps: []}", false),
    ("x/base.json5", "{notification: {type: 'alert'}}", true),
    ("x/shop.base.json5", "{bundleID: 'a.b'}", true),
    ("x/database.json5", "{bundleID: 'a.b'}", false),
    ("x/base.json5", "{notification: {payload: {}}}", false), ("x/base.json5", "oh no", false),
  ]

  @Test("A base has no payload, and is extended or called base", arguments: bases)
  func base(_ row: (file: String, text: String, isBase: Bool)) {
    let files = [
      "a.json5": "{extends: 'b.json5', notification: {payload: {}}}", row.file: row.text,
    ]
    let folder = ScenarioFolder(files.keys.sorted(), home: nil) { files[$0].map { Array($0.utf8) } }
    #expect(folder.bases == (row.isBase ? [row.file] : []))
  }

  static let broken: [(text: String, rule: String, place: String, says: String)] = [
    (
      "{steps: [], notification: {payload: {}}}", "value", "notification", "cannot be used together"
    ),
    ("{steps: []}", "value", "steps", "no notification"),
    ("{steps: [{wait: '2s'}]}", "value", "steps", "no notification"),
    ("{steps: [{notification: {payload: {}}}, {wait: '2s'}]}", "value", "steps[1].wait", "follows"),
    ("{steps: [{wait: '2'}, {notification: {payload: {}}}]}", "value", "steps[0].wait", "duration"),
    (
      "{steps: [{wait: '2s', expect: {}}, {notification: {payload: {}}}]}", "key",
      "steps[0].expect", "'wait' and 'expect' cannot be used"
    ),
    ("{steps: [{notification: {}}]}", "missing", "notification.payload", "missing"),
    ("{extends: 's.json5', notification: {payload: {}}}", "value", "extends", "extend each other"),
    (
      "{extends: 'none.json5', notification: {payload: {}}}", "value", "extends",
      "no file app/none.json5"
    ),
    ("{notification: {payload: {}}, expect: {status: '200'}}", "value", "expect.status", "text"),
    ("{notification: {payload: {}}, expect: {status: 20}}", "value", "expect.status", "100 to 599"),
    (
      "{notification: {payload: {}}, expect: {acceptedAtLeast: 95}}", "value",
      "expect.acceptedAtLeast", "0 to 1"
    ),
    (
      "{notification: {payload: {}}, expect: {status: 200, reason: 'X'}}", "value",
      "expect.reason", "every push accepted"
    ),
    (
      "{notification: {payload: {}}, expect: {reason: ''}}", "value", "expect.reason",
      "not a reason"
    ),
    (
      "{credentials: {key: 'k', cert: 'c'}, notification: {payload: {}}}", "key",
      "credentials.cert", "'key' and 'cert' cannot be used"
    ),
    ("{variables: {'a b': 1}, notification: {payload: {}}}", "value", "variables.a b", "name"),
    (
      "{environment: 'https://a.example', notification: {payload: {}}}", "value", "environment",
      "Invalid value"
    ),
    (
      "{environment: 'sandbx', notification: {payload: {}}}", "value", "environment",
      "Invalid value"
    ),
    ("{name: 1, notification: {payload: {}}}", "value", "name", "not text"),
    ("{connections: 65, notification: {payload: {}}}", "value", "connections", "from 1 to 64"),
    ("{connections: '4', notification: {payload: {}}}", "value", "connections", "Invalid value"),
  ]

  @Test("Tells what is wrong, and where", arguments: broken)
  func problems(_ row: (text: String, rule: String, place: String, says: String)) throws {
    let error = #expect(throws: BrokenRules.self) { try read(row.text) }
    let problem = try #require(error?.problems.first)
    #expect(error?.problems.count == 1)
    #expect(problem.rule == "scenario-\(row.rule)" && problem.place == .other(row.place))
    #expect(problem.message.contains(row.says), "\(problem.message)")
    #expect(problem.line == 1)
  }

  @Test("Problems of the file that is extended name that file")
  func problemsOfBase() {
    let error = #expect(throws: BrokenRules.self) {
      try read(
        "{extends: 'b.json5', nam: 1}",
        files: ["app/b.json5": "{\nprofil: 'x', notification: {payload: {}}}"])
    }
    #expect(error?.problems.map(\.file) == ["app/s.json5", "app/b.json5"])
    #expect(error?.problems.map(\.line) == [1, 2])
    #expect(error?.problems.last?.fix == "Did you mean 'profile'?")
  }

  static let addresses: [(written: String, fix: String)] = [
    ("https://a.example:8443", #"environment: {server: "https://a.example:8443"}"#),
    ("push.example.com", #"environment: {server: "https://push.example.com"}"#),
    ("localhost:2197", #"environment: {server: "https://localhost:2197"}"#),
    ("sandbx", "Did you mean 'sandbox'?"), ("test", "Write production"),
  ]

  @Test("A server in place of a name is told the form that it needs", arguments: addresses)
  func address(_ row: (written: String, fix: String)) {
    let error = #expect(throws: BrokenRules.self) {
      try read("{environment: '\(row.written)', notification: {payload: {}}}")
    }
    let fix = error?.problems.first?.fix ?? ""
    #expect(fix.contains(row.fix), "\(fix)")
  }

  @Test("A path may begin at home")
  func home() throws {
    let text = """
      {extends: "~/base.json5", recipients: ["~/lists/beta.csv"], credentials: {key: "~/k.p8"},
       environment: {server: "https://a.example", ca: "~/ca.pem"},
       notification: {payload: "~/p.json"}}
      """
    let files = [
      "/home/ada/base.json5": "{credentials: {cert: 'c.p12'}, name: 'Base'}",
      "/home/ada/p.json": "{\"aps\":{}}",
    ].mapValues { Array($0.utf8) }
    let scenario = try ScenarioReader(file: "app/s.json5", home: "/home/ada") { files[$0] }
      .read(Array(text.utf8))
    #expect(scenario.name == "Base" && scenario.settings.key?.value == .file("/home/ada/k.p8"))
    #expect(scenario.settings.serverCA?.value == "/home/ada/ca.pem")
    #expect(scenario.steps[0].payload?.file == "/home/ada/p.json")
    #expect(scenario.steps[0].recipients.map(\.name) == ["/home/ada/lists/beta.csv"])
    let elsewhere = "{recipients: ['~/a.csv'], notification: {payload: {aps: {}}}}"
    #expect(try read(elsewhere).steps[0].recipients.map(\.name) == ["app/~/a.csv"])
  }

  @Test("What can be read is there beside what is wrong")
  func inPart() {
    let files = ["app/b.json5": "{name: 'B' ", "app/c.json5": "{nam: 1}"].mapValues {
      Array($0.utf8)
    }
    func parts(_ text: String) -> (scenario: Scenario, problems: [Problem]) {
      ScenarioReader(file: "app/s.json5") { files[$0] }.readInPart(Array(text.utf8))
    }
    let misspelt = parts("{nam: 1, steps: [{notification: {payload: {aps: {}}, typ: 'x'}}]}")
    #expect(misspelt.problems.count == 2 && misspelt.scenario.steps.count == 1)
    // What follows from a base that cannot be read is not a problem of its own.
    let onBroken = parts("{nam: 1, extends: 'b.json5'}")
    #expect(onBroken.problems.map(\.rule) == ["scenario-key", "scenario-syntax"])
    #expect(
      parts("{extends: 'c.json5'}").problems.map(\.rule) == ["scenario-key", "scenario-missing"])
    let unreadable = parts("{name: ")
    #expect(unreadable.problems.map(\.rule) == ["scenario-syntax"])
    #expect(unreadable.scenario.file == "app/s.json5" && unreadable.scenario.steps.isEmpty)
  }

  private func read(_ text: String, files: [String: String] = [:]) throws -> Scenario {
    var contents = files
    contents["app/s.json5"] = text
    contents["app/order.json"] = #"{"aps":{"alert":"Hi"}}"#
    contents["app/base/p.json"] = #"{"aps":{"alert":"Hi"}}"#
    return try ScenarioReader(file: "app/s.json5") { contents[$0].map { Array($0.utf8) } }
      .read(Array(text.utf8))
  }
}
