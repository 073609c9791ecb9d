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
      "ftp://me:hu@er2:n/ter2@a.example", "http://me:er2@ter2@a.example:99999",
      "http://er2@b.example:er2@a.example:99999",
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

  /// Logins that URLs can have.
  static let logins = ["me%40b.example:p%2Fer2%40er2%3Aer2", "er2%40me:%65er2", "er2", ":er2"]

  @Test("of a proxy is shown by no command, whatever characters it has", arguments: logins)
  func proxyLogin(_ login: String) throws {
    try withFanfare { fanfare in
      let url = "http://\(login)@127.0.0.1:1"
      try fanfare.folder.write(
        "fanfare.json",
        "{default: 'p', profiles: {p: {bundleID: 'a.b', proxy: '\(url)'}}}")
      let send = ["send", "--env", "sandbox", "--title", "Hi", "--to", device("0a1b")]
      let trust = ["--trust-project"]
      for words in [
        send, send + ["--verbose"] + trust, send + ["--dry-run"] + trust,
        send + ["--dry-run", "--json"] + trust, ["config", "show"], ["config", "show", "--json"],
        ["doctor", "--env", "sandbox", "--to", device("0a1b")] + trust,
        ["doctor", "--env", "sandbox", "--to", device("0a1b"), "--json"] + trust,
        ["history", "show", "last"], ["history", "show", "last", "--json"],
        ["history", "export", "--format", "curl"], ["resume", "--now"] + trust,
      ] {
        let isSigned = ["send", "doctor"].contains(words[0])
        let result = try fanfare.run(words + (isSigned ? credentials : []))
        #expect(!(result.output + result.errors).contains("er2"), "\(words): \(result)")
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
