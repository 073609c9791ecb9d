import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("A file that is written and read")
struct OverwriteTests {
  static let clashes: [[String]] = [
    ["--tokens", "list.csv", "--results", "list.csv"],
    ["--tokens", "list.txt", "--dead-tokens", "list.txt"],
    ["--tokens", "list.txt", "--dead-tokens", "./list.txt"],
    ["--tokens", "list.txt", "--dead-tokens", "link.txt"],
    ["--tokens", "list.csv", "--suppress", "list.txt", "--dead-tokens", "list.txt"],
    ["--to", device("0a1b"), "--payload", "list.jsonl", "--results", "list.jsonl"],
    ["--to", device("0a1b"), "--results", "new.csv", "--dead-tokens", "new.csv"],
    ["--to", device("0a1b"), "--results", "new.csv", "--dead-tokens", "./new.csv"],
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

  /// Gives a file two more names of each ending: a symbolic link and a hard one.
  private func link(_ name: String, in folder: TemporaryFolder) throws {
    for ending in ["csv", "txt", "xml"] {
      let (soft, hard) = (folder.file("soft.\(ending)"), folder.file("hard.\(ending)"))
      try FileManager.default.createSymbolicLink(atPath: soft, withDestinationPath: name)
      try FileManager.default.linkItem(atPath: folder.file(name), toPath: hard)
    }
  }

  private func expectRefused(_ result: Program.Result, _ words: [String]) {
    #expect(result.exitCode == 2, "\(words)")
    #expect(result.errors.contains("a file of its own"), "\(words): \(result.errors)")
  }

  @Test(
    "is refused if it is a key, a password, an authority or a configuration, by any link",
    arguments: [keyFile, "password.txt", "ca.pem", "fanfare.json"])
  func secrets(_ name: String) throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      try fanfare.folder.writeSecret("password.txt", "secret\n")
      try fanfare.folder.write("fanfare.json", "{profiles: {a: {bundleID: 'a.b'}}}")
      try link(name, in: fanfare.folder)
      let text = try fanfare.folder.text(name)
      let common = ["--to", device("0a1b"), "--key-password-file", "password.txt"]
      for words in [
        ["--dead-tokens", "soft.txt"], ["--dead-tokens", "hard.txt"], ["--results", "soft.csv"],
        ["--results", "hard.csv"], ["--results", name],
      ] {
        expectRefused(try server.send(words: common + words), words)
      }
      #expect(server.emulator.requestCount == 0)
      #expect(try fanfare.folder.text(name) == text)
    }
  }

  @Test("is refused if it is the key of a variable, the history, or what standard input comes from")
  func others() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      #expect(try server.send("--to", device("0a1b")).exitCode == 0)
      try fanfare.folder.write("list.txt", "\(device("0a1b"))\n")
      let history = ".local/state/fanfare/history.sqlite"
      for (link, name) in [("key.txt", keyFile), ("list.csv", "list.txt"), ("h.csv", history)] {
        try FileManager.default.createSymbolicLink(
          atPath: fanfare.folder.file(link), withDestinationPath: name)
      }
      let key = try fanfare.folder.text(keyFile)
      let words = ["send", "--bundle-id", "a.b", "--title", "Hi"] + server.place
      let variables = ["FANFARE_KEY": keyFile, "FANFARE_TEAM_ID": "DEF123GHIJ"]
      let devices = ".config/fanfare/devices.json"
      try fanfare.folder.makeFolder(".config/fanfare")
      try fanfare.folder.write(devices, "{}")
      let rows = [
        ["--to", device("0a1b"), "--dead-tokens", "key.txt"],
        ["--to", device("0a1b"), "--dead-tokens", devices],
        ["--to", device("0a1b"), "--dead-tokens", history + "-wal"],
        ["--to", device("0a1b"), "--dead-tokens", history + "-shm"],
        ["--to", device("0a1b"), "--results", "h.csv"],
        ["--tokens", "-", "--results", "list.csv"],
      ]
      for row in rows {
        let result = try fanfare.run(
          words + row, input: .file(fanfare.folder.file("list.txt")), environment: variables)
        expectRefused(result, row)
      }
      #expect(server.emulator.requestCount == 1)
      #expect(try fanfare.folder.text(keyFile) == key)
      #expect(try fanfare.folder.text("list.txt") == "\(device("0a1b"))\n")
      #expect(try fanfare.run(["history", "list"]).exitCode == 0)
    }
  }

  static let scenarioFiles = [
    "hello.json5": """
    {extends: "base.json5", recipients: ["list.txt"],
     notification: {payload: "p.json"}}
    """,
    "base.json5": #"{bundleID: "a.b", environment: "emulator"}"#, "list.txt": "\(device("0a1b"))\n",
    "p.json": #"{"aps":{"alert":"Hi"}}"#, "script.json5": ScenarioText.script, keyFile: "",
  ]

  @Test(
    "is refused if a scenario needs it, for reports too", arguments: scenarioFiles.keys.sorted())
  func scenarios(_ name: String) throws {
    try withFanfare { fanfare in
      for (name, text) in Self.scenarioFiles where !text.isEmpty {
        try fanfare.folder.write(name, text)
      }
      try link(name, in: fanfare.folder)
      let text = try fanfare.folder.text(name)
      let words = ["run", "hello.json5", "--script", "script.json5"] + credentials
      for option in [
        ["--results", "soft.csv"], ["--dead-tokens", "hard.txt"], ["--junit", "soft.xml"],
        ["--tap", "hard.xml"], ["--markdown", name],
      ] {
        expectRefused(try fanfare.run(words + option), option)
      }
      #expect(try fanfare.folder.text(name) == text)
      let result = try fanfare.run(words + ["--results", "r.csv", "--junit", "r.xml"])
      #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
    }
  }

  @Test("is refused by the emulator and by simulate too")
  func otherCommands() throws {
    try withFanfare { fanfare in
      try fanfare.folder.makeFolder("kept")
      try FileManager.default.createSymbolicLink(
        atPath: fanfare.folder.file("soft-ca.txt"), withDestinationPath: "kept/ca.pem")
      let texts = [
        "s.json5": ScenarioText.script, "p.json": #"{"aps":{"alert":"Hi"}}"#,
        "fanfare.json": "{profiles: {}}", "kept/ca.pem": "",
      ]
      for (name, text) in texts { try fanfare.folder.write(name, text) }
      try link("s.json5", in: fanfare.folder)
      let key = try fanfare.folder.text(keyFile)
      for words in [
        ["emulator", "--script", "s.json5", "--journal", "hard.txt"],
        ["emulator", "--trust", keyFile, "--team-id", "DEF123GHIJ", "--journal", keyFile],
        ["emulator", "--journal", "fanfare.json"],
        ["emulator", "--ca-folder", "kept", "--journal", "soft-ca.txt"],
        ["emulator", "--ca-folder", "new", "--journal", "new/ca-key.der"],
        ["simulate", "--bundle-id", "a.b", "--payload", "p.json", "--output", "./p.json"],
      ] {
        expectRefused(try fanfare.run(words), words)
      }
      for (name, text) in texts { #expect(try fanfare.folder.text(name) == text) }
      #expect(try fanfare.folder.text(keyFile) == key)
    }
  }

  /// The names of lists, and what takes up runs that were sent to them.
  static let takenUp: [[String]] = [
    ["history", "resend", "1", "--dead-tokens", "list.txt"],
    ["history", "resend", "1", "--results", "list.csv"],
    ["history", "resend", "1", "--dead-tokens", "left.txt"],
    ["history", "resend", "2", "--dead-tokens", "copy.txt"],
    ["history", "resend", "3", "--results", "rows.csv"],
    ["history", "resend", "4", "--dead-tokens", "list.txt"],
    ["resume", "1", "--now", "--dead-tokens", "left.txt"],
    ["resume", "2", "--now", "--dead-tokens", "copy.txt"],
    ["resume", "4", "--now", "--dead-tokens", "list.txt"],
    ["resume", "5", "--results", "good.csv"],
    ["send", "--again=1", "--to", device("0a1b"), "--dead-tokens", "list.txt"],
    ["history", "export", "1", "--output", "list.txt"],
    ["history", "export", "2", "--output", "copy.txt"],
    ["history", "export", "3", "--format", "csv", "--html", "rows.csv"],
    ["history", "export", "--output", "left.txt"],
  ]

  @Test("is refused if it is a list of the run that is resent, resumed, repeated or exported")
  func listsOfRuns() throws {
    try withFanfare { fanfare in
      let good = device("0a1b")
      var configuration = EmulatorConfiguration()
      configuration.answer = { $0.token?.hex == good ? nil : .reject(.internalServerError) }
      let server = try Server(fanfare, configuration)
      let texts = [
        "list.txt": tokenList(3), "left.txt": device("0a1c") + "\n", "good.csv": "token\n\(good)\n",
        "rows.csv": "token,name\n\(device("0a1d")),Anna\n",
      ]
      for (name, text) in texts { try fanfare.folder.write(name, text) }
      let list = fanfare.folder.file("list.txt")
      for words in [
        server.words + ["--tokens", "list.txt", "--suppress", "left.txt"],
        server.words + ["--tokens", "-"],
        server.words + ["--body", "{{name}}", "--tokens", "rows.csv"],
        ["history", "resend", "1"], server.words + ["--tokens", "good.csv"],
      ] {
        let result = try fanfare.run(words, input: .file(list))
        #expect(result.exitCode == (words.last == "good.csv" ? 0 : 4), "\(result.errors)")
      }
      let copy = ".local/state/fanfare/history.sqlite.run-2.list-1"
      for (link, file) in [("list.csv", "list.txt"), ("copy.txt", copy)] {
        try FileManager.default.createSymbolicLink(
          atPath: fanfare.folder.file(link), withDestinationPath: file)
      }
      let requests = server.emulator.requestCount
      for words in Self.takenUp { expectRefused(try fanfare.run(words), words) }
      #expect(server.emulator.requestCount == requests)
      for (name, text) in texts { #expect(try fanfare.folder.text(name) == text, "\(name)") }
      #expect(try fanfare.folder.text("copy.txt") == tokenList(3))
    }
  }

  @Test("is refused if TLS keys would go into it", arguments: [["doctor"], ["channel", "list"]])
  func keyLog(_ command: [String]) throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let key = try fanfare.folder.text(keyFile)
      let words = command + ["--bundle-id", "a.b", "--tls-key-log"] + server.place + credentials
      let result = try fanfare.run(words, environment: ["SSLKEYLOGFILE": keyFile])
      expectRefused(result, words)
      #expect(try fanfare.folder.text(keyFile) == key)
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
