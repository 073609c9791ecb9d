import Foundation
import SendingSupport
import TestSupport
import Testing

@Suite("Scripts and workflows")
struct ScriptTests {
  private static func text(_ path: String) throws -> String {
    try String(decoding: Data(contentsOf: projectFolder.appending(path: path)), as: UTF8.self)
  }

  private static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: projectFolder.appending(path: folder).path)
  }

  @Test("use nothing that the bash 3.2 of macOS does not know")
  func dialect() throws {
    let newer = try Regex(
      #"\b(mapfile|readarray|coproc)\b|(declare|local) -[gAn]|\$\{\w+(\[.\])?(,,?|\^\^?|@\w)\}|&>>|\|&|\bwait -n"#
    )
    for folder in ["Scripts", "Packaging", ".ci"] {
      for name in try Self.names(in: folder) where !name.contains(".") && name != "sanitizer" {
        // Packaging has folders too.
        guard let script = try? Self.text("\(folder)/\(name)"),
          script.hasPrefix("#!/usr/bin/env bash")
        else { continue }
        let found = try newer.firstMatch(in: script)
        #expect(found == nil, "\(name): \(found.map { String(script[$0.range]) } ?? "")")
      }
    }
  }

  @Test("print their help, and do nothing else")
  func help() throws {
    let script = projectFolder.appending(path: "Scripts/road").path
    let result = try withTemporaryFolder { folder in
      try Program(path: script, ["--help"], in: folder).finish()
    }
    #expect(result.exitCode == 0 && result.output.hasPrefix("usage: road"))
  }

  @Test("only call what is there: targets of make, scripts, and Homebrew")
  func calls() throws {
    let targets = try Set(
      Self.text("Makefile").matches(of: /(?m)^([a-z-]+):/).map { String($0.1) })
    for name in try Self.names(in: ".github/workflows") {
      let runs = try Self.text(".github/workflows/\(name)").matches(of: /(?m)^\s+(?:- )?run: (.+)$/)
      #expect(!runs.isEmpty)
      for words in runs.map({ $0.1.split(separator: " ") }) {
        switch words[0] {
        case "make": #expect(targets.contains(String(words[1])), "\(words)")
        case "brew", "pkg-config", "sudo", "echo": break
        default:
          let path = projectFolder.appending(path: String(words[0])).path
          #expect(FileManager.default.isExecutableFile(atPath: path), "\(words)")
        }
      }
    }
  }

  @Test("pin every action, and ask for no permission that a job does not need")
  func workflows() throws {
    for name in try Self.names(in: ".github/workflows") {
      let workflow = try Self.text(".github/workflows/\(name)")
      #expect(workflow.contains("\npermissions: {}\n"))
      for use in workflow.matches(of: /uses: (\S+)/) where !use.1.hasPrefix("./") {
        #expect(use.1.contains(/@[0-9a-f]{40}$/), "\(use.1)")
      }
      // Each says what it is for.
      let rights = workflow.matches(of: /([a-z-]+): write( #)?/)
      #expect(rights.allSatisfy { $0.2 != nil })
      let needed = Set(rights.map { String($0.1) })
      let released: Set = ["attestations", "contents", "id-token", "packages", "pages"]
      #expect(needed == (name == "release.yml" ? released : []))
    }
  }
}

@Suite("Publishing a release", .needs("bash"))
struct PublishScriptTests {
  @Test("puts the packages of all systems together, and publishes once all are there")
  func publish() throws {
    try withTemporaryFolder { folder in
      try Self.fill(folder)
      let result = try publish("v0.1.0", in: folder)
      #expect(result.exitCode == 0, "\(result.errors)")
      let calls = try folder.lines("calls")
      #expect(calls.count == 2)
      #expect(calls.first?.hasPrefix("release create v0.1.0 --verify-tag --draft") == true)
      #expect(calls.last == "release edit v0.1.0 --draft=false")
      let files = [
        "SHA256SUMS", "a.tar.gz", "b.tar.gz", "fanfare.rb", "a-sbom.json", "b-sbom.json",
      ]
      #expect(try Set(folder.folder("sent").names()) == Set(files + ["notes.md"]))
      #expect(try folder.lines("sent/SHA256SUMS").count == files.count - 1)
      // The formula fits the source archive of the first system only.
      #expect(try folder.text("sent/fanfare.rb") == "a\n")
      #expect(try folder.text("sent/notes.md").contains("### "))
    }
  }

  @Test("publishes nothing that was changed, or is not in the changelog")
  func refusals() throws {
    try withTemporaryFolder { folder in
      try Self.fill(folder)
      #expect(try publish("v99.0.0", in: folder).errors.contains("does not describe 99.0.0"))
      try folder.write("packages/b/sbom.json", "other\n")
      #expect(try publish("v0.1.0", in: folder).exitCode == 1)
      #expect(try publish("", in: folder).exitCode == 2)
      #expect(try !folder.names().contains("calls"))
    }
  }

  /// Two systems with an archive each, and `gh`, which keeps what it is given.
  private static func fill(_ folder: TemporaryFolder) throws {
    try folder.makeFolder("sent")
    let script = """
      mkdir bin
      for system in a b; do
        mkdir -p packages/$system && cd packages/$system
        for file in $system.tar.gz fanfare.rb sbom.json; do echo $system >$file; done
        if command -v sha256sum >/dev/null; then sha256sum *; else shasum -a 256 *; fi >../sums
        mv ../sums SHA256SUMS && cd ../..
      done
      printf '%s\\n' '#!/bin/sh' 'echo "$@" >>calls' \
        'for word; do if [ -f "$word" ]; then cp "$word" sent; fi; done' >bin/gh
      chmod 755 bin/gh
      """
    #expect(try run("bash", ["-ec", script], in: folder).exitCode == 0)
  }

  private func publish(_ tag: String, in folder: TemporaryFolder) throws -> Program.Result {
    let script = projectFolder.appending(path: "Scripts/publish-release").path
    return try Program(
      path: requirePath(of: "bash"),
      ["-c", "PATH=$PWD/bin:$PATH; exec \"$0\" packages", script],
      in: folder, environment: ["RELEASE_TAG": tag]
    ).finish()
  }
}
