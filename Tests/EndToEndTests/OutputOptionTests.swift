import APNS
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("What is printed")
struct OutputOptionTests {
  private static let escape = "\u{1b}["

  static let colors: [(words: [String], environment: [String: String], isColored: Bool)] = [
    (["explain", "BadDeviceToken"], [:], false),
    (["explain", "BadDeviceToken"], ["CLICOLOR_FORCE": "1"], true),
    (["explain", "BadDeviceToken", "--color", "always"], [:], true),
    (["--color=always", "explain", "BadDeviceToken"], ["NO_COLOR": "1"], true),
    (["explain", "--color=never", "BadDeviceToken"], ["CLICOLOR_FORCE": "1"], false),
    (["explain", "BadDeviceToken", "--color", "auto"], ["CLICOLOR_FORCE": "1"], true),
    // An error is one, too.
    (["check", "none.json", "--color=always"], [:], true),
  ]

  @Test("has colors where --color or a variable says so", arguments: colors)
  func color(_ row: (words: [String], environment: [String: String], isColored: Bool)) throws {
    let result = try withFanfare {
      try $0.start(row.words, environment: row.environment).finish()
    }
    #expect((result.output + result.errors).contains(Self.escape) == row.isColored)
  }

  @Test("has colors on a terminal only as --color says")
  func terminal() throws {
    for (words, isColored) in [([], true), (["--color", "never"], false)] {
      try withFanfare { fanfare in
        let program = try TerminalProgram(
          path: Fanfare.path, ["explain", "BadDeviceToken"] + words, in: fanfare.folder,
          environment: ["TERM": "xterm"])
        #expect(program.finish() == 0)
        #expect(program.screen.contains(Self.escape) == isColored)
      }
    }
  }

  static let badColors: [(words: [String], error: String)] = [
    (
      ["version", "--color", "blue"],
      "'--color' does not take 'blue'. Allowed: auto, always, never."
    ),
    (["version", "--color"], "'--color' needs a value: WHEN."),
    (["--color=auto", "version", "--color=auto"], "'--color' is given more than once."),
  ]

  @Test("is refused with another word for --color", arguments: badColors)
  func badColor(_ row: (words: [String], error: String)) throws {
    let result = try withFanfare { try $0.run(row.words) }
    #expect(result.exitCode == 2 && result.output == "")
    #expect(result.errors.hasPrefix("fanfare: \(row.error)\n"))
  }

  @Test("with --quiet is a line for a rejection, with its reason")
  func quietRejection() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in .reject(.unregistered, timestamp: 1_700_000_000_000) }
      let server = try Server(fanfare, configuration)
      let result = try server.send("--to", device("0a1b2c3d4e5f"), "--quiet")
      #expect(result.exitCode == 1 && result.output == "")
      #expect(result.errors == "fanfare: error: …2c3d4e5f: rejected: 410 Unregistered\n")
      let again = try fanfare.run(
        ["history", "resend", "1", "--only", "rejected", "--quiet"] + credentials)
      #expect(again.errors == result.errors && again.output == "")
      let json = try server.send("--to", device("0a1b2c3d4e5f"), "--quiet", "--json")
      #expect(json.errors == "" && json.output.contains("\"rejected\":1"))
    }
  }

  static let taken = [["--results", "-"], ["--template", "{{outcome}}"]]

  @Test(
    "keeps what is an error, and how to go on, where results take the summary's place",
    arguments: taken)
  func takenOutput(_ words: [String]) throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in .reject(.serviceUnavailable) }
      let server = try Server(fanfare, configuration)
      let result = try server.send(words: ["--to", device("0a1b2c3d4e5f")] + words)
      #expect(result.exitCode == 4 && result.output.contains("deferred"), "\(result.output)")
      let line =
        "fanfare: error: …2c3d4e5f: deferred: 503 ServiceUnavailable; go on with 'fanfare resume 1'\n"
      #expect(result.errors == line)
    }
  }

  @Test("keeps a step that is not as expected, and the way to the rest, likewise", arguments: taken)
  func takenScenario(_ words: [String]) throws {
    try withFanfare { fanfare in
      let step = #"notification: {type: "alert", payload: {aps: {alert: "Hi"}}}"#
      try fanfare.folder.write(
        "s.json5",
        """
        {bundleID: "a.b", environment: "emulator", recipients: ["\(device("0a1b"))"],
         steps: [{name: "dead", \(step), expect: {status: 410}}, {\(step)}]}
        """)
      let result = try fanfare.run(["run", "s.json5"] + words)
      #expect(result.exitCode == 1)
      let lines = result.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines[0].hasPrefix("fanfare: error: s.json5, step 1 dead: "))
      #expect(lines.last == "fanfare: go on with 'fanfare run s.json5 --from 2'")
    }
  }

  @Test("with --quiet is a line for a list that was not all accepted")
  func quietList() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(3) + "xyz\n")
      let result = try fanfare.send("--tokens", "list.txt", "--quiet")
      #expect(result.exitCode == 1 && result.output == "")
      #expect(result.errors == "fanfare: error: 1 bad line; 3 accepted\n")
    }
  }

  @Test("with --quiet is a line for a step that is not as expected, and nothing for the others")
  func quietScenario() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "s.json5",
        """
        {
          bundleID: "a.b", environment: "emulator", recipients: ["\(device("0a1b2c3d4e5f"))"],
          steps: [
            {notification: {type: "alert", payload: {aps: {alert: "Hi"}}}},
            {name: "dead", notification: {type: "alert", payload: {aps: {alert: "Hi"}}},
             expect: {status: 410}},
          ],
        }
        """)
      let result = try fanfare.run(["run", "s.json5", "--quiet"])
      #expect(result.exitCode == 1 && result.output == "")
      let lines = result.errors.split(separator: "\n")
      #expect(lines.count == 1 && lines[0].hasPrefix("fanfare: error: s.json5, step 2 dead: "))
      #expect(lines[0].contains("wanted 410, got 200"))
    }
  }

  @Test("with --strict is an error for a warning, and nothing is sent")
  func strict() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let doubtful = ["--content-available", "--type", "background", "--priority", "1"]
      let send =
        ["send", "--bundle-id", "a.b", "--to", device("0a1b")] + server.place + credentials
      let warned = try fanfare.run(send + doubtful)
      #expect(warned.exitCode == 0 && warned.errors.contains(" warning: "))
      let refused = try fanfare.run(send + doubtful + ["--strict"])
      #expect(refused.exitCode == 2 && refused.output == "")
      #expect(refused.errors.contains(" error: ") && !refused.errors.contains(" warning: "))
      #expect(refused.errors.contains(" --strict makes this warning an error. ["))
      #expect(server.emulator.connectionCount == 1)
      let forced = try fanfare.run(send + doubtful + ["--strict", "--force"])
      #expect(forced.errors.hasPrefix("fanfare: '--force' and '--strict' cannot be used together."))
    }
  }

  @Test("with --strict is an error for a short device token, in 'run' as in 'send'")
  func strictToken() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "s.json5",
        """
        {bundleID: "a.b", recipients: ["0a1b"],
         notification: {type: "alert", payload: {aps: {alert: "Hi"}}}}
        """)
      let send = ["send", "--bundle-id", "a.b", "--title", "Hi", "--to", "0a1b"]
      let place = ["--env", "sandbox", "--dry-run"] + credentials
      for words in [send, ["run", "s.json5"]] {
        let result = try fanfare.run(words + place + ["--strict", "--quiet"])
        #expect(result.exitCode == 2 && result.output == "")
        #expect(result.errors.contains("has 4 digits; Apple's have at least 64. --strict makes"))
        #expect(try fanfare.run(words + place).exitCode == 0)
      }
    }
  }

  /// A number of digits, and what is said of it; nil for nothing.
  static let lengths: [(digits: Int, says: String?)] = [
    (62, "has 62 digits; Apple's have at least 64."), (64, nil), (160, nil),
    (66, "has 66 digits; Apple's have 64 or 160."),
    (128, "has 128 digits, as many as 2 device tokens."),
  ]

  @Test("is a warning for a device token of no length that Apple's have", arguments: lengths)
  func length(_ row: (digits: Int, says: String?)) throws {
    try withFanfare { fanfare in
      let token = String(repeating: "ab", count: row.digits / 2)
      let sent = try fanfare.send("--to", token).errors
      #expect(sent.contains("has \(row.digits) digits") == (row.says != nil), "\(sent)")
      if let says = row.says {
        #expect(sent.contains("warning: The device token …abababab \(says)"))
      }
      try fanfare.folder.write("l.txt", token + "\n")
      try fanfare.folder.write(
        "s.json5",
        """
        {bundleID: "a.b", recipients: ["\(token)"],
         notification: {type: "alert", payload: {aps: {alert: "Hi"}}}}
        """)
      for file in ["l.txt", "s.json5"] {
        let checked = try fanfare.run(["check", file, "--env", "emulator"])
        let isOdd = checked.output.contains("warning") && checked.output.contains("[token-length]")
        #expect(isOdd == (row.says != nil) && checked.exitCode == 0, "\(checked)")
        #expect(!isOdd || file == "l.txt" || checked.output.contains("s.json5:1:32:"))
      }
    }
  }

  @Test("with --strict is an error for a key that others can read, in 'run' as in 'send'")
  func strictCredentials() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      _ = try TestSupport.run("chmod", ["644", keyFile], in: fanfare.folder)
      try fanfare.folder.write(
        "s.json5",
        """
        {bundleID: "a.b", recipients: ["\(device("0a1b"))"],
         notification: {type: "alert", payload: {aps: {alert: "Hi"}}}}
        """)
      let place = server.place + credentials + ["--strict", "--quiet"]
      let send = ["send", "--bundle-id", "a.b", "--title", "Hi", "--to", device("0a1b")]
      for words in [send, ["run", "s.json5"]] {
        let result = try fanfare.run(words + place)
        #expect(result.exitCode == 2 && result.output == "")
        #expect(result.errors.contains("(mode 0644). --strict makes this warning an error.\n"))
        #expect(result.errors.contains("  chmod 600 \(keyFile)\n"))
      }
      #expect(server.emulator.connectionCount == 0)
    }
  }
}
