import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("--plan and --yes=ID")
struct PlanTests {
  /// A way to send, the pushes that its plan counts, and the exit code of sending them.
  struct Way: CustomTestStringConvertible {
    let words: [String]
    let pushes: Int
    var devices: Int?
    var steps = 1
    /// It takes up run 1.
    var isLater = false
    var testDescription: String { words.joined(separator: " ") }
  }

  static let ways = [
    Way(words: ["send"], pushes: 3), Way(words: ["send", "--again"], pushes: 5, isLater: true),
    Way(words: ["resume", "1", "--now"], pushes: 2, isLater: true),
    Way(words: ["resume", "--now"], pushes: 2, isLater: true),
    Way(words: ["history", "resend", "1"], pushes: 2, isLater: true),
    Way(words: ["run", "s.json5"], pushes: 6, devices: 3, steps: 2),
  ]

  private func words(_ way: Way, _ bench: PlanBench) -> [String] {
    if way.words == ["send"] { return bench.send }
    return way.words + (way.words[0] == "run" ? bench.place : [])
  }

  @Test("leaves no trace, says what is sent, and its ID sends just that", arguments: ways)
  func everyWay(_ way: Way) throws {
    try withFanfare { fanfare in
      let bench = try PlanBench(fanfare)
      if way.isLater { try bench.beginRun() }
      let words = words(way, bench)
      let plan = try bench.plan(words)
      #expect(plan["pushes"]?.int == way.pushes && plan["atLeast"]?.bool == false)
      #expect(plan["devices"]?.int == way.devices ?? way.pushes)
      #expect(plan["steps"]?.int == way.steps && plan["runs"]?.array?.count == way.steps)
      #expect(plan["production"]?.bool == true && plan["mode"]?.string == "send")
      #expect(plan["environments"] == ["production"])
      #expect(plan["question"]?.string?.hasSuffix("?") == true, "\(plan.encodedString())")
      #expect(try bench.plan(words) == plan)
      let wrong = try bench.confirm(words, "0123456789abcdef")
      #expect(wrong.result.exitCode == 2 && wrong.arrived == 0, "\(wrong.result.errors)")
      #expect(wrong.result.errors.contains("--yes=\(try plan.planID) sends what is planned now"))
      let right = try bench.confirm(words, try plan.planID)
      #expect(right.arrived == way.pushes, "\(right.result.errors)")
      let stale = try bench.confirm(words, try plan.planID)
      #expect(
        stale.arrived == (way.words.contains { $0 == "resume" || $0 == "resend" } ? 0 : way.pushes))
    }
  }

  @Test("of what is enqueued says so, reaches no database and is made without a key")
  func enqueued() throws {
    try withFanfare { fanfare in
      let bench = try PlanBench(fanfare)
      let words = [
        "send", "--enqueue", "--history", "postgresql://127.0.0.1:1/h", "--env", "production",
        "--bundle-id", "a.b", "--payload", "p.json", "--tokens", "list.txt", "--key-id",
        "ABC123DEFG", "--team-id", "DEF123GHIJ",
      ]
      let plan = try bench.plan(words)
      #expect(plan["mode"]?.string == "enqueue" && plan["pushes"]?.int == 3)
      let nobody = try fanfare.run(words.dropLast(4) + ["--plan"])
      #expect(nobody.exitCode == 2 && nobody.errors.contains("key"), "\(nobody.errors)")
    }
  }

  @Test("goes without the key, but not without its name")
  func key() throws {
    try withFanfare { fanfare in
      let bench = try PlanBench(fanfare)
      let words = bench.send.map { $0 == keyFile ? "gone/\(keyFile)" : $0 }
      let run = try #require(try bench.plan(words)["runs"]?.array?.first)
      #expect(run["keyID"]?.string == "ABC123DEFG" && run["teamID"]?.string == "DEF123GHIJ")
      let place = ["--env", "production"] + bench.way
      let nobody = try fanfare.run(
        ["send", "--title", "Hi", "--bundle-id", "a.b", "--to", tokenText(1), "--plan"] + place)
      #expect(nobody.exitCode == 2 && nobody.errors.contains("No credentials given."))
      #expect(try fanfare.run(["send", "--plan"] + place).errors.contains("No recipients given."))
    }
  }

  @Test("is refused once anything that it shows has changed, and what is new has its ID")
  func changed() throws {
    let changes: [(String, (TemporaryFolder) throws -> Void)] = [
      ("recipient", { try $0.write("list.txt", tokenList(2) + tokenText(9) + "\n") }),
      ("number", { try $0.write("list.txt", tokenList(4)) }),
      ("payload", { try $0.write("p.json", #"{"aps": {"alert": "Ho"}}"#) }),
      ("environment", { try $0.write("fanfare.json", Self.profile("production")) }),
      ("app", { try $0.write("fanfare.json", Self.profile("sandbox", app: "a.c")) }),
    ]
    for (name, change) in changes {
      try withFanfare { fanfare in
        let bench = try PlanBench(fanfare)
        try fanfare.folder.write("fanfare.json", Self.profile("sandbox"))
        let words =
          ["send", "--payload", "p.json", "--tokens", "list.txt"] + bench.way + credentials
        let id = try bench.plan(words).planID
        try change(fanfare.folder)
        let (result, arrived) = try bench.confirm(words + ["--json"], id)
        #expect(result.exitCode == 2 && arrived == 0, "\(name): \(result.errors)")
        #expect(result.errors.contains("This is no longer the plan \(id): nothing was sent."))
        let told = try JSON(text: result.output)
        #expect(told["error"]?.string?.hasPrefix("This is no longer the plan") == true)
        let plan = try #require(told["plan"])
        #expect(try plan.planID != id && plan == bench.plan(words), "\(name)")
        let isForProduction = name == "environment"
        #expect(plan["production"]?.bool == isForProduction)
        #expect(result.errors.contains("Send them?") == isForProduction)
        #expect(try bench.confirm(words, plan.planID).arrived == (name == "number" ? 4 : 3))
      }
    }
  }

  private static func profile(_ environment: String, app: String = "a.b") -> String {
    "{default: 'p', profiles: {p: {environment: '\(environment)', bundleID: '\(app)'}}}"
  }

  @Test("knows where it goes, whoever says so")
  func places() throws {
    try withFanfare { fanfare in
      let bench = try PlanBench(fanfare)
      func environments(_ words: [String], _ variables: [String: String] = [:]) throws -> JSON? {
        let plan = try bench.plan(words + bench.way + credentials, environment: variables)
        let environments = plan["environments"]
        let isForProduction = environments?.array?.contains("production")
        #expect(plan["production"]?.bool == isForProduction)
        return environments
      }
      let send = ["send", "--title", "Hi", "--bundle-id", "a.b", "--to"]
      #expect(
        try environments(send + [tokenText(1), "--env", "auto"]) == ["sandbox", "production"])
      #expect(
        try environments(send + [tokenText(1)], ["FANFARE_ENV": "production"]) == ["production"])
      _ = try fanfare.run(["device", "add", "phone", tokenText(1), "--env", "production"])
      #expect(try environments(send + ["phone"]) == ["production"])
      let server = ["--server", "https://apns.example:2197"]
      #expect(try environments(send + [tokenText(1)] + server) == ["https://apns.example:2197"])
      try fanfare.folder.write("fanfare.json", Self.profile("emulator"))
      try fanfare.folder.write(
        "base.json5", "{environment: 'production', recipients: ['list.txt']}")
      try fanfare.folder.write(
        "child.json5", "{extends: 'base.json5', notification: {payload: {aps: {alert: 'Hi'}}}}")
      let plan = try bench.plan(["run", "child.json5"] + bench.way + credentials)
      #expect(plan["environments"] == ["production"] && plan["pushes"]?.int == 3)
      #expect(plan["question"]?.string?.hasPrefix("production: 3 pushes for a.b") == true)
      let run = try #require(plan["runs"]?.array?.first)
      #expect(run["profile"]?.string == "p" && run["scenario"]?.string == "child.json5")
      #expect(
        try bench.plan(["send", "--title", "Hi", "--to", tokenText(1)])["environments"]
          == ["emulator"])
    }
  }

  @Test("asks of a device of another environment, as a terminal would")
  func elsewhere() throws {
    try withFanfare { fanfare in
      let bench = try PlanBench(fanfare)
      _ = try fanfare.run(["device", "add", "sbx", tokenText(1), "--env", "sandbox"])
      let words = ["send", "--title", "Hi", "--bundle-id", "a.b", "--to", "sbx"] + bench.place
      let plan = try bench.plan(words)
      #expect(plan["question"]?.string?.contains("'sbx' is for sandbox") == true)
      #expect(plan["question"]?.string?.hasSuffix("Send there?") == true)
      #expect(try bench.confirm(words, try plan.planID).arrived == 1)
    }
  }

  @Test("reads no pipe, and says of a number that it is the least")
  func pipe() throws {
    try withFanfare { fanfare in
      let bench = try PlanBench(fanfare)
      let words = bench.send.map { $0 == "list.txt" ? "-" : $0 } + ["--to", tokenText(7)]
      let input = Program.Input.file(fanfare.folder.file("list.txt"))
      let plan = try bench.plan(words, input: input)
      #expect(plan["pushes"]?.int == 1 && plan["atLeast"]?.bool == true)
      #expect(plan["question"]?.string?.contains("at least 1 push for") == true)
      // A pipe that nobody writes to would hold up whoever opens it.
      #expect(mkfifo(fanfare.folder.file("pipe.txt"), 0o600) == 0)
      let named = try bench.plan(bench.send.map { $0 == "list.txt" ? "pipe.txt" : $0 })
      #expect(named["pushes"]?.int == 0 && named["devices"]?.int == 0)
      let sent = try fanfare.run(words + ["--yes=\(try plan.planID)"], input: input)
      #expect(sent.exitCode == 0 && bench.count == 4, "\(sent.errors)")
    }
  }

  @Test("tells devices, pushes and steps apart")
  func numbers() throws {
    try withFanfare { fanfare in
      let bench = try PlanBench(fanfare)
      func numbers(_ words: [String]) throws -> [Int?] {
        let plan = try bench.plan(words)
        return ["devices", "pushes", "steps"].map { plan[$0]?.int }
      }
      try fanfare.folder.write("more.txt", tokenText(3) + "\n" + tokenText(4) + "\n")
      try fanfare.folder.write("twice.txt", tokenList(2) + tokenList(2))
      #expect(try numbers(["run", "s.json5"] + bench.place) == [3, 6, 2])
      try fanfare.folder.write(
        "t.json5",
        """
        {bundleID: "a.b", steps: [
          {notification: {payload: {aps: {alert: "1"}}}, recipients: ["list.txt"]},
          {notification: {payload: {aps: {alert: "2"}}}, recipients: ["more.txt"]}]}
        """)
      #expect(try numbers(["run", "t.json5"] + bench.place) == [4, 5, 2])
      #expect(try numbers(["run", "s.json5", "t.json5"] + bench.place) == [4, 11, 4])
      let twice = bench.send.map { $0 == "list.txt" ? "twice.txt" : $0 }
      #expect(try numbers(twice) == [2, 2, 1])
      #expect(try numbers(twice + ["--duplicates", "send"]) == [2, 4, 1])
      #expect(try numbers(bench.send + ["--limit", "2"]) == [2, 2, 1])
      let channel = ["--channel", "QUJD", "--event", "end", "--bundle-id", "a.b"]
      #expect(try numbers(["send"] + channel + bench.place) == [nil, 1, 1])
    }
  }

  @Test(
    "goes with options for files, which are not made, and not with what prints requests or waits")
  func options() throws {
    try withFanfare { fanfare in
      let bench = try PlanBench(fanfare)
      let files = ["--results", "r.jsonl", "--dead-tokens", "d.txt"]
      let id = try bench.plan(bench.send).planID
      #expect(try bench.plan(bench.send + files).planID == id)
      _ = try bench.plan(["run", "s.json5", "--junit", "r.xml"] + files + bench.place)
      _ = try bench.plan(["run", "s.json5"] + bench.place + ["--parallel", "2"])
      for (words, says) in [
        (["--plan", "--dry-run"], "'--plan' and '--dry-run'"),
        (["--plan", "--curl"], "'--plan' and '--curl'"),
        (["--plan", "--watch"], "'--plan' and '--watch'"),
        (["--yes=\(id)", "--watch"], "'--yes=ID' and '--watch'"),
      ] {
        let one = bench.send.filter { !["--tokens", "list.txt"].contains($0) }
        let result = try fanfare.run(one + ["--to", tokenText(1)] + words)
        #expect(result.exitCode == 2 && result.errors.contains(says), "\(result.errors)")
      }
      #expect(bench.count == 0)
    }
  }

  @Test("asks nobody for trust in a project, and remembers nothing")
  func trust() throws {
    try withFanfare { fanfare in
      let bench = try PlanBench(fanfare)
      try fanfare.folder.write(
        "fanfare.json",
        "{default: 'p', profiles: {p: {environment: {server: 'https://apns.invalid'}}}}")
      let words = ["send", "--title", "Hi", "--bundle-id", "a.b", "--to", tokenText(1), "--plan"]
      let program = try TerminalProgram(
        path: Fanfare.path, words + credentials, in: fanfare.folder)
      #expect(program.finish() == 2)
      #expect(program.screen.contains("sends your credentials to https://apns.invalid"))
      #expect(!program.screen.contains("[y/N]") && bench.count == 0)
      let trusted = try bench.plan(words.dropLast() + credentials + ["--trust-project"])
      #expect(trusted["environments"] == ["https://apns.invalid"])
    }
  }

  @Test("is a few lines for people")
  func text() throws {
    try withFanfare { fanfare in
      let bench = try PlanBench(fanfare)
      let words = ["send", "--bundle-id", "a.b", "--title", "Hi", "--tokens", "list.txt"]
      let plan = try fanfare.run(words + ["--plan"] + bench.place)
      let id = try bench.plan(words + bench.place).planID
      #expect(
        plan.output == """
          to       production, https://api.push.apple.com
          key      ABC123DEFG
          app      a.b
          type     alert
          such as  …00000001 {"aps":{"alert":{"title":"Hi"}}}
          pushes   3 to 3 devices
          asks     production: 3 pushes for a.b, such as this to …00000001: \
          {"aps":{"alert":{"title":"Hi"}}} Send them?
          plan     \(id); nothing was sent, --yes=\(id) sends it

          """)
      let whole = try fanfare.run(words + ["--plan", "--show-tokens"] + bench.place)
      #expect(whole.output.contains("such as  \(tokenText(1)) {"))
    }
  }
}
