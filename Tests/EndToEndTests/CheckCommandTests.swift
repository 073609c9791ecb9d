import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare check")
struct CheckCommandTests {
  /// The project's own folder.
  private static let project = projectFolder.path

  @Test("finds nothing wrong with what the project ships")
  func shipped() throws {
    let folders = ["payloads", "scenarios"].map { "\(Self.project)/\($0)" }
    let result = try withFanfare { try $0.run(["check"] + folders) }
    #expect(result.exitCode == 0 && result.errors == "")
    #expect(result.output.hasSuffix(": no problems\n"), "\(result.output)")
  }

  @Test("tells errors on standard output, and by its exit code")
  func errors() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("p.json", #"{"aps": {"alert": "Hi"}, "aps": {"badge": 1}}"#)
      try fanfare.folder.write("l.txt", "\(device("0a1b"))\n\(device("0a1b"))\nxyz\n")
      let result = try fanfare.run(["check", "p.json", "l.txt"])
      #expect(result.exitCode == 2 && result.errors == "")
      #expect(result.output.hasPrefix("p.json:1:26: payload: error: "))
      #expect(result.output.contains("\nl.txt:3:1: xyz: error: "))
      let summary = "1 payload, 1 list (1 token, 1 bad line, 1 duplicate): 2 errors\n"
      #expect(result.output.hasSuffix(summary))
      let json = try JSON(text: fanfare.run(["check", "--json", "p.json", "l.txt"]).output)
      #expect(json["errors"] == 2 && json["warnings"] == 0)
      #expect(json["files"]?.array?.map { $0["kind"] } == ["payload", "list"])
    }
  }

  @Test("reads a payload and a list from standard input")
  func standardInput() throws {
    try withFanfare { fanfare in
      let payload = try fanfare.folder.write("p", #"{"aps": {"badge": "1}}"#)
      let result = try fanfare.run(["check", "-"], input: .file(payload))
      #expect(result.exitCode == 2 && result.output.hasPrefix("-:1:"))
      let list = try fanfare.folder.write("l", "\(device("0a1b"))\n")
      let listed = try fanfare.run(["check", "--tokens", "-"], input: .file(list))
      #expect(listed.exitCode == 0 && listed.output == "1 list (1 token): no problems\n")
    }
  }

  @Test("stops a commit as a hook of git", .needs("git"))
  func hook() throws {
    try withFanfare { fanfare in
      let folder = fanfare.folder
      _ = try run("git", ["init", "-q"], in: folder)
      try folder.makeFolder("payloads")
      try folder.writeProgram(
        ".git/hooks/pre-commit", "#!/bin/sh\nexec '\(Fanfare.path)' check --quiet payloads\n")
      for (text, code) in [("{", 1), (#"{"aps": {"alert": "Hi"}}"#, 0)] as [(String, Int32)] {
        try folder.write("payloads/p.json", text)
        _ = try run("git", ["add", "payloads"], in: folder)
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
        let commit = try run("git", identity + ["commit", "-q", "-m", "Hi"], in: folder)
        #expect(commit.exitCode == code, "\(commit.errors)")
      }
    }
  }
}
