import Foundation
import TestSupport
import Testing

@testable import SendingSupport

@Suite("In a shell")
struct ShellTests {
  @Test("bash completes a command", .needs("bash"))
  func bash() throws {
    let text = try complete(
      "bash", "--norc", "-c",
      "source ./script; COMP_WORDS=(fanfare se) COMP_CWORD=1; _fanfare; echo ${COMPREPLY[@]}")
    #expect(text == "send\n")
  }

  @Test("zsh knows the commands", .needs("zsh"))
  func zsh() throws {
    let text = try complete(
      "zsh", "-f", "-c",
      "autoload -Uz compinit && compinit -u -D && source ./script; "
        + "print $_comps[fanfare] $+functions[_fanfare_send]")
    #expect(text == "_fanfare 1\n")
  }

  @Test("fish completes an option", .needs("fish"))
  func fish() throws {
    let text = try complete(
      "fish", "--no-config", "-c", "source ./script; complete -C 'fanfare send --tit'")
    #expect(text == "--title\tThe alert's title.\n")
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
      "send --env emulator --bundle-id a.b --title Hi --tokens list.txt --results -",
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
    "output that is lost to a full disk is no success", .needs("bash"),
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
    arguments: [
      "version", "explain",
      "send --env emulator --bundle-id a.b --title Hi --to 0a1b --quiet --results -",
    ])
  func fullDisk(_ words: String) throws {
    try withFanfare { fanfare in
      let line = "\"$0\" \(words) >/dev/full"
      let result = try run("bash", ["-c", line, Fanfare.path], in: fanfare.folder)
      #expect(result.exitCode == 1)
      #expect(result.errors.contains("Standard output cannot be written: "))
      #expect(result.errors.hasSuffix("\n  Make room, or write elsewhere.\n"))
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

  private func complete(_ shell: String, _ words: String...) throws -> String {
    try withFanfare { fanfare in
      try fanfare.folder.write("script", fanfare.run(["completions", shell]).output)
      let result = try run(shell, words, in: fanfare.folder)
      #expect(result.errors == "")
      return result.output
    }
  }
}
