import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare history")
struct HistoryCommandTests {
  /// Sends a template to three, of whom the second is dead.
  private func sendThree(_ fanfare: Fanfare, _ words: String...) throws -> Server {
    var configuration = EmulatorConfiguration()
    configuration.answer = { push in
      guard push.token.hex == tokenText(1) else { return .accept }
      return .reject(.unregistered, timestamp: 1_700_000_000_000)
    }
    let server = try Server(fanfare, configuration)
    let rows = (0..<3).map { "\(tokenText($0)),Guest \($0)" }
    try fanfare.folder.write("list.csv", (["token,name"] + rows).joined(separator: "\n"))
    let what = ["--bundle-id", "com.example.app", "--title", "Hello {{name}}"]
    let all = ["send", "--tokens", "list.csv", "--quiet"] + what + server.place + credentials
    let result = try fanfare.run(all + words)
    #expect(result.exitCode == 1)
    return server
  }

  private func history(_ fanfare: Fanfare, _ words: String...) throws -> Program.Result {
    try fanfare.run(["history"] + words)
  }

  private func lines(_ result: Program.Result) throws -> [JSON] {
    try result.output.split(separator: "\n").map { try JSON(text: String($0)) }
  }

  @Test("lists runs, and pushes where they are asked for")
  func list() throws {
    try withFanfare { fanfare in
      _ = try sendThree(fanfare)
      let runs = try lines(try history(fanfare, "list", "--json"))
      #expect(runs.map { $0["run"]?.int } == [1])
      #expect(runs[0]["accepted"]?.int == 2 && runs[0]["rejected"]?.int == 1)
      let pushes = try lines(try history(fanfare, "list", "1", "--json"))
      #expect(pushes.map { $0["sequence"]?.int } == [3, 2, 1])
      let refused = try lines(try history(fanfare, "list", "--outcome", "rejected", "--json"))
      #expect(refused.map { $0["token"]?.string } == [tokenText(1)])
      let text = try history(fanfare, "list", "--reason", "Unregistered").output
      #expect(text.contains("410 Unregistered") && text.contains("…" + tokenText(1).suffix(8)))
      #expect(!text.contains(tokenText(1)))
      let page = try lines(
        try history(fanfare, "list", "1", "--json", "--limit", "1", "--skip", "1"))
      #expect(page.map { $0["sequence"]?.int } == [2])
    }
  }

  @Test("shows the answer, token and apns-id of a run of one push at once")
  func onePush() throws {
    try withFanfare { fanfare in
      _ = try fanfare.send("--to", device("0a1b"))
      let push = try #require(try lines(try history(fanfare, "list", "1", "--json")).first)
      let id = try #require(push["apnsID"]?.string)
      let list = try history(fanfare, "list").output
      #expect(list.contains("1  200, \(deviceTail("0a1b"))  \(id)\n"), "\(list)")
      let shown = try history(fanfare, "show", "last").output
      #expect(shown == (try history(fanfare, "show").output))
      for text in ["200\n", deviceTail("0a1b") + "\n", id + "\n"] {
        #expect(shown.contains(text), "\(shown)")
      }
      #expect(!shown.contains(device("0a1b")))
      #expect(try history(fanfare, "show", "--show-tokens").output.contains(device("0a1b")))
    }
  }

  @Test("says without a terminal that more rows follow, unless a limit was given")
  func moreRows() throws {
    try withFanfare { fanfare in
      _ = try sendThree(fanfare)
      for _ in 0..<20 { _ = try fanfare.send("--to", device("0a1b")) }
      for words in [["list"], ["list", "--json"]] {
        let result = try fanfare.run(["history"] + words)
        #expect(result.errors.contains("Only 20 rows: more follow."), "\(result.errors)")
        #expect(result.errors.contains("--limit 0 for all"))
      }
      for (skip, next) in [("0", "20"), ("2", "22")] {
        let result = try fanfare.run(["history", "list", "--pushes", "--skip", skip])
        #expect(result.errors.contains("Use --skip \(next), or --limit 0"), "\(result.errors)")
      }
      for words in [["--limit", "3"], ["--limit", "0"], ["--json", "--limit", "1"]] {
        #expect(try fanfare.run(["history", "list"] + words).errors.isEmpty, "\(words)")
      }
    }
  }

  @Test("shows a push as it was sent, and what was answered, without the provider token")
  func show() throws {
    try withFanfare { fanfare in
      let server = try sendThree(fanfare)
      let push = try #require(
        try lines(try history(fanfare, "list", "--outcome", "rejected", "--json")).first)
      let id = try #require(push["apnsID"]?.string)
      let text = try history(fanfare, "show", id).output
      #expect(text.contains("\"title\": \"Hello Guest 1\"") && text.contains("HTTP/2 410"))
      #expect(text.contains("apns-topic: com.example.app") && text.contains("Unregistered"))
      #expect(text.contains("bearer (not kept)"))
      let json = try JSON(text: try history(fanfare, "show", id, "--json").output)
      #expect(json["request"]?["headers"]?["apns-id"]?.string == id)
      #expect(json["request"]?["payload"]?["aps"]?["alert"]?["title"]?.string == "Hello Guest 1")
      #expect(json["request"]?["url"]?.string?.hasSuffix("/3/device/\(tokenText(1))") == true)
      #expect(server.emulator.requestCount == 3)
    }
  }

  @Test("shows the template of a push whose list has changed, and says so")
  func changedList() throws {
    try withFanfare { fanfare in
      _ = try sendThree(fanfare)
      let push = try #require(try lines(try history(fanfare, "list", "1", "--json")).first)
      try fanfare.folder.write("list.csv", "token,name\n\(tokenText(2)),Somebody else\n")
      let text = try history(fanfare, "show", try #require(push["apnsID"]?.string)).output
      #expect(text.contains("Hello {{name}}") && text.contains("list has changed"))
      #expect(!text.contains("Somebody else"))
    }
  }

  @Test("shows a run, the newest without a word")
  func showRun() throws {
    try withFanfare { fanfare in
      _ = try sendThree(fanfare)
      let text = try history(fanfare, "show").output
      #expect(text == (try history(fanfare, "show", "1").output))
      #expect(text.contains("Hello {{name}}") && text.contains("Unregistered"))
      #expect(text.contains(/\nreasons *\n  Unregistered +1\n/), "\(text)")
      let json = try JSON(text: try history(fanfare, "show", "1", "--json").output)
      expectSum(of: json)
      #expect(json["summary"]?["reasons"]?["Unregistered"]?.int == 1)
      #expect(json["isTemplate"]?.bool == true)
    }
  }

  @Test("finds a push that has no result yet, and says what is known")
  func unanswered() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 5000, in: fanfare)
      #expect(try run.send(signal: SIGINT, atRequest: 200).exitCode == 130)
      let first = try #require(
        try lines(try history(fanfare, "list", "1", "--json", "--limit", "1")).first)
      let id = try #require(first["apnsID"]?.string)
      let last = String(id.dropLast(4)) + "1388"
      let result = try history(fanfare, "show", last)
      #expect(result.exitCode == 2 && result.errors.contains("it was not sent"))
      #expect(result.errors.contains("fanfare resume 1"))
      #expect(try run.resume().exitCode == 0)
      let beyond = try history(fanfare, "show", String(id.dropLast(4)) + "1389")
      #expect(beyond.exitCode == 2 && beyond.errors.contains("has no push"))
    }
  }

  /// What is asked of a history that has one run, and what is said.
  static let mistakes: [(words: [String], sentence: String)] = [
    (["show", "7"], "The history has no run 7"),
    (["list", "7"], "The history has no run 7"),
    (["show", "123e4567-e89b-42d3-a456-426614174000"], "has no push"),
    (["show", "yesterday"], "the number of a run, 'last' for the newest, or the apns-id"),
    (["list", "--since", "soon"], "2h, 1h30m or 30d"),
    (["list", "--token", "xyz"], "at least its last 4 digits"),
    (["list", "--outcome", "acepted"], "accepted"),
    (["list", "--limit", "-1"], "--limit"),
    (["lst"], "list"),
    (["show", "7"], "'fanfare history list' lists the runs"),
    (["list", "--history", ""], "'--history' needs a file path"),
    (["diff", "1"], "RUN-OR-ID of what to compare with"),
  ]

  @Test("says what is wrong with a question", arguments: mistakes)
  func mistake(_ row: (words: [String], sentence: String)) throws {
    try withFanfare { fanfare in
      _ = try fanfare.send("--to", device("0a1b"))
      let result = try fanfare.run(["history"] + row.words)
      #expect(result.exitCode == 2 && result.output.isEmpty)
      #expect(result.errors.contains(row.sentence), "\(result.errors)")
    }
  }

  @Test("warns of words that may be mistyped, wherever its answer goes")
  func mistyped() throws {
    try withFanfare { fanfare in
      _ = try sendThree(fanfare)
      let typos = [
        (["--env", "sandbx"], "--env sandbx is not in the history.\n  Did you mean 'sandbox'?"),
        (["--env", "SANDBOX"], "--env SANDBOX is not in the history.\n  Did you mean 'sandbox'?"),
        (["--reason", "Unregisterd"], "Did you mean 'Unregistered'?"),
        (["--scenario", "News"], "--scenario News is not in the history."),
      ]
      for (words, sentence) in typos {
        for command in [["list", "--json"], ["stats"], ["export"], ["tail", "1"]] {
          let result = try fanfare.run(["history"] + command + words)
          // No run fits, so that 'tail' has none to see the end of.
          #expect(result.exitCode == (command[0] == "tail" && words[0] != "--reason" ? 4 : 0))
          #expect(result.errors.contains(sentence), "\(command)")
        }
      }
      let known = ["--env", "production", "--reason", "tooManyRequests"]
      #expect(try fanfare.run(["history", "list"] + known).errors.isEmpty)
    }
  }

  @Test("says that a device token or an apns-id is not in it, wherever its answer goes")
  func unknownPushes() throws {
    try withFanfare { fanfare in
      _ = try fanfare.send("--to", device("0a1b2c3d4e5f6071"))
      let id = "1f0e2d3c-4b5a-4978-8695-a4b3c2d1e0f0"
      for command in [["list", "--json"], ["stats"], ["export"]] {
        let token = try fanfare.run(["history"] + command + ["--token", "ffff000011112222"])
        #expect(token.exitCode == 0, "\(command)")
        #expect(token.errors.contains("--token …11112222 is not in the history."), "\(command)")
        let push = try fanfare.run(["history"] + command + ["--apns-id", id])
        #expect(push.errors.contains("--apns-id \(id) is not in the history."), "\(command)")
      }
      #expect(try fanfare.run(["history", "list", "--token", "4e5f6071"]).errors.isEmpty)
    }
  }

  @Test("tells on a terminal which zone a date is taken in")
  func zones() throws {
    try withFanfare { fanfare in
      _ = try fanfare.send("--to", device("0a1b"))
      let summerTime = "CET-1CEST,M3.5.0,M10.5.0/3"
      for (zone, since, note) in [
        ("ABC3", "2020-11-21", "--since: 2020-11-21 begins at midnight UTC: 2020-11-21T00:00:00Z"),
        (
          "ABC3", "2020-11-21 10:00",
          "--since: 2020-11-21 10:00 is local time, UTC-03:00: 2020-11-21T13:00:00Z"
        ),
        (
          summerTime, "2020-03-29 02:30",
          "does not exist, because clocks go forward; taken as UTC+01:00: 2020-03-29T01:30:00Z"
        ),
        (summerTime, "2020-07-01 02:30", "is local time, UTC+02:00: 2020-07-01T00:30:00Z"),
      ] {
        let program = try TerminalProgram(
          path: Fanfare.path, ["history", "list", "--since", since], in: fanfare.folder,
          environment: ["TZ": zone])
        #expect(program.finish() == 0)
        #expect(program.screen.contains(note), "\(program.screen)")
        #expect(try fanfare.run(["history", "list", "--since", since]).errors.isEmpty)
      }
    }
  }

  @Test("prints the numbers of the newest runs for shells to complete, and nothing without any")
  func numbers() throws {
    try withFanfare { fanfare in
      let none = try history(fanfare, "list", "--numbers")
      #expect(none.output == "")
      for _ in 1...3 { _ = try fanfare.send("--to", "0a1b") }
      #expect(try history(fanfare, "list", "--numbers").output == "3\n2\n1\n")
      #expect(try history(fanfare, "list", "--numbers", "--limit", "2").output == "3\n2\n")
      for words in [["--json"], ["--pushes"]] {
        #expect(try fanfare.run(["history", "list", "--numbers"] + words).exitCode == 2)
      }
    }
  }

  @Test("prints what a server said so that no terminal obeys it")
  func hostileReason() throws {
    try withFanfare { fanfare in
      let reason = "');DROP TABLE runs;--"
      let body = Array(#"{"reason":"\#(reason)"}"#.utf8)
      let answer = CustomAnswer(status: .badRequest, body: .bytes(body))
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in .custom(answer) }
      let server = try Server(fanfare, configuration)
      _ = try server.send("--to", device("0a1b"))
      let text = try history(fanfare, "list", "--pushes").output
      #expect(text.contains(reason))
      let found = try lines(try history(fanfare, "list", "--reason", reason, "--json"))
      #expect(found.count == 1)
      #expect(try history(fanfare, "show").exitCode == 0)
    }
  }

  @Test("of none says that there is none, and makes none")
  func missing() throws {
    try withFanfare { fanfare in
      for words in [["list"], ["show"]] {
        let result = try fanfare.run(["history"] + words + ["--history", "none.sqlite"])
        #expect(result.exitCode == 2 && result.errors.contains("there is no history yet"))
        #expect(!FileManager.default.fileExists(atPath: fanfare.folder.file("none.sqlite")))
      }
    }
  }
}
