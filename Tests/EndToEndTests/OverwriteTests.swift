import Foundation
import JSONText
import PushEmulator
import TestSupport
import Testing

@testable import SendingSupport

@Suite("A file that is written and read")
struct OverwriteTests {
  static let clashes: [[String]] = [
    ["--tokens", "list.csv", "--results", "list.csv"],
    ["--tokens", "list.txt", "--dead-tokens", "list.txt"],
    ["--tokens", "list.txt", "--dead-tokens", "./list.txt"],
    ["--tokens", "list.txt", "--dead-tokens", "link.txt"],
    ["--tokens", "list.csv", "--suppress", "list.txt", "--dead-tokens", "list.txt"],
    ["--to", "0a1b", "--payload", "list.jsonl", "--results", "list.jsonl"],
    ["--to", "0a1b", "--results", "new.csv", "--dead-tokens", "new.csv"],
    ["--tokens", "list.txt", "--history", "list.txt"],
  ]

  @Test("is refused, for who is in it would get nothing", arguments: clashes)
  func refused(_ words: [String]) throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let texts = [
        "list.txt": tokenList(300), "list.csv": "token\n" + tokenList(300),
        "list.jsonl": #"{"aps":{"alert":"Hello"}}"#,
      ]
      for (name, text) in texts { try fanfare.folder.write(name, text) }
      try FileManager.default.linkItem(
        atPath: fanfare.folder.file("list.txt"), toPath: fanfare.folder.file("link.txt"))
      let common = ["send", "--bundle-id", "com.example.app"] + server.place + credentials
      let title = words.contains("--payload") ? [] : ["--title", "Hello"]
      let result = try fanfare.run(common + title + words)
      #expect(result.exitCode == 2 && result.errors.contains("a file of its own"))
      #expect(server.emulator.requestCount == 0)
      for (name, text) in texts { #expect(try fanfare.folder.text(name) == text, "\(name)") }
    }
  }

  @Test("is refused by resume too")
  func resumed() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 5000, in: fanfare)
      let stopped = try run.send(signal: SIGINT, atRequest: 100)
      #expect(stopped.exitCode == 130)
      let requests = run.server.emulator.requestCount
      let text = try fanfare.folder.text("list.txt")
      let result = try run.resume("--dead-tokens", "list.txt")
      #expect(result.exitCode == 2 && result.errors.contains("a file of its own"))
      #expect(run.server.emulator.requestCount == requests)
      #expect(try fanfare.folder.text("list.txt") == text)
    }
  }
}
