import APNS
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("On a narrow terminal")
struct NarrowTerminalTests {
  @Test(
    "a table leaves out the apns-id first, then shortens times and apps", arguments: [60, 80, 200])
  func shorterForms(_ columns: UInt16) throws {
    try withFanfare { fanfare in
      _ = try fanfare.send("--to", device("0a1b"))
      let words = [["history", "list"], ["history", "list", "--pushes"]]
      for words in words {
        let program = try TerminalProgram(
          path: Fanfare.path, words, in: fanfare.folder, environment: ["TERM": "xterm"],
          columns: columns)
        #expect(program.finish() == 0)
        let screen = program.screen
        #expect(!screen.contains("…-") && !screen.contains("T0…"), "\(screen)")
        #expect(screen.contains("apns-id") == (columns == 200), "\(screen)")
        #expect(
          (screen.firstMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
            == (columns == 200 || words.count == 3))
        // Beside a push type and a zone, 60 columns have room for the answer only.
        let isCut = columns == 60 && words.count == 2
        #expect(screen.contains(isCut ? "200, …" : deviceTail("0a1b")), "\(screen)")
      }
    }
  }

  static let commands: [(words: [String], typed: String)] = [
    (["example"], ""), (["history", "list"], ""), (["device", "list"], ""),
    (["init"], "emulator\n\n"),
  ]

  @Test("of 60 columns every line has room", arguments: commands)
  func lines(_ row: (words: [String], typed: String)) throws {
    try withFanfare { fanfare in
      _ = try fanfare.send("--to", "0a1b")
      let device = ["device", "add", "my-phone-with-a-long-name", tokenText(1)]
      _ = try fanfare.run(
        device + ["--env", "sandbox", "--bundle-id", "com.example.bakery.orders"])
      let program = try TerminalProgram(
        path: Fanfare.path, row.words, in: fanfare.folder, environment: ["TERM": "xterm"],
        columns: 60)
      program.type(row.typed)
      #expect(program.finish() == 0)
      let lines = program.screen.replacing(/\u{1b}\[[0-9;]*m/, with: "").split(
        whereSeparator: \.isNewline)
      #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 60 }, "\(lines)")
    }
  }

  @Test("of 80 columns runs tell their push type, and times their zone")
  func zone() throws {
    try withFanfare { fanfare in
      _ = try fanfare.send("--to", device("0a1b"))
      _ = try fanfare.send("--to", device("0a1b"), "--type", "voip")
      for (zone, short, long) in [
        ("UTC0", "Z", "Z"), ("CET-1", "+01", "+01:00"), ("IST-5:30", "+05:30", "+05:30"),
        ("NST3:30", "-03:30", "-03:30"),
      ] {
        for columns in [UInt16(80), 200] {
          let program = try TerminalProgram(
            path: Fanfare.path, ["history", "list"], in: fanfare.folder,
            environment: ["TERM": "xterm", "TZ": zone], columns: columns)
          #expect(program.finish() == 0)
          let time = columns == 80 ? #"\d\d:\d\d"# + short : #"\d\d:\d\d:\d\d"# + long
          let wanted = try Regex(time.replacing("+", with: "[+]") + " +emulator +voip ")
          #expect(program.screen.contains(wanted), "\(program.screen)")
          #expect(program.screen.contains("  alert "), "\(program.screen)")
        }
      }
    }
  }

  @Test("of 80 columns figures by environment tell two servers apart")
  func servers() throws {
    try withFanfare { fanfare in
      let servers = try [Server(fanfare), Server(fanfare)]
      for server in servers {
        try fanfare.folder.write("ca.pem", server.emulator.certificateAuthorityPEM)
        #expect(try server.send("--to", device("0a1b")).exitCode == 0)
      }
      let program = try TerminalProgram(
        path: Fanfare.path, ["history", "stats", "--by", "environment"], in: fanfare.folder,
        environment: ["TERM": "xterm", "NO_COLOR": "1"], columns: 60)
      #expect(program.finish() == 0)
      for server in servers {
        #expect(program.screen.contains(server.emulator.url.dropFirst("https://".count)))
      }
    }
  }

  @Test("of 60 columns times and figures are whole, whatever server was sent to")
  func server() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in .reject(.unregistered) }
      let server = try Server(fanfare, configuration)
      #expect(try server.send("--to", device("0a1b")).exitCode == 1)
      let send = ["--bundle-id", "com.example.bakery.orders", "--tokens", "list.txt"]
      try fanfare.folder.write("list.txt", tokenList(12_345))
      _ = try fanfare.run(["send", "--title", "Hi", "--env", "emulator"] + send)
      for words in [["list"], ["stats"], ["stats", "--by", "day"]] {
        let program = try TerminalProgram(
          path: Fanfare.path, ["history"] + words, in: fanfare.folder,
          environment: ["TERM": "xterm", "NO_COLOR": "1"], columns: 60)
        #expect(program.finish() == 0)
        let lines = program.screen.split(whereSeparator: \.isNewline)
        #expect(lines.allSatisfy { $0.count <= 60 }, "\(program.screen)")
        let whole = words == ["list"] ? #/\d\d-\d\d \d\d:\d\dZ  server  /# : #/12,34[56] .*\d$/#
        #expect(lines.contains { $0.contains(whole) }, "\(program.screen)")
      }
    }
  }

  static let refused: [[String]] = [
    ["send"], ["check", "order.json"], ["send", "--env", "emulatr"],
    [
      "send", "--env", "emulator", "--bundle-id", "com.example.app", "--to", "0a1b", "--payload",
      "order.json", "--retry-delay", "1ms",
    ],
  ]

  @Test("problems and notes are wrapped between words", arguments: refused)
  func problems(_ words: [String]) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("order.json", #"{"aps": {"badge": "3", "interuption-level": 1},}"#)
      let whole = try fanfare.run(words)
      let program = try TerminalProgram(
        path: Fanfare.path, words, in: fanfare.folder,
        environment: ["TERM": "xterm", "NO_COLOR": "1"], columns: 60)
      #expect(program.finish() == 2)
      let lines = program.screen.split(whereSeparator: \.isNewline)
      #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 60 }, "\(lines)")
      let written = (whole.output + whole.errors).split(whereSeparator: \.isWhitespace)
      #expect(program.screen.split(whereSeparator: \.isWhitespace).sorted() == written.sorted())
    }
  }
}
