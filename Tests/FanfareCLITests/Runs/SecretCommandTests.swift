import Credentials
import Foundation
import Reporting
import Settings
import TestSupport
import Testing

@testable import Runs

@Suite("A command that prints a secret")
struct SecretCommandTests {
  private let known = context(["PATH": "/usr/bin:/bin"])

  private func text(_ words: [String], patience: Int = 60) throws -> String {
    try SecretCommand(words: words, purpose: "key").output(known, patience: patience)
      .withBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func fault(_ words: [String], patience: Int = 60) -> SecretCommandFault? {
    let error = #expect(throws: Failure.self) { try text(words, patience: patience) }
    #expect(error?.exitCode == .connection && error?.sentence.contains("for the key") == true)
    return error?.cause(SecretCommandFault.self)
  }

  @Test("is run without a shell, with its words as they are")
  func words() throws {
    #expect(try text(["echo", "$HOME; *", "b  c"]) == "$HOME; * b  c\n")
    #expect(try text(["/bin/echo", "a"]) == "a\n")
  }

  @Test("is looked for in the folders of PATH that are the same from everywhere")
  func path() throws {
    try withTemporaryFolder { folder in
      for name in ["tool/", "bin/"] { try folder.makeFolder(name + "x") }
      let tool = try folder.writeProgram("bin/tool", "#!/bin/sh\n")
      let up = String(repeating: "../", count: 40)
      func found(_ path: String) -> String? { Subprocess(named: "tool", in: ["PATH": path])?.path }
      #expect(found("\(up)\(folder.file("bin"))") == nil)
      #expect(found(".:\(folder.path):\(folder.file("bin"))") == tool)
    }
  }

  @Test("has no standard input")
  func input() throws { #expect(try text(["sh", "-c", "cat; echo end"]) == "end\n") }

  @Test("that fails is told with how it ended")
  func faults() {
    #expect(fault(["no-such-program"]) == .missing)
    #expect(fault(["/nonexistent/program"]) == .missing)
    #expect(fault(["sh", "-c", "echo half; exit 7"]) == .status(7))
    #expect(fault(["sh", "-c", "kill -9 $$"]) == .status(137))
    #expect(fault(["true"]) == .empty)
  }

  @Test("may print 65,536 bytes, and not one more")
  func length() throws {
    let zeros = ["sh", "-c", "head -c 65536 /dev/zero"]
    #expect(try text(zeros).utf8.count == 65_536)
    #expect(fault(["sh", "-c", "head -c 65537 /dev/zero"]) == .tooLong(limit: 65_536))
  }

  @Test("is one of a folder by its full path, not of the current folder or one beside it")
  func relative() throws {
    try withTemporaryFolder { folder in
      let program = try folder.writeProgram("prog", "#!/bin/sh\n")
      let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
      let beside = String(repeating: "../", count: depth) + folder.path.dropFirst()
      try #require(access(beside + "/prog", X_OK) == 0)
      for (word, path, found) in [
        ("prog", folder.path, program), ("prog", "/nonexistent:" + folder.path, program),
        (program, "", program), ("prog", beside, nil), (beside + "/prog", folder.path, nil),
      ] as [(String, String, String?)] {
        #expect(SecretCommand.path(of: [word], ["PATH": path]) == found, "\(word) \(path)")
      }
    }
  }

  @Test("is ended when it takes too long, talking or not", arguments: ["", "exec >&-; "])
  func late(_ start: String) {
    #expect(fault(["sh", "-c", "\(start)exec sleep 600"], patience: 0) == .late(seconds: 0))
  }

  @Test("gets signals as if nobody had touched them")
  func signals() throws {
    #expect(try text(["sh", "-c", "trap '' HUP; trap | wc -l"]).contains("1"))
    #expect(fault(["sh", "-c", "kill -PIPE $$"]) == .status(141))
  }

  @Test("never shows its arguments in a message")
  func message() {
    let words = ["sh", "-c", "exit 1", "s3cret"]
    let failure = #expect(throws: Failure.self) { try text(words) }
    let printed = ReportText().text(of: failure?.parts() ?? [])
    #expect(printed.contains("The command sh for the key ended with status 1."))
    #expect(!printed.contains("s3cret"))
    #expect(SecretLocation.command(["op", "--token", "s3cret"]).name == "command op")
  }
}
