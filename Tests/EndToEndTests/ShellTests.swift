import Foundation
import SendingSupport
import TestSupport
import Testing

@Suite("In a shell")
struct ShellTests {
  /// A line up to the cursor, and what is offered there.
  static let lines: [(words: [String], offered: [String])] = [
    (["se"], ["send"]),
    (["history", ""], ["diff", "export", "list", "prune", "resend", "show", "stats", "tail"]),
    (["help", "hist"], ["history"]),
    (["help", "history", "pr"], ["prune"]),
    (["send", "--env", ""], ["auto", "emulator", "inbox", "production", "sandbox"]),
    (["send", "--type", "li"], ["liveactivity"]),
    (["send", "--dead"], ["--dead-tokens"]),
    (["send", "--payload", "on"], ["only one"]),
    (["send", "--quiet", "--results", "only"], ["only one"]),
    (["check", "fol"], ["folder"]),
    (["history", "list", "12", "--outcome", "rej"], ["rejected"]),
    (["history", "list", "--reason", "BadDev"], ["BadDeviceToken"]),
    (["send", "--interruption-level", "time"], ["time-sensitive"]),
    (["explain", "aps.rel"], ["aps.relevance-score"]),
    (["explain", "aps.badge", "BadDeviceT"], ["BadDeviceToken"]),
    (["history", "export", "--format", ""], ["csv", "curl", "har", "jsonl", "tsv"]),
    (["completions", ""], ["bash", "fish", "zsh"]),
    (["send", "--title", ""], []),
    (["send", "--example", "voip/g"], ["voip/group-call"]),
    (["example", "liveactivity/start-o"], ["liveactivity/start-on-channel"]),
  ]

  @Test("bash completes commands, options, values and files", .needs("bash"), arguments: lines)
  func bash(_ row: (words: [String], offered: [String])) throws {
    #expect(try completing("bash").offers(row.words) == row.offered)
  }

  @Test("zsh completes commands, options, values and files", .needs("zsh"), arguments: lines)
  func zsh(_ row: (words: [String], offered: [String])) throws {
    #expect(try completing("zsh").offers(row.words) == row.offered)
  }

  @Test("fish completes commands, options, values and files", .needs("fish"), arguments: lines)
  func fish(_ row: (words: [String], offered: [String])) throws {
    #expect(try completing("fish").offers(row.words) == row.offered)
  }

  @Test("the manual page passes groff without a warning", .needs("groff"))
  func groff() throws {
    let result = try withFanfare { fanfare in
      try fanfare.folder.write("fanfare.1", fanfare.run(["manual"]).output)
      let words = ["-mdoc", "-ww", "-Tutf8", "-P-cbou", "fanfare.1"]
      return try run("groff", words, in: fanfare.folder)
    }
    #expect(result.errors == "" && result.exitCode == 0)
    #expect(result.output.contains("fanfare send") && result.output.contains("FANFARE_KEY"))
  }

  @Test("the manual page passes mandoc", .needs("mandoc"))
  func mandoc() throws {
    let result = try withFanfare { fanfare in
      try fanfare.folder.write("fanfare.1", fanfare.run(["manual"]).output)
      return try run("mandoc", ["-Tlint", "fanfare.1"], in: fanfare.folder)
    }
    #expect(result.output + result.errors == "")
  }

  @Test(
    "a reader that goes away early ends the printing without a word", .needs("bash"),
    arguments: [
      "explain", "send --env emulator --bundle-id a.b --title Hi --tokens list.txt --dry-run",
    ])
  func closedPipe(_ words: String) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(5000))
      let line = "\"$0\" \(words) | head -1; echo ${PIPESTATUS[0]}"
      let result = try run("bash", ["-c", line, Fanfare.path], in: fanfare.folder)
      #expect(result.output.hasSuffix("\n0\n"), "\(result.output)")
      let errors = result.errors.split(separator: "\n").filter { !$0.hasPrefix("push type: ") }
      #expect(errors == [])
    }
  }

  @Test(
    "results that a reader does not take are lost, and all is sent", .needs("bash"),
    arguments: ["--json", "--results -", "--template '{{status}}'"])
  func lostReader(_ words: String) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("tokens.txt", tokenList(3))
      let send = "\"$0\" send --env emulator --bundle-id a.b --title Hi --tokens list \(words)"
      // The list comes only once nobody reads any more.
      let line = """
        mkfifo list; { \(send) --tokens-format txt; echo $? > code; } \
          | { exec 0<&-; cat tokens.txt > list; }
        """
      let result = try run("bash", ["-c", line, Fanfare.path], in: fanfare.folder)
      #expect(try fanfare.folder.text("code") == "1\n", "\(result.errors)")
      let told = result.errors.components(separatedBy: "could not be written").count - 1
      #expect(told == 1 && result.errors.contains("The results could not be written: Broken pipe."))
      let sent = try fanfare.run(["history", "list", "--json=accepted"]).output
      #expect(sent == "{\"accepted\":3}\n")
    }
  }

  @Test(
    "output that is lost to a full disk is no success", .needs("bash"),
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
    arguments: [
      "version", "explain",
      "send --env emulator --bundle-id a.b --title Hi --to \(device("0a1b")) --quiet --results -",
    ])
  func fullDisk(_ words: String) throws {
    try withFanfare { fanfare in
      let line = "\"$0\" \(words) >/dev/full"
      let result = try run("bash", ["-c", line, Fanfare.path], in: fanfare.folder)
      #expect(result.exitCode == 1)
      let isResults = words.hasSuffix("--results -")
      let sentence =
        isResults ? "The results could not be written: " : "Standard output cannot be written: "
      #expect(result.errors.components(separatedBy: sentence).count == 2, "\(result.errors)")
      #expect(result.errors.components(separatedBy: " error: ").count == 2)
      #expect(result.errors.hasSuffix("\n  Free some space, or write elsewhere.\n"))
    }
  }

  @Test("everything that can be explained is, and a slip of the pen is told")
  func explain() throws {
    try withFanfare { fanfare in
      let good = try fanfare.run(["explain", "BadDeviceToken"])
      #expect(good.exitCode == 0 && good.output.hasPrefix("BadDeviceToken  (reason)\n"))
      let bad = try fanfare.run(["explain", "BadDevicToken"])
      #expect(bad.exitCode == 2 && bad.output == "")
      #expect(bad.errors.contains("Did you mean 'BadDeviceToken'?"))
    }
  }

  @Test("the version is one line")
  func version() throws {
    let result = try withFanfare { try $0.run(["--version"]) }
    #expect(result.exitCode == 0)
    #expect(result.output.wholeMatch(of: /fanfare \d+\.\d+\.\d+\n/) != nil)
  }

  /// The shell with the script that the program prints.
  private func completing(_ shell: String) throws -> CompletingShell {
    let script = try withFanfare { try $0.run(["completions", shell]).output }
    return CompletingShell(shell, tool: "fanfare", script: script)
  }
}
