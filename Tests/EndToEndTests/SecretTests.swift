import Foundation
import SendingSupport
import TestSupport
import Testing

/// Every run of the executable is looked through for secrets by `Fanfare.run`; here are the
/// occasions at which one is most likely to slip out, and the files that are left behind.
@Suite("A secret")
struct SecretTests {
  @Test(
    "is in no output and in no file of a run",
    arguments: [
      ["--verbose"], ["--dry-run", "--verbose"], ["--dry-run", "--json"], ["--json", "--verbose"],
      ["--show-tokens"], ["--quiet"],
    ])
  func run(_ words: [String]) throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(fanfare, "--journal", "journal.jsonl")
      let results = ["--to", device("0a1b2c3d4e5f"), "--results", "results.csv"]
      #expect(try fanfare.run(emulator.send + results + words).exitCode == 0)
      #expect(try emulator.end() == 143)
      // The cache of provider tokens is there to hold them.
      for name in try fanfare.folder.names()
      where ![keyFile, ".cache", ".local"].contains(name) {
        expectHarmless(try fanfare.folder.text(name))
      }
      let history = fanfare.folder.file(".local/state/fanfare/history.sqlite")
      if let bytes = FileManager.default.contents(atPath: history) {
        expectHarmless(String(decoding: bytes.filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self))
      }
    }
  }

  @Test("is not shown when it is refused")
  func refused() throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(
        fanfare, "--trust", keyFile, "--team-id", "DEF123GHIJ", "--journal", "journal.jsonl")
      try fanfare.folder.writeSecret(keyFile, try freshKey())
      #expect(try fanfare.run(emulator.send + ["--to", device("0a1b"), "--verbose"]).exitCode == 3)
      #expect(try emulator.end() == 143)
      expectHarmless(try fanfare.folder.text("journal.jsonl"))
    }
  }

  @Test(
    "is not shown when the URL of a proxy holds it",
    arguments: [
      "ftp://me:hunter2@a.example", "http://me:hunter2@a.example:99999",
      "http://me:hunt er2@a.example", "me:hunter2 @a.example", "http://me:hunter2@@a.example:x",
    ])
  func proxy(_ url: String) throws {
    try withFanfare { fanfare in
      let send = [
        "send", "--server", "https://127.0.0.1:9", "--bundle-id", "a.b", "--title", "Hi",
        "--to", device("0a1b"), "--verbose",
      ]
      let byOption = try fanfare.run(send + credentials + ["--proxy", url])
      let byVariable = try fanfare.run(send + credentials, environment: ["HTTPS_PROXY": url])
      for result in [byOption, byVariable] {
        #expect(result.exitCode == 2)
        #expect(!(result.output + result.errors).contains("er2"), "\(result.errors)")
      }
    }
  }

  @Test("is not shown where it stands in the wrong place")
  func misplaced() throws {
    try withFanfare { fanfare in
      let pem = try fanfare.folder.text(keyFile)
      let body = pem.split(separator: "\n").dropFirst().dropLast().joined()
      let send = [
        "send", "--env", "sandbox", "--bundle-id", "a.b", "--title", "Hi", "--to", device("0a1b"),
      ]
      for text in [pem, body] {
        #expect(try fanfare.run(send + ["--key", text, "--team-id", "DEF123GHIJ"]).exitCode != 0)
        #expect(try fanfare.run(send + credentials + ["--key-id", text]).exitCode == 2)
        #expect(try fanfare.run(send + [text]).exitCode == 2)
        #expect(try fanfare.run(send + credentials + ["--\(text)"]).exitCode == 2)
      }
      let cut = ["FANFARE_KEY": String(body.dropLast(9)), "FANFARE_TEAM_ID": "DEF123GHIJ"]
      #expect(try fanfare.run(send, environment: cut).exitCode == 2)
      let withoutID = ["FANFARE_KEY": body, "FANFARE_TEAM_ID": "DEF123GHIJ"]
      #expect(try fanfare.run(send, environment: withoutID).exitCode == 2)
    }
  }
}
