import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare init")
struct InitTests {
  private static let files: [String] = [
    "fanfare.json", "fanfare.schema.json", "payloads/hello.json", "scenarios/hello.json5",
  ]

  /// The files that a project begins with, as far as they are there.
  private func written(in folder: TemporaryFolder) -> [String] {
    Self.files.filter { FileManager.default.fileExists(atPath: folder.file($0)) }
  }

  private func expectNothing(in folder: TemporaryFolder) throws {
    let names = try folder.names().filter { !$0.hasPrefix(".errors") }
    #expect(names == [keyFile])
  }

  @Test("makes an example that runs at once, and that check has nothing against")
  func example() throws {
    try withFanfare { fanfare in
      let result = try fanfare.run(["init"])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(written(in: fanfare.folder) == Self.files)
      let check = try fanfare.run(["check", "."])
      #expect(check.exitCode == 0 && check.output.contains(": no problems"), "\(check.output)")
      let run = try fanfare.run(["run", "scenarios/hello.json5"])
      #expect(run.exitCode == 0 && run.output.contains("accepted"), "\(run.errors)")
    }
  }

  @Test("makes a scenario of a curl command, which check and run take")
  func fromCurl() throws {
    try withFanfare { fanfare in
      let token = tokenText(1)
      let command = """
        curl -v -H 'apns-topic: com.example.app' -H 'authorization: bearer SECRET' \\
          --data '{"aps":{"alert":"Hi"}}' https://api.sandbox.push.apple.com/3/device/\(token)
        """
      try fanfare.folder.write("push.sh", command)
      let result = try fanfare.run(["init", "--from-curl", "push.sh"])
      #expect(result.exitCode == 0 && result.output.hasPrefix("Wrote\n  scenarios/curl.json5\n"))
      #expect(result.errors.contains("authorization") && !result.errors.contains(token))
      let text = try fanfare.folder.text("scenarios/curl.json5")
      #expect(text.contains(token) && !text.contains("SECRET"))
      #expect(try fanfare.run(["check", "scenarios/curl.json5"]).exitCode == 0)
      let run = try fanfare.run(["run", "scenarios/curl.json5", "--env", "emulator"])
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(try fanfare.run(["init", "--from-curl", "push.sh"]).exitCode == 2)
      let printed = try fanfare.run(["init", "--from-curl", "push.sh", "--output", "-"])
      #expect(printed.exitCode == 0 && printed.output.contains("payload: {"))
    }
  }

  @Test("takes what options say, and writes of a key only its path")
  func options() throws {
    try withFanfare { fanfare in
      let words = ["init", "push", "--env", "sandbox", "--bundle-id", "a.b"] + credentials
      let result = try fanfare.run(words)
      #expect(result.exitCode == 0 && result.output.contains("*.p8"), "\(result)")
      let inner = Fanfare(folder: fanfare.folder.folder("push"))
      let shown = try inner.run(["config", "show", "--json"])
      let settings = try JSON(text: shown.output)["settings"]
      #expect(settings?["bundleID"]?["value"] == "a.b")
      #expect(settings?["environment"]?["value"] == "sandbox")
      #expect(settings?["keyID"]?["value"] == "ABC123DEFG")
      #expect(settings?["key"]?["value"]?.string?.hasSuffix("/" + keyFile) == true)
      #expect(try inner.run(["check", "."]).exitCode == 0)
      let token = try inner.start(["token"]).finish()
      #expect(token.output.hasPrefix("eyJ"), "\(token.errors)")
      let text = try fanfare.folder.text("push/fanfare.json")
      expectHarmless(text)
    }
  }

  @Test("writes a key that is given beside the emulator into a profile of its own")
  func keyBesideEmulator() throws {
    try withFanfare { fanfare in
      #expect(try fanfare.run(["init", "--env", "emulator"] + credentials).exitCode == 0)
      #expect(try fanfare.run(["run", "scenarios/hello.json5"]).exitCode == 0)
      let token = try fanfare.start(["token", "--profile", "sandbox"]).finish()
      #expect(token.output.hasPrefix("eyJ"), "\(token.errors)")
    }
  }

  @Test("shows where credentials go when there is no key yet")
  func keyless() throws {
    try withFanfare { fanfare in
      #expect(try fanfare.run(["init", "--env", "production"]).exitCode == 0)
      #expect(try fanfare.run(["check", "."]).exitCode == 0)
      let text = try fanfare.folder.text("fanfare.json")
      let marked = text.replacing("// ", with: "").split(separator: "\n").dropFirst(4)
      let whole = marked.filter { !$0.contains("local APNs") }.joined(separator: "\n")
      let json = try JSONReader(.json5).read(whole)
      #expect(json["profiles"]?["production"]?["credentials"]?["teamID"] == "DEF123GHIJ")
    }
  }

  static let refused: [(words: [String], code: Int32, says: String)] = [
    (["--bundle-id", "a..b"], 2, "bundle ID"), (["--env", "prod"], 2, "--env"),
    (["--key", "none.p8"], 2, "none.p8 does not exist"),
    (["--key", keyFile], 2, "Give --team-id"),
    (["--key", keyFile, "--team-id", "short"], 2, "--team-id: not a team ID"),
    (["--key", keyFile, "--team-id", "ABC123DEFG"], 2, "both ABC123DEFG"),
    (["--team-id", "DEF123GHIJ"], 2, "give --key too"),
    (["--cert", "none.p12"], 2, "none.p12 does not exist"),
    (["--cert", keyFile, "--key", keyFile], 2, "'--key' and '--cert' cannot be used together"),
    (["--profile", "a"], 2, "there is no fanfare.json"),
  ]

  @Test("writes nothing when an option is wrong", arguments: refused)
  func badOption(_ row: (words: [String], code: Int32, says: String)) throws {
    try withFanfare { fanfare in
      let result = try fanfare.run(["init"] + row.words)
      #expect(result.exitCode == row.code && result.errors.contains(row.says), "\(result.errors)")
      try expectNothing(in: fanfare.folder)
    }
  }

  @Test("touches nothing that is there", arguments: ["fanfare.json", "fanfare.schema.json"])
  func existing(_ name: String) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(name, "mine")
      let result = try fanfare.run(["init"])
      #expect(result.exitCode == 2 && result.errors.contains("\(name): already exists"))
      #expect(written(in: fanfare.folder) == [name])
      #expect(try fanfare.folder.text(name) == "mine")
    }
  }

  @Test(
    "keeps examples that are there, as in a clone of this repository",
    arguments: ["payloads/hello.json", "scenarios/hello.json5"])
  func existingExample(_ name: String) throws {
    try withFanfare { fanfare in
      for folder in ["payloads", "scenarios"] { try fanfare.folder.makeFolder(folder) }
      try fanfare.folder.write(name, "mine")
      let result = try fanfare.run(["init"])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.output.contains("Already there, unchanged\n  \(name)\n"))
      #expect(written(in: fanfare.folder) == Self.files)
      #expect(try fanfare.folder.text(name) == "mine")
    }
  }

  @Test("goes on where an earlier one was killed")
  func again() throws {
    try withFanfare { fanfare in
      #expect(try fanfare.run(["init"]).exitCode == 0)
      try FileManager.default.removeItem(atPath: fanfare.folder.file("fanfare.json"))
      #expect(try fanfare.run(["init"]).exitCode == 0)
      #expect(written(in: fanfare.folder) == Self.files)
    }
  }

  @Test("says a second time what is there, and what to do where it was edited")
  func twice() throws {
    try withFanfare { fanfare in
      let first = try fanfare.run(["init", "-y"])
      #expect(first.output.hasPrefix("Wrote\n") && !first.output.contains("Already there"))
      let second = try fanfare.run(["init", "-y"])
      #expect(second.exitCode == 0, "\(second.errors)")
      #expect(second.output.hasPrefix("Already there, unchanged\n  payloads/hello.json\n"))
      let text = try fanfare.folder.text("fanfare.json")
      try fanfare.folder.write("fanfare.json", text + "// Mine\n")
      let edited = try fanfare.run(["init", "-y"])
      #expect(edited.exitCode == 2, "\(edited.output)")
      #expect(edited.errors.contains("The project is set up already: edit its files"))
      #expect(edited.errors.contains("fanfare.json: already exists; nothing was written."))
      #expect(try fanfare.folder.text("fanfare.json") == text + "// Mine\n")
    }
  }

  static let projects: [(text: String, line: Int)] = [
    ("// Mine.\n{\n  profiles: { // the first\n    a: {bundleID: 'a.b'},\n  },\n}\n", 2),
    ("{default: 'a', /* ü */ profiles: {a: {bundleID: 'a.b'}}}", 0),
    ("{\r\n  devices: {}, // none\r\n}\r\n", 0), ("{profiles: {}}", 0),
  ]

  @Test("adds a profile to a file that is there, and keeps the rest", arguments: projects)
  func added(_ row: (text: String, line: Int)) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("fanfare.json", row.text)
      try fanfare.folder.write("orders.p12", "not opened")
      let words = ["init", "--bundle-id", "com.example.orders", "--cert", "orders.p12"]
      let result = try fanfare.run(words + ["--env", "production"])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.output.hasPrefix("Added to fanfare.json\n  profile orders-production\n"))
      #expect(result.output.contains("fanfare config show --profile orders-production\n"))
      #expect(result.output.contains("*.p12"))
      let text = try fanfare.folder.text("fanfare.json")
      for comment in ["// Mine.", "// the first", "/* ü */", "// none"] {
        #expect(text.contains(comment) == row.text.contains(comment))
      }
      let json = try JSONReader(.json5).read(text)
      let profile = json["profiles"]?["orders-production"]
      #expect(profile?["credentials"]?["cert"] == "orders.p12")
      #expect(profile?["bundleID"] == "com.example.orders")
      #expect((json["profiles"]?["a"] != nil) == row.text.contains("a.b"))
      #expect(try fanfare.run(["check", "fanfare.json", "--quiet"]).exitCode == 0)
      let again = try fanfare.run(words + ["--env", "production"])
      #expect(again.exitCode == 2 && again.errors.contains("has a profile 'orders-production'"))
      #expect(try fanfare.folder.text("fanfare.json") == text)
      let key = ["init", "--profile", "b", "--env", "sandbox"] + credentials
      #expect(try fanfare.run(key).exitCode == 0)
      let token = try fanfare.start(["token", "--profile", "b"]).finish()
      #expect(token.output.hasPrefix("eyJ"), "\(token.errors)")
      #expect(written(in: fanfare.folder) == ["fanfare.json"])
    }
  }

  @Test("makes a project for a certificate, with a schema for editors")
  func certificate() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("push.p12", "not opened")
      let result = try fanfare.run(["init", "--cert", "push.p12", "--bundle-id", "a.b"])
      #expect(result.exitCode == 0 && written(in: fanfare.folder) == Self.files)
      let next = [
        "fanfare preview scenarios/hello.json5", "fanfare device add my-phone TOKEN",
        "fanfare send --title Hello --to my-phone", "fanfare send --again",
      ]
      for command in next { #expect(result.output.contains(command), "\(result.output)") }
      let json = try JSONReader(.json5).read(try fanfare.folder.text("fanfare.json"))
      #expect(json["default"] == "sandbox" && json["$schema"] == "fanfare.schema.json")
      #expect(json["profiles"]?["sandbox"]?["credentials"]?["cert"] == "push.p12")
      let schema = try fanfare.run(["config", "schema", "config"]).output
      #expect(try fanfare.folder.text("fanfare.schema.json") == schema)
      #expect(try fanfare.run(["check", ".", "--quiet"]).exitCode == 0)
    }
  }

  @Test("leaves nothing behind when a file cannot be written")
  func failedWrite() throws {
    try withFanfare { fanfare in
      let limited = try Program(
        path: "/bin/sh", ["-c", "ulimit -f 0; exec \"$0\" init 2>&1 | cat", Fanfare.path],
        in: fanfare.folder
      ).finish()
      #expect(limited.output.contains("cannot be written"), "\(limited)")
      try expectNothing(in: fanfare.folder)
      try fanfare.folder.write("scenarios", "a file in the way")
      let result = try fanfare.run(["init"])
      #expect(result.exitCode == 2)
      #expect(written(in: fanfare.folder).isEmpty)
      #expect(try !fanfare.folder.names().contains("payloads"))
    }
  }
}

@Suite("The questions of fanfare init")
struct InitQuestionTests {
  private func withQuestions(
    _ words: [String] = [], keys: [String] = [keyFile, "AuthKey_ZYX987WVUT.p8"],
    _ body: (Fanfare, TerminalProgram) throws -> Void
  ) throws {
    try withFanfare { fanfare in
      // Of several keys none is proposed.
      for key in keys.dropFirst() { try fanfare.folder.writeSecret(key, "") }
      let program = try TerminalProgram(
        path: Fanfare.path, ["init"] + words, in: fanfare.folder)
      try body(fanfare, program)
      #expect(program.hasEcho)
    }
  }

  private func answer(_ program: TerminalProgram, _ rows: [(question: String, text: String)]) {
    for row in rows {
      #expect(program.wait(for: row.question), "\(program.screen)")
      program.type(row.text + "\n")
    }
  }

  @Test("are answered with nothing but Enter")
  func enter() throws {
    try withQuestions { fanfare, program in
      answer(program, [("environment [emulator]: ", ""), ("bundle ID [com.example.app]: ", "")])
      #expect(program.finish() == 0, "\(program.screen)")
      #expect(!program.screen.contains("key file"))
      let run = try fanfare.run(["run", "scenarios/hello.json5"])
      #expect(run.exitCode == 0)
    }
  }

  @Test("propose the key that lies there, and with it the sandbox")
  func proposal() throws {
    try withQuestions(keys: [keyFile]) { fanfare, program in
      answer(
        program,
        [
          ("environment [sandbox]: ", ""), ("bundle ID [com.example.app]: ", ""),
          ("key file [\(keyFile)]: ", ""), ("key ID [ABC123DEFG]: ", ""),
          ("team ID: ", "DEF123GHIJ"),
        ])
      #expect(program.finish() == 0, "\(program.screen)")
      let text = try fanfare.folder.text("fanfare.json")
      #expect(text.contains(#""key": "\#(keyFile)""#), "\(text)")
    }
  }

  @Test("lead to a key, and are asked again until the answer is one")
  func key() throws {
    try withQuestions { fanfare, program in
      answer(program, [("environment [emulator]: ", "prod")])
      #expect(program.wait(for: "environment [emulator]: ", times: 2))
      program.type("sandbox\n")
      answer(
        program,
        [
          ("bundle ID [com.example.app]: ", "com.example.shop"),
          ("key file [none yet]: ", "none.p8"),
        ])
      #expect(program.wait(for: "does not exist."))
      program.type("\(keyFile)\n")
      answer(program, [("key ID [ABC123DEFG]: ", ""), ("team ID: ", "")])
      #expect(program.wait(for: "team ID: ", times: 2))
      program.type("DEF123GHIJ\n")
      #expect(program.finish() == 0, "\(program.screen)")
      let text = try fanfare.folder.text("fanfare.json")
      #expect(text.contains("\"key\": \"\(keyFile)\"") && text.contains("com.example.shop"))
      #expect(try fanfare.start(["token"]).finish().output.hasPrefix("eyJ"))
    }
  }

  @Test("are not asked when an option answers them, or with --yes")
  func options() throws {
    try withQuestions(["--env", "emulator"]) { _, program in
      answer(program, [("bundle ID [com.example.app]: ", "")])
      #expect(program.finish() == 0 && !program.screen.contains("environment ["))
    }
    try withQuestions(["--yes"]) { _, program in
      #expect(program.finish() == 0 && !program.screen.contains("["))
    }
  }

  @Test(
    "are left with Ctrl-C or Ctrl-D, and nothing is written",
    arguments: [("\u{3}", 130), ("\u{4}", 2)])
  func left(_ row: (key: String, code: Int)) throws {
    try withQuestions { fanfare, program in
      answer(program, [("environment [emulator]: ", "")])
      #expect(program.wait(for: "bundle ID [com.example.app]: "))
      program.type(row.key)
      #expect(program.finish() == Int32(row.code), "\(program.screen)")
      let names = try fanfare.folder.names()
      #expect(names.allSatisfy { $0.hasSuffix(".p8") }, "\(names)")
    }
  }
}
