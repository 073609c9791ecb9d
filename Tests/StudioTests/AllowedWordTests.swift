import Foundation
import JSONText
import SendingSupport
import Settings
import TestSupport
import Testing

@testable import Studio
@testable import WebServer

@Suite("The words that the studio allows")
struct AllowedWordTests {
  /// A folder with a scenario, beside which there is a file that must not be read.
  private func withProject(_ body: (ProjectFolder) throws -> Void) throws {
    try withTemporaryFolder { folder in
      for name in [
        "shop/a.json5", "shop/list.txt", "shop/team", "shop/sub/b.json", "secret.txt",
        "shop-private/list.txt",
      ] { try folder.put(name, "{}") }
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("shop/private"), withDestinationPath: "../shop-private")
      try body(ProjectFolder(folder.file("shop")))
    }
  }

  static let refused: [[String]] = [
    [], ["token"], ["doctor"], ["emulator"], ["work"], ["history", "prune"], ["history"],
    ["channel", "list"], ["studio"], ["init", "."], ["--config=x", "check"],
    ["check", "--config=x"],
    ["send", "--key=AuthKey_ABC123DEFG.p8"], ["send", "--cert=a.p12"], ["send", "--key-id=A"],
    ["send", "--key-password-file=p"], ["send", "--server=https://evil.example"],
    ["send", "--ca=a.pem"], ["send", "--proxy=http://evil.example"], ["send", "--history=x"],
    ["send", "--results=out.jsonl"], ["send", "--results=-"], ["send", "--dead-tokens=x.txt"],
    ["send", "--trust-project"], ["send", "--yes"], ["send", "--yes=0123456789abcdef"],
    ["send", "-y"], ["send", "-n"],
    ["send", "--env", "production"], ["send", "--env=auto"],
    ["send", "--env=https://evil.example"],
    ["send", "--to=-"], ["send", "--to=@list.txt"], ["send", "--to=@../secret.txt"],
    ["send", "--to=@team"], ["send", "--tokens=private/list.txt"], ["check", "private"],
    ["send", "--to=@~/x"], ["send", "--tokens=-"], ["send", "--tokens=../secret.txt"],
    ["send", "--tokens=/etc/passwd"], ["send", "--tokens=~/x.txt"], ["send", "--tokens=@list.txt"],
    ["send", "--payload=-"], ["send", "--payload=@a.json5"], ["send", "--payload=../x.json"],
    ["send", "--title"], ["send", "--dry-run=1"], ["send", "word"], ["send", "--watch"],
    ["send", "--enqueue"], ["run", "-"], ["run", "../secret.txt"], ["run", "--junit=x.xml"],
    ["run", "--script=../s.json5"], ["run", "a.json5", "--", "--key=x"], ["check", "nothing.json"],
    ["check", "/"], ["check", ".."], ["check", "sub/.."], ["preview", "-"],
    ["history", "show", "--history=x"], ["history", "export", "--output=x"],
    ["history", "export", "--html=x.html"], ["explain", "--key"], ["send", "--title=a\0b"],
    ["init", "--from-curl", "--output=../x.json5", "-"], ["init", "--from-curl", "x.sh"],
    ["init", "--from-curl", "--output=x.sh", "-"],
  ]

  @Test("are no others", arguments: refused)
  func refusals(_ words: [String]) throws {
    try withProject { folder in
      let error = #expect(throws: HTTPRefusal.self) { try AllowedWords(words, in: folder) }
      #expect([403, 404].contains(error?.status))
    }
  }

  static let allowed: [[String]] = [
    ["check", "--json", "a.json5"], ["check", "."], ["check", "sub", "-"],
    ["preview", "--json", "a.json5", "--step=2"], ["explain", "--json", "aps.alert"],
    [
      "send", "--title=--key", "--to=qa,my-phone", "--to=@qa", "--tokens=list.txt", "--env=sandbox",
    ],
    ["send", "--payload= {}", "--critical", "--critical=0.5", "--set=a=@b", "--content-available"],
    ["run", "a.json5", "--env=inbox", "--only=Hello", "--json=outcome"], ["resume", "12", "--now"],
    ["history", "resend", "3", "--only=rejected"], ["device", "add", "my-phone", tokenText(1)],
    ["init", "--from-curl", "--output=new/x.json5", "-"],
  ]

  /// Words of so many texts each, behind the command's seven bytes.
  static let lengths: [(text: String, length: Int, words: Int, isGood: Bool)] = [
    ("a", 524_281, 1, true), ("a", 524_282, 1, false), ("é", 262_140, 1, true),
    ("é", 262_141, 1, false), ("a", 1, 524_281, true), ("aa", 1, 262_141, false),
  ]

  @Test("are at most 512 KiB, in however many words", arguments: lengths)
  func length(_ row: (text: String, length: Int, words: Int, isGood: Bool)) throws {
    try withProject { folder in
      let word = String(repeating: row.text, count: row.length)
      let words = ["explain"] + Array(repeating: word, count: row.words)
      guard !row.isGood else { return _ = try AllowedWords(words, in: folder) }
      let error = #expect(throws: HTTPRefusal.self) { try AllowedWords(words, in: folder) }
      #expect(error?.status == 413 && error?.message.contains("512 KiB") == true)
    }
  }

  @Test("are those of the page", arguments: allowed)
  func good(_ words: [String]) throws {
    try withProject { folder in
      let allowed = try AllowedWords(words, in: folder)
      #expect(allowed.words == words)
    }
  }

  @Test("send only when they are run, and are called only when they do not")
  func uses() throws {
    try withProject { folder in
      let plan = try #require(PlanID(text: "0123456789abcdef"))
      for words in [["send", "--title=Hi"], ["run", "a.json5"], ["resume"]] {
        let words = try AllowedWords(words, in: folder)
        #expect(throws: HTTPRefusal.self) { try words.forCall() }
        #expect(
          try words.forRun(plan: plan) == ["--json", "--results=-", "--yes=0123456789abcdef"])
        for flag in ["--dry-run", "--plan"] {
          let dry = try AllowedWords(words.words + [flag], in: folder)
          #expect(try dry.forCall() == dry.words)
          #expect(throws: HTTPRefusal.self) { try dry.forRun(plan: plan) }
        }
      }
      let own = try AllowedWords(["run", "a.json5", "--json=outcome"], in: folder)
      #expect(try own.forRun(plan: plan) == ["--results=-", "--yes=0123456789abcdef"])
      let check = try AllowedWords(["check", "."], in: folder)
      #expect(throws: HTTPRefusal.self) { try check.forRun(plan: plan) }
      #expect(throws: HTTPRefusal.self) { try AllowedWords(["init", "-"], in: folder).forCall() }
      let simulated = try AllowedWords(["simulate", "a.json5"], in: folder).forCall()
      #expect(simulated.last == "--output=-")
    }
  }

  static let curls: [(text: String, isGood: Bool)] = [
    (#"curl -d '{"a":"me@example.com"}'"#, true), (#"curl -d @/etc/x.json"#, false),
    ("curl -d@/etc/x", false), ("curl -sd@x", false), ("curl --data \"@x\"", false),
    ("X=@x; curl -d $X", false), ("D=d; curl -$D@x", false), ("curl -${D}@x", false),
    (#"curl -d $'\x40x'"#, false), (#"curl -d $'\u0040x'"#, false), (#"curl -d $'\100x'"#, false),
    (#"curl -d $'{"a":"\u00e9"}'"#, true), ("curl -d \\@x", false), ("curl -d ''@x", false),
  ]

  @Test("and a curl command read no file", arguments: curls)
  func curl(_ row: (text: String, isGood: Bool)) throws {
    try withProject { folder in
      let words = try AllowedWords(["init", "--from-curl", "--output=x.json5", "-"], in: folder)
      let isGood = (try? words.check(input: row.text)) != nil
      #expect(isGood == row.isGood)
      #expect(throws: HTTPRefusal.self) {
        try AllowedWords(["check", "."], in: folder).check(input: "")
      }
    }
  }

  @Test("exist in the program", arguments: AllowedCommand.table.map(\.name))
  func existing(_ name: [String]) throws {
    let command = try #require(AllowedCommand.table.first { $0.name == name })
    try withFanfare { fanfare in
      let help = try fanfare.run(name + ["--help"]).output
      for option in command.options.keys + ["results", "yes"].filter({ _ in command.isRun }) {
        #expect(help.contains("--\(option)"), "\(name) \(option)")
      }
      for word in command.added { #expect(help.contains(word.prefix { $0 != "=" })) }
    }
  }
}
