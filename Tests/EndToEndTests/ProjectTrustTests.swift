import Foundation
import SendingSupport
import TestSupport
import Testing

/// Nothing listens on port 1 of this machine, so that each connection that is tried fails at once.
@Suite("A project's file")
struct ProjectTrustTests {
  private static let send = ["send", "--title", "Hi", "--to", device("0a1b"), "--timeout", "2s"]

  private func withProject(
    _ profile: String, _ body: (Fanfare) throws -> Void
  ) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "fanfare.json", "{default: 'p', profiles: {p: {bundleID: 'a.b', \(profile)}}}")
      try fanfare.folder.write("ca.pem", "no certificate")
      try body(fanfare)
    }
  }

  static let requests: [(profile: String, says: [String])] = [
    (
      "environment: {server: 'https://apns.invalid', ca: 'ca.pem'}, proxy: 'http://127.0.0.1:1'",
      [
        "sends your credentials to https://apns.invalid",
        "connects through the proxy http://127.0.0.1:1", "trusts the certificates in ca.pem",
      ]
    ),
    (
      "environment: 'sandbox', proxy: 'http://ada:sesame@127.0.0.1:1'",
      ["fanfare.json:1:", "connects through the proxy …@127.0.0.1:1"]
    ),
    (
      "environment: 'sandbox', proxy: 'http://ada:a%40sesame%2Fsesame@127.0.0.1:1'",
      ["connects through the proxy …@127.0.0.1:1"]
    ),
    ("environment: 'production', ca: 'ca.pem'", ["trusts the certificates in ca.pem"]),
    ("environment: 'emulator', history: '/no/such/h'", ["keeps the history in /no/such/h"]),
    (
      "environment: 'emulator', history: 'postgresql://db.invalid/h'",
      ["keeps the history in postgresql://db.invalid/h"]
    ),
  ]

  @Test("sends no credentials anywhere unseen", arguments: requests)
  func refused(_ row: (profile: String, says: [String])) throws {
    try withProject(row.profile) { fanfare in
      let result = try fanfare.run(Self.send + credentials)
      #expect(result.exitCode == 2, "\(result.errors)")
      for text in row.says + ["--trust-project", "FANFARE_TRUST_PROJECT=1"] {
        #expect(result.errors.contains(text), "\(result.errors)")
      }
      #expect(!result.errors.contains("sesame"))
    }
  }

  @Test("has no database asked unseen for what it knows, nor in a dry run")
  func database() throws {
    try withProject("environment: 'emulator', history: 'postgresql://127.0.0.1:1/h'") { fanfare in
      let update = ["--event", "end", "--type", "liveactivity", "--expiration", "1h"]
      let dryRun =
        Self.send.dropLast(4) + ["--channel", "dHN0LXNyY2gtY2hubA==", "--dry-run"] + update
      for words in [
        ["history", "list"], ["history", "prune", "--keep", "1"], ["resume"], ["send", "--again"],
        ["channel", "list", "--known"], dryRun,
      ] {
        let result = try fanfare.run(words)
        #expect(result.exitCode == 2 && result.errors.contains("keeps the history in"), "\(words)")
        #expect(result.errors.contains("name it with --history"), "\(result.errors)")
        let trusted = try fanfare.run(words, environment: ["FANFARE_TRUST_PROJECT": "1"])
        #expect(trusted.exitCode == 2 && trusted.errors.contains("cannot connect"), "\(words)")
        let named = try fanfare.run(words + ["--history", "postgresql://127.0.0.1:1/h"])
        #expect(named.errors.contains("cannot connect") && !named.errors.contains("keeps"))
      }
    }
  }

  @Test("is trusted by an option or a variable, and what it asks for is told")
  func trusted() throws {
    let profile = "environment: {server: 'https://apns.invalid'}, proxy: 'http://127.0.0.1:1'"
    try withProject(profile) { fanfare in
      for (words, variables) in [
        (["--trust-project"], [:]), ([], ["FANFARE_TRUST_PROJECT": "1"]),
      ] {
        let result = try fanfare.run(
          Self.send + credentials + words, environment: variables)
        #expect(result.exitCode == 3, "\(result.errors)")
        #expect(result.errors.contains("sends your credentials to https://apns.invalid"))
      }
      let dry = try fanfare.run(Self.send + ["--dry-run"])
      #expect(dry.exitCode == 0, "\(dry.errors)")
      let zero = try fanfare.run(
        Self.send + credentials, environment: ["FANFARE_TRUST_PROJECT": "0"])
      #expect(zero.exitCode == 2)
      // It would send its test push there.
      let doctor = try fanfare.run(["doctor"] + credentials)
      #expect(doctor.exitCode == 2 && doctor.errors.contains("--trust-project"))
    }
  }

  /// Servers that look like this machine, or near to it, and are not.
  static let strangers = [
    "127.a.b.invalid", "127.0.0.1.invalid", "localhost.invalid", "10.0.0.5", "192.168.0.1",
    "169.254.0.1", "0.0.0.0", "127.0.0.256", "128.0.0.1", "api.push.apple.com.invalid",
    "api.push.apple.invalid",
  ]

  @Test("names no server beside this machine and Apple's unseen", arguments: strangers)
  func stranger(_ host: String) throws {
    try withProject("environment: {server: 'https://\(host):1'}") { fanfare in
      let result = try fanfare.run(Self.send + credentials)
      #expect(result.exitCode == 2, "\(result.errors)")
      #expect(result.errors.contains("sends your credentials to https://\(host):1"))
    }
  }

  static let locals = [
    "environment: {server: 'https://127.0.0.1:1', ca: 'ca.pem'}",
    "environment: {server: 'https://[::1]:1'}, ca: 'ca.pem'",
    "environment: {server: 'https://localhost:1'}",
  ]

  @Test("may name a server of this machine, with its CA", arguments: locals)
  func harmless(_ profile: String) throws {
    try withProject(profile) { fanfare in
      let result = try fanfare.run(Self.send + credentials)
      #expect(result.exitCode != 2 && !result.errors.contains("--trust-project"))
    }
  }

  @Test("is not asked about where an option says something else, nor is the user's own file")
  func others() throws {
    try withProject("environment: {server: 'https://apns.invalid'}") { fanfare in
      let result = try fanfare.run(Self.send + ["--env", "emulator"])
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    try withFanfare { fanfare in
      try fanfare.folder.makeFolder(".config/fanfare")
      try fanfare.folder.writeSecret(
        ".config/fanfare/config.json",
        """
        {default: 'p', profiles: {p: {bundleID: 'a.b', proxy: 'http://127.0.0.1:1',
         environment: {server: 'https://apns.invalid'}}}}
        """)
      let result = try fanfare.run(Self.send + credentials)
      #expect(result.exitCode == 3, "\(result.errors)")
    }
  }

  @Test("is asked about on a terminal once, until it says something else")
  func asked() throws {
    let profile = "environment: 'sandbox', proxy: 'http://127.0.0.1:1'"
    try withProject(profile) { fanfare in
      func answer(_ text: String?) throws -> Int32? {
        let program = try TerminalProgram(
          path: Fanfare.path, Self.send + credentials, in: fanfare.folder)
        if let text {
          #expect(program.wait(for: "Is that intended? [y/N] "))
          program.type(text)
        }
        return program.finish()
      }
      #expect(try answer("n\n") == 2)
      #expect(try answer("y\n") == 3)
      #expect(try answer(nil) == 3)
      let moved = try fanfare.folder.text("fanfare.json")
      try fanfare.folder.write("fanfare.json", "// Moved\n" + moved)
      #expect(try fanfare.run(Self.send + credentials).exitCode == 3)
      try fanfare.folder.write("fanfare.json", moved.replacing("127.0.0.1:1", with: "127.0.0.1:2"))
      #expect(try fanfare.run(Self.send + credentials).exitCode == 2)
    }
  }

  /// What a scenario in a/b names, and whether that is outside of its project.
  static let files: [(payload: String, list: String, says: String?)] = [
    ("../p.json", "../list.txt", nil), ("../../p.json", "../list.txt", "reads a/b/../../p.json"),
    ("link.json", "../list.txt", "reads a/b/link.json"),
    ("../p.json", "../../list.txt", "reads a/b/../../list.txt"),
  ]

  @Test("sends no payload or list from outside its project unseen", arguments: files)
  func outside(_ row: (payload: String, list: String, says: String?)) throws {
    try withFanfare { fanfare in
      try writeFiles(row.payload, row.list, fanfare)
      let run = ["run", "a/b/s.json5"]
      let result = try fanfare.run(run)
      #expect(result.exitCode == (row.says == nil ? 0 : 2), "\(result.errors)")
      if let says = row.says { #expect(result.errors.contains(says), "\(result.errors)") }
      #expect(try fanfare.run(run + ["--trust-project"]).exitCode == 0)
      let replaced = ["--payload", "p.json", "--tokens", "list.txt"]
      #expect(try fanfare.run(run + replaced).exitCode == 0)
      // All of a repository belongs to the project.
      try fanfare.folder.makeFolder(".git")
      #expect(try fanfare.run(run).exitCode == 0)
    }
  }

  @Test(
    "does not reach as far as a repository of another user",
    .enabled(if: geteuid() == 0, "only root can give a file away"))
  func anothersRepository() throws {
    try withFanfare { fanfare in
      try writeFiles("../../p.json", "../list.txt", fanfare)
      try fanfare.folder.makeFolder(".git")
      #expect(try fanfare.run(["run", "a/b/s.json5"]).exitCode == 0)
      try #require(chown(fanfare.folder.file(".git"), 1234, 0) == 0)
      let result = try fanfare.run(["run", "a/b/s.json5"])
      #expect(result.exitCode == 2, "\(result.errors)")
      #expect(result.errors.contains("reads a/b/../../p.json, which is outside"))
    }
  }

  @Test(
    "is not trusted by a list of answers that others can write, or that lies in such a folder",
    .enabled(if: geteuid() == 0, "only root can give a file away"),
    arguments: ["trusted", ""])
  func foreignAnswers(_ name: String) throws {
    try withProject("environment: 'sandbox', proxy: 'http://127.0.0.1:1'") { fanfare in
      let program = try TerminalProgram(
        path: Fanfare.path, Self.send + credentials, in: fanfare.folder)
      #expect(program.wait(for: "Is that intended? [y/N] "))
      program.type("y\n")
      #expect(program.finish() == 3)
      #expect(try fanfare.run(Self.send + credentials).exitCode == 3)
      let path = fanfare.folder.file(".local/state/fanfare/\(name)")
      let mode = mode_t(name.isEmpty ? 0o777 : 0o666)
      try #require(chmod(path, mode) == 0)
      let result = try fanfare.run(Self.send + credentials)
      #expect(result.exitCode == 2, "\(result.errors)")
      #expect(result.errors.contains("connects through the proxy"), "\(result.errors)")
      try #require(chmod(path, mode & ~0o022) == 0)
      #expect(try fanfare.run(Self.send + credentials).exitCode == 3)
      try #require(chown(path, 1234, 0) == 0)
      #expect(try fanfare.run(Self.send + credentials).exitCode == 2)
    }
  }

  /// What else a scenario in a/b names, and which of them is outside of its project.
  static let bases: [(words: String, says: String?)] = [
    ("extends: '../base.json5', environment: {emulator: {script: '../day.json5'}}", nil),
    (
      "extends: '../../base.json5', environment: {emulator: {script: '../day.json5'}}",
      "reads a/b/../../base.json5"
    ),
    ("extends: '../far.json5', environment: 'emulator'", "reads a/b/../../base.json5"),
    (
      "extends: '../base.json5', environment: {emulator: {script: '../../day.json5'}}",
      "reads a/b/../../day.json5"
    ),
    // The script of another file counts from there.
    ("extends: '../played.json5'", "reads a/b/../../day.json5"),
  ]

  /// What a scenario `a/b/s.json5` names outside its project.
  static let secrets: [(words: String, place: String)] = [
    ("notification: {payload: '../../secret'}", "a/b/../../secret:1:1:"),
    ("notification: {payload: 'link.json'}", "a/b/link.json:1:1:"),
    ("extends: '../../secret'", "a/b/../../secret:1:1:"),
    (
      "environment: {emulator: {script: '../../secret'}}, notification: {payload: {aps: {}}}",
      "a/b/../../secret:1:1:"
    ),
    (
      "recipients: ['../../secret'], notification: {payload: {aps: {}}}",
      "a/b/../../secret:1:1:"
    ),
  ]

  @Test("has 'check' name only the place of what is outside its project", arguments: secrets)
  func quoted(_ row: (words: String, place: String)) throws {
    try withFanfare { fanfare in
      let folder = fanfare.folder
      try folder.makeFolder("a/b/.git")
      try folder.write("secret", "sesame\n")
      try #require(symlink("../../secret", folder.file("a/b/link.json")) == 0)
      try folder.write("a/b/s.json5", "{bundleID: 'a.b', \(row.words)}")
      let misspelled = "{bundleID: 'a.b', nmae: 'x', \(row.words)}"
      try folder.write("a/b/misspelled.json5", misspelled)
      for words in [
        ["check", "a/b/s.json5"], ["check", "a/b"], ["check", "a/b/link.json"],
        ["check", "a/b", "--json"], ["run", "a/b/misspelled.json5"],
      ] {
        let result = try fanfare.run(words)
        #expect(result.exitCode == 2)
        #expect(!(result.output + result.errors).contains("sesame"), "\(words)")
      }
      let told = try fanfare.run(["check", "a/b/s.json5"])
      #expect(told.output.contains(row.place), "\(told.output)")
      #expect(told.output.contains("Not shown, because the file is outside"), "\(told.output)")
      // The user has named the file itself.
      #expect(try fanfare.run(["check", "--payload", "secret"]).output.contains("sesame"))
    }
  }

  /// What a scenario `a/b/s.json5` takes its text from, outside of its project, and what it extends.
  static let shown: [(words: String, says: String)] = [
    ("notification: {payload: '../../p.json'}", "reads a/b/../../p.json"),
    ("notification: {payload: 'link.json'}", "reads a/b/link.json"),
    ("extends: '../../base.json5'", "reads a/b/../../base.json5"),
    (
      "recipients: ['../../list.csv'], notification: {payload: {aps: {alert: '{{word}}'}}}",
      "reads a/b/../../list.csv"
    ),
  ]

  @Test("has no command show what is outside its project", arguments: shown)
  func shownUnseen(_ row: (words: String, says: String)) throws {
    try withFanfare { fanfare in
      let folder = fanfare.folder
      try folder.makeFolder("a/b/.git")
      try folder.write("p.json", #"{"aps": {"alert": "sesame"}}"#)
      try folder.write("base.json5", "{notification: {payload: {aps: {alert: 'sesame'}}}}")
      try folder.write("list.csv", "token,word\n\(device("0a1b")),sesame\n")
      try #require(symlink("../../p.json", folder.file("a/b/link.json")) == 0)
      let common = "bundleID: 'a.b', environment: 'emulator'"
      let recipients =
        row.words.hasPrefix("recipients") ? "" : ", recipients: ['\(device("0a1b"))']"
      try folder.write("a/b/s.json5", "{\(common)\(recipients), \(row.words)}")
      var commands = [["preview", "a/b/s.json5"], ["run", "a/b/s.json5", "--dry-run"]]
      // A simulator gets no rows.
      if !recipients.isEmpty { commands.append(["simulate", "a/b/s.json5", "--output=-"]) }
      for words in commands {
        let result = try fanfare.run(words)
        #expect(result.exitCode == 2, "\(words)")
        #expect(!(result.output + result.errors).contains("sesame"), "\(words)")
        #expect(result.errors.contains(row.says), "\(result.errors)")
        #expect(result.errors.contains("nothing was shown"), "\(result.errors)")
        let trusted = try fanfare.run(words, environment: ["FANFARE_TRUST_PROJECT": "1"])
        #expect(trusted.exitCode == 0 && trusted.output.contains("sesame"), "\(trusted)")
      }
    }
  }

  @Test("extends no scenario and plays no script from outside its project unseen", arguments: bases)
  func farBases(_ row: (words: String, says: String?)) throws {
    try withFanfare { fanfare in
      let folder = fanfare.folder
      try folder.makeFolder("a/b")
      for place in ["", "a/"] {
        try folder.write(
          "\(place)base.json5", "{bundleID: 'a.b', recipients: ['\(device("0a1b"))']}")
        try folder.write("\(place)day.json5", "{rules: [{answer: {reason: 'Shutdown'}, times: 1}]}")
      }
      try folder.write("a/far.json5", "{extends: '../base.json5'}")
      try folder.write(
        "a/played.json5",
        "{extends: 'base.json5', environment: {emulator: {script: '../day.json5'}}}")
      try folder.write(
        "a/b/s.json5",
        "{\(row.words), notification: {payload: {aps: {alert: 'Hi'}}}}")
      let (run, trusting) = (["run", "a/b/s.json5"], ["--trust-project"])
      let result = try fanfare.run(run)
      #expect((result.exitCode == 2) == (row.says != nil), "\(result.errors)")
      #expect(result.errors.contains("which is outside") == (row.says != nil))
      if let says = row.says { #expect(result.errors.contains(says), "\(result.errors)") }
      let trusted = try fanfare.run(run + trusting)
      #expect(trusted.exitCode != 2, "\(trusted.errors)")
      #expect(trusted.errors.contains("which is outside") == (row.says != nil))
    }
  }

  @Test("is not asked about a script that is not played")
  func unplayedScript() throws {
    try withFanfare { fanfare in
      try writeFiles("../p.json", "../list.txt", fanfare)
      let text = try fanfare.folder.text("a/b/s.json5")
      try fanfare.folder.write(
        "a/b/s.json5",
        text.replacing("'emulator'", with: "{emulator: {script: '../../day.json5'}}"))
      for name in ["day.json5", "given.json5"] { try fanfare.folder.write(name, "{rules: []}") }
      #expect(try fanfare.run(["run", "a/b/s.json5"]).exitCode == 2)
      let replaced = try fanfare.run(["run", "a/b/s.json5", "--script", "given.json5"])
      #expect(replaced.exitCode == 0, "\(replaced.errors)")
    }
  }

  @Test(
    "above the working folder is used only when it is the user's, or trusted",
    .enabled(if: geteuid() == 0, "only root can give a file away"))
  func anotherUsers() throws {
    try withProject("environment: 'emulator'") { fanfare in
      try fanfare.folder.makeFolder("a")
      let inner = Fanfare(folder: fanfare.folder.folder("a"))
      #expect(try inner.run(Self.send).exitCode == 0)
      try #require(chown(fanfare.folder.file("fanfare.json"), 1234, 0) == 0)
      let says = "../fanfare.json belongs to another user (1234)"
      for words in [Self.send, ["doctor"], ["token"]] {
        let result = try inner.run(words)
        #expect(result.exitCode == 2 && result.output.isEmpty, "\(words)")
        #expect(result.errors.contains(says + ": its profiles were not used."), "\(result.errors)")
        #expect(result.errors.contains("FANFARE_TRUST_PROJECT=1"))
      }
      // These send nothing, so they go on.
      try inner.folder.write("p.json", #"{"aps": {"alert": "Hi"}}"#)
      let readers = [
        ["history", "list"], ["preview", "p.json"], ["inspect", "p.json"], ["check", "p.json"],
      ]
      for words in readers {
        let result = try inner.run(words)
        #expect(result.exitCode == 0 && result.errors.isEmpty, "\(words): \(result.errors)")
      }
      let shown = try inner.run(["config", "show"])
      #expect(shown.exitCode == 0 && shown.errors.contains(says), "\(shown.errors)")
      #expect(shown.output.contains("../fanfare.json"))
      let trusted = try inner.run(Self.send + ["--trust-project"])
      #expect(trusted.exitCode == 0, "\(trusted.errors)")
      #expect(trusted.errors.contains("belongs to another user"))
      let variables = ["FANFARE_TRUST_PROJECT": "1"]
      #expect(try inner.run(Self.send, environment: variables).exitCode == 0)
      // Whoever is in its folder sees it.
      #expect(try fanfare.run(Self.send).exitCode == 0)
    }
  }

  private func writeFiles(_ payload: String, _ list: String, _ fanfare: Fanfare) throws {
    let folder = fanfare.folder
    try folder.makeFolder("a/b")
    for place in ["", "a/"] {
      try folder.write("\(place)p.json", #"{"aps": {"alert": "Hi"}}"#)
      try folder.write("\(place)list.txt", "\(device("0a1b"))\n")
    }
    try #require(symlink("../../p.json", folder.file("a/b/link.json")) == 0)
    try folder.write(
      "a/b/s.json5",
      """
      {bundleID: 'a.b', environment: 'emulator', recipients: ['\(list)'],
       notification: {payload: '\(payload)'}}
      """)
  }
}
