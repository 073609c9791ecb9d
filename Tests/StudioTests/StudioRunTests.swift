import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("Runs and calls of the studio")
struct StudioRunTests {
  private static let slow = ["run", "hello.json5", "--tokens=list.txt", "--rate=1/m"]

  @Test("a call tells what the command line prints")
  func calls() throws {
    try withStudio { studio in
      let check = try studio.output("check", "--json", "hello.json5")
      let own = try studio.fanfare.run(["check", "--json", "shop/hello.json5"])
      #expect(check["exitCode"] == 0 && check["errors"] == "")
      #expect(check["output"]?.string == own.output.replacing("shop/", with: ""))
      let input: JSON = ["words": ["check", "-", "--json"], "input": #"{"aps": {"alert": 1}}"#]
      let wrong = try studio.call("POST", "/calls", input).json
      #expect(wrong["exitCode"] == 2)
      #expect(wrong["output"]?.string?.contains("aps.alert is a number") ?? false)
      #expect(try studio.output("config", "show", "--json")["exitCode"] == 0)
      let dry = try studio.output("run", "hello.json5", "--dry-run", "--json")
      #expect(dry["exitCode"] == 0 && dry["output"]?.string?.contains(#""payload""#) ?? false)
    }
  }

  @Test("words reach the program as they are, empty ones and lines too")
  func words() throws {
    try withStudio { studio in
      let title = "a\nb  'c' \u{1F35E}"
      let dry = try studio.output(
        "send", "--env=emulator", "--bundle-id=a.b", "--to=\(tokenText(1))", "--title=\(title)",
        "--subtitle=", "--dry-run", "--json")
      let request = try JSON(text: dry["output"]?.string ?? "")
      let alert = request["payload"]?["aps"]?["alert"]
      #expect(alert?["title"]?.string == title && alert?["subtitle"] == "", "\(dry)")
    }
  }

  @Test("more calls than run at a time all get their answers")
  func manyCalls() throws {
    try withStudio { studio in
      let connections = try (0..<9).map { _ in try studio.connect() }
      for connection in connections {
        connection.send("POST", "/api/v1/studio/calls", [:], #"{"words": ["explain", "--json"]}"#)
      }
      for connection in connections {
        #expect(try connection.reply()?.json["exitCode"]?.number != nil)
      }
    }
  }

  @Test("a run tells its results and its summary, with counts of all")
  func list() throws {
    try withStudio { studio in
      try studio.fanfare.folder.put("shop/list.txt", tokenList(700))
      let last = try studio.run("run", "hello.json5", "--tokens=list.txt")
      #expect(last["exitCode"] == 0 && last["counts"]?["accepted"] == 700, "\(last)")
      #expect(last["pushes"] == 700)
      #expect(last["summaries"]?.array?.map { $0["accepted"] } == [700])
      let runs = try studio.call("GET", "/runs").json["runs"]?.array
      #expect(runs?.count == 1 && runs?[0]["results"] == nil)
    }
  }

  @Test("a run is cancelled in order, and too many are refused")
  func cancel() throws {
    try withStudio { studio in
      try studio.fanfare.folder.put("shop/list.txt", tokenList(3))
      for _ in 1...8 { #expect(try studio.begin(Self.slow).status == 202) }
      #expect(try studio.begin(Self.slow).status == 429)
      for id in 1...8 { try studio.follow(id) { $0["counts"]?["accepted"] != nil } }
      for id in 1...8 { #expect(try studio.call("DELETE", "/runs/\(id)").status == 200) }
      for id in 1...8 {
        let end = try studio.follow(id)
        #expect(end["exitCode"] == 130 && end["counts"]?["accepted"] == 1, "\(end)")
      }
      #expect(try studio.call("DELETE", "/runs/9").status == 404)
    }
  }

  #if os(Linux)
  @Test("a child has no socket of the studio, and is reaped")
  func descriptors() throws {
    try withStudio { studio in
      try studio.fanfare.folder.put("shop/list.txt", tokenList(3))
      #expect(try studio.begin(Self.slow).status == 202)
      try studio.follow(1) { $0["counts"]?["accepted"] != nil }
      let child = try #require(Self.children(of: studio.program.id).first)
      let own = Self.sockets(of: studio.program.id)
      #expect(!own.isEmpty && own.isDisjoint(with: Self.sockets(of: child)))
      _ = try studio.call("DELETE", "/runs/1")
      try studio.follow(1)
      #expect(Self.children(of: studio.program.id).isEmpty)
    }
  }

  @Test("a child has no device token among its arguments, which all users can see")
  func arguments() throws {
    try withStudio { studio in
      try studio.fanfare.folder.put("shop/list.txt", tokenList(3))
      let token = "--to=\(tokenText(7))"
      #expect(try studio.begin(Self.slow + [token]).status == 202)
      try studio.follow(1) { $0["counts"]?["accepted"] != nil }
      let child = try #require(Self.children(of: studio.program.id).first)
      let line = try Data(contentsOf: URL(filePath: "/proc/\(child)/cmdline"))
      #expect(String(decoding: line, as: UTF8.self) == "fanfare\0@/dev/fd/3\0")
      _ = try studio.call("DELETE", "/runs/1")
      #expect(try studio.follow(1)["words"]?.array?.last?.string == token)
    }
  }

  @Test("a call ends when its client goes away")
  func gone() throws {
    try withStudio { studio in
      try #require(mkfifo(studio.file("pipe.json"), 0o600) == 0)
      try studio.fanfare.folder.put(
        "shop/waits.json5", #"{bundleID: "a.b", notification: {payload: "pipe.json"}}"#)
      let id = studio.program.id
      func waitForChild(_ isThere: Bool) throws {
        for _ in 0..<5000 where Self.children(of: id).isEmpty == isThere {
          _ = try studio.call("GET")
        }
        #expect(Self.children(of: id).isEmpty != isThere)
      }
      var connection: HTTPConnection? = try studio.connect()
      connection?.send(
        "POST", "/api/v1/studio/calls", [:], #"{"words": ["preview", "waits.json5"]}"#)
      try waitForChild(true)
      connection = nil
      try waitForChild(false)
    }
  }

  private static func children(of id: Int32) -> [Int32] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
    return tasks.flatMap { task in
      let text = try? String(
        contentsOfFile: "/proc/\(id)/task/\(task)/children", encoding: .utf8)
      return (text ?? "").split(separator: " ").compactMap { Int32($0) }
    }
  }

  private static func sockets(of id: Int32) -> Set<String> {
    let manager = FileManager.default
    let names = (try? manager.contentsOfDirectory(atPath: "/proc/\(id)/fd")) ?? []
    let targets = names.compactMap {
      try? manager.destinationOfSymbolicLink(atPath: "/proc/\(id)/fd/\($0)")
    }
    return Set(targets.filter { $0.hasPrefix("socket:") })
  }
  #endif

  @Test("production is asked about, and sent to after a yes")
  func production() throws {
    try withFanfare { fanfare in
      let services = try AppleServices(sandbox: { _ in nil }, production: { _ in nil })
      let roots = try fanfare.folder.write("ca.pem", services.authorities)
      let studio = try TestStudio(
        fanfare,
        environment: [
          "FANFARE_CA": roots, "HTTPS_PROXY": services.proxy.url,
          "FANFARE_KEY": fanfare.folder.file(keyFile), "FANFARE_KEY_ID": "ABC123DEFG",
          "FANFARE_TEAM_ID": "DEF123GHIJ",
        ])
      let words = [
        "send", "--bundle-id=com.example.app", "--title=Hi", "--env=production",
        "--to=\(tokenText(1)),\(tokenText(2))",
      ]
      let plan = try studio.plan(words)
      let question = plan["question"]?.string ?? ""
      #expect(question.hasPrefix("production: 2 pushes for com.example.app"), "\(question)")
      #expect(question.hasSuffix("Send them?"))
      // Another plan than the one that was seen sends nothing, and comes back with its own ID.
      let other = words.dropLast() + ["--to=\(tokenText(1)),\(tokenText(2)),\(tokenText(3))"]
      let asked = try studio.follow(
        try #require(try studio.begin(Array(other), seeing: plan).json["id"]?.number?.int))
      #expect(asked["exitCode"] == 2 && services.production.requestCount == 0, "\(asked)")
      let next = try #require(asked["summaries"]?.array?.first?["plan"])
      #expect(try next == studio.plan(Array(other)) && next["pushes"] == 3)
      let sent = try studio.follow(
        try #require(try studio.begin(words, seeing: plan).json["id"]?.number?.int))
      #expect(sent["exitCode"] == 0 && sent["counts"]?["accepted"] == 2, "\(sent)")
      #expect(services.production.requestCount == 2)
    }
  }

  @Test("a studio that is killed leaves a run that resume finishes, with nobody lost")
  func killed() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 3000, in: fanfare)
      let place = run.server.place
      let studio = try TestStudio(
        fanfare,
        environment: [
          "FANFARE_SERVER": try #require(place.last { $0.hasPrefix("https://") }),
          "FANFARE_CA": fanfare.folder.file(try #require(place.last { $0.hasSuffix(".pem") })),
          "FANFARE_KEY": fanfare.folder.file(keyFile), "FANFARE_KEY_ID": "ABC123DEFG",
          "FANFARE_TEAM_ID": "DEF123GHIJ",
        ])
      try fanfare.folder.put("shop/list.txt", tokenList(3000))
      let words = [
        "send", "--bundle-id=com.example.app", "--title=Hi", "--tokens=list.txt", "--rate=1500/s",
      ]
      #expect(try studio.begin(words).status == 202)
      try studio.follow(1) { $0["counts"]?["accepted"] != nil }
      studio.program.send(SIGKILL)
      _ = studio.program.waitForEnd()
      // The child goes on until its results find no reader, or to its end.
      var code: Int32? = 2
      for _ in 0..<200 where code == 2 {
        code = try fanfare.run(["resume", "1", "--now"] + place + credentials).exitCode
      }
      #expect(code == 0)
      #expect(try run.acceptedInHistory.count == 3000)
    }
  }
}
