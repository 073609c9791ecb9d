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
        #expect(screen.contains(deviceTail("0a1b")), "\(screen)")
      }
    }
  }

  static let commands: [(words: [String], typed: String)] = [
    (["example"], ""), (["history", "list"], ""), (["device", "list"], ""), (["init"], "\n\n"),
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
        let whole = words == ["list"] ? #/\d\d-\d\d \d\d:\d\d  server  /# : #/12,34[56] .*\d$/#
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
