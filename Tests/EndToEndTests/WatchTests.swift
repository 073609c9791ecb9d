import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("fanfare send --watch", .timeLimit(.minutes(15)))
struct WatchTests {
  private static let toOne = ["--to", device("0a1b2c3d4e5f"), "--payload", "p.json", "--watch"]

  private func words(_ server: Server) -> [String] {
    ["send", "--bundle-id", "com.example.app"] + server.place + credentials + Self.toOne
  }

  private func alert(_ text: String) -> String { #"{"aps":{"alert":"\#(text)"}}"# }

  /// What arrives at a server.
  private final class Arrivals: Sendable {
    private let texts = Mutex<[String]>([])

    var bodies: [String] { texts.withLock { $0 } }

    func add(_ push: IncomingPush) {
      texts.withLock { $0.append(String(decoding: push.body, as: UTF8.self)) }
    }
  }

  @Test("sends again after each save, over one connection, each time as a run of its own")
  func saves() throws {
    try withFanfare { fanfare in
      let arrivals = Arrivals()
      var configuration = EmulatorConfiguration()
      configuration.answer = { push in
        arrivals.add(push)
        return nil
      }
      let server = try Server(fanfare, configuration)
      try fanfare.folder.write("p.json", alert("One"))
      let program = try fanfare.start(words(server) + ["--json", "--results", "r.jsonl"])
      var runs = [try JSON(text: try #require(program.readLine()))]
      // Written in place, and put in its place, as editors do one or the other.
      try fanfare.folder.write("p.json", alert("Two"))
      runs.append(try JSON(text: try #require(program.readLine())))
      try fanfare.folder.write("new.json", alert("Three"))
      try #require(rename(fanfare.folder.file("new.json"), fanfare.folder.file("p.json")) == 0)
      runs.append(try JSON(text: try #require(program.readLine())))
      program.send(SIGINT)
      let result = try program.finish()
      #expect(result.exitCode == 130 && result.output == "")
      #expect(result.errors.components(separatedBy: "p.json was saved\n").count == 3)
      #expect(runs.map { $0["run"]?.int } == [1, 2, 3])
      #expect(Set(runs.compactMap { $0["push"]?["apnsID"]?.string }).count == 3)
      #expect(arrivals.bodies == ["One", "Two", "Three"].map(alert))
      #expect(server.emulator.connectionCount == 1)
      #expect(try fanfare.folder.lines("r.jsonl").count == 3)
    }
  }

  @Test("tells of a broken payload, the first included, and waits for the next save")
  func broken() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      try fanfare.folder.write("p.json", "{")
      let program = try TerminalProgram(
        path: Fanfare.path, words(server), in: fanfare.folder, environment: ["TERM": "dumb"])
      #expect(program.wait(for: "watching p.json"))
      #expect(program.screen.contains("p.json:1:"))
      try fanfare.folder.write("p.json", alert("Good"))
      #expect(program.wait(for: "accepted  200"))
      #expect(program.wait(for: "watching p.json", times: 2))
      try fanfare.folder.write("p.json", #"{"aps":{"badge":"3"}}"#)
      #expect(program.wait(for: "aps.badge: "))
      try fanfare.folder.write("p.json", alert("Better"))
      #expect(program.wait(for: "accepted  200", times: 2))
      program.type("\u{3}")
      #expect(program.finish() == 130)
      #expect(server.emulator.connectionCount == 1)
    }
  }

  @Test("ends with Ctrl-C before anything was good enough to be sent")
  func early() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      try fanfare.folder.write("p.json", "{")
      let program = try TerminalProgram(path: Fanfare.path, words(server), in: fanfare.folder)
      #expect(program.wait(for: "watching p.json"))
      program.type("\u{3}")
      #expect(program.finish() == 130 && server.emulator.connectionCount == 0)
    }
  }

  @Test("goes on after a rejection, and says so even with --quiet")
  func rejected() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { push in
        push.body.contains(UInt8(ascii: "!")) ? .reject(.badDeviceToken) : nil
      }
      let server = try Server(fanfare, configuration)
      try fanfare.folder.write("p.json", alert("No!"))
      let program = try TerminalProgram(
        path: Fanfare.path, words(server) + ["--quiet"], in: fanfare.folder)
      #expect(program.wait(for: "rejected: 400 BadDeviceToken"))
      try fanfare.folder.write("p.json", alert("No! No!"))
      #expect(program.wait(for: "rejected: 400 BadDeviceToken", times: 2))
      program.type("\u{3}")
      #expect(program.finish() == 130)
      #expect(!program.screen.contains("watching") && !program.screen.contains("accepted"))
    }
  }
}
