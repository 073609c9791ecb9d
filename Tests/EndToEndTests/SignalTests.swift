import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("A run that is interrupted")
struct SignalTests {
  static let endings: [(signal: Int32, code: Int32)] = [(SIGINT, 130), (SIGTERM, 143)]

  @Test(
    "writes whole lines only, accounts for all it read, and exits with the signal's code",
    arguments: endings)
  func wholeLines(_ row: (signal: Int32, code: Int32)) throws {
    try withFanfare { fanfare in
      let list = tokenList(200_000)
      try fanfare.folder.write("list.txt", list)
      let program = try fanfare.start(
        [
          "send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi", "--tokens",
          "list.txt",
          "--results", "-", "--json",
        ])
      // Nobody reads on until the signal was sent, so the run cannot have ended.
      let first = try #require(program.readLine())
      program.send(row.signal)
      let result = try program.finish()
      #expect(result.exitCode == row.code)
      #expect(result.output.hasSuffix("}\n"))
      let lines = ([first[...]] + result.output.split(separator: "\n"))
      let summary = try JSON(text: try #require(lines.last))
      expectSum(of: summary)
      #expect(lines.count - 1 == summary["total"]?.int)
      #expect((summary["total"]?.int ?? 0) < 200_000)
      #expect(lines.allSatisfy { $0.hasPrefix("{\"") && $0.hasSuffix("}") })
    }
  }

  @Test("does not wait for ever for somebody to read its results", .timeLimit(.minutes(15)))
  func unread() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(20_000))
      let program = try fanfare.start(
        [
          "send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi", "--tokens",
          "list.txt", "--results", "-", "--json",
        ])
      _ = try #require(program.readLine())
      program.send(SIGINT)
      #expect(program.waitForEnd() == 130)
      let errors = try program.finish().errors
      #expect(errors.contains("The results could not be written: nobody is reading."), "\(errors)")
      // What nobody read is in the history.
      let shown = try fanfare.run(["history", "show", "1", "--json"])
      #expect(try JSON(text: shown.output)["state"]?.string == "interrupted", "\(shown.output)")
    }
  }

  /// `timeout` sends SIGTERM to the process and then to its group.
  @Test(
    "waits for what is in flight, and prints its summary",
    arguments: [[SIGINT], [SIGTERM, SIGTERM]])
  func summary(_ signals: [Int32]) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(3))
      let (server, arrived) = try silentServer(fanfare)
      let program = try start(server, "--timeout", "500ms")
      arrived.wait()
      for signal in signals { program.send(signal) }
      let result = try program.finish()
      #expect(result.exitCode == 128 + signals[0])
      #expect(
        result.errors
          == "Stopping: waiting for 1 push in flight, at most 1 second; Ctrl-C again ends at once.\n"
      )
      #expect(result.output.contains("\nunknown        1\n"))
      #expect(result.output.contains("\nnot attempted  2\n"))
    }
  }

  @Test("ends at once at the second signal")
  func secondSignal() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(3))
      let (server, arrived) = try silentServer(fanfare)
      let program = try start(server, "--timeout", "1h")
      arrived.wait()
      // Two different ones: equal ones may be delivered as one.
      program.send(SIGINT)
      program.send(SIGTERM)
      let result = try program.finish()
      #expect(result.exitCode == 143)
      #expect(result.output == "")
      #expect(result.errors.hasPrefix("Stopping: waiting for 1 push in flight, at most 3,600 s"))
      #expect(
        result.errors.hasSuffix(
          "Run 1 was ended without waiting for answers. Go on with: fanfare resume 1\n"))
      #expect(try fanfare.run(["history", "show", "1"]).output.contains("fanfare resume 1"))
    }
  }

  @Test("leaves the prompt a line of its own at the second Ctrl-C, and words whole")
  func prompt() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(1000))
      var configuration = EmulatorConfiguration()
      configuration.answer = { $0.number > 100 ? .swallow : nil }
      let server = try Server(fanfare, configuration)
      let program = try TerminalProgram(
        path: Fanfare.path, server.words + ["--tokens", "list.txt", "--rate", "400/s"],
        in: fanfare.folder, environment: ["TERM": "xterm", "NO_COLOR": "1"], columns: 50)
      #expect(program.wait(for: "100 accepted"))
      program.type("\u{3}")
      #expect(program.wait(for: "Stopping: waiting for"))
      program.type("\u{3}")
      #expect(program.finish() == 130)
      let text = program.screen.replacing(/\r\n */, with: "\n")
      #expect(text.hasSuffix("resume 1\n"), "\(text)")
      let lines = text.split(separator: "\n").map { $0.split(separator: "\u{1b}[K").last ?? "" }
      #expect(lines.allSatisfy { $0.count <= 50 }, "\(text)")
    }
  }

  @Test("ends at the second signal also while nobody reads its results")
  func stalledReader() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(20_000))
      try fanfare.folder.write("c.json", "{}")
      let program = try fanfare.start([
        "send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi", "--tokens", "list.txt",
        "--results", "-", "--config", "c.json",
      ])
      _ = try #require(program.readLine())
      program.send(SIGINT)
      program.send(SIGTERM)
      #expect(program.waitForEnd() == 143)
      let result = try program.finish()
      #expect(result.errors.hasSuffix("Go on with: fanfare resume 1 --config c.json\n"))
      let rest = try fanfare.run(["resume", "1", "--config", "c.json", "--json"])
      #expect(rest.exitCode == 0, "\(rest.errors)")
      #expect(try JSON(text: rest.output)["accepted"]?.int == 20_000)
    }
  }

  @Test("says nothing while it waits when it is to be quiet, and how to go on all the same")
  func quiet() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(3))
      let (server, arrived) = try silentServer(fanfare)
      let program = try start(server, "--timeout", "1h", "--quiet")
      arrived.wait()
      program.send(SIGINT)
      program.send(SIGTERM)
      let errors = try program.finish().errors
      #expect(
        errors == "Run 1 was ended without waiting for answers. Go on with: fanfare resume 1\n")
    }
  }

  private func start(_ server: Server, _ words: String...) throws -> Program {
    try server.fanfare.start(
      ["send", "--bundle-id", "a.b", "--title", "Hi", "--tokens", "list.txt"]
        + ["--connections", "1"] + server.place + credentials + words)
  }

  /// A server that never answers, and what tells that the first push has arrived.
  private func silentServer(_ fanfare: Fanfare) throws -> (Server, DispatchSemaphore) {
    let arrived = DispatchSemaphore(value: 0)
    var configuration = EmulatorConfiguration()
    configuration.answer = { _ in
      arrived.signal()
      return .swallow
    }
    return (try Server(fanfare, configuration), arrived)
  }
}
