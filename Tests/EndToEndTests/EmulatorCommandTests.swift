import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare emulator")
struct EmulatorCommandTests {
  static let endings: [(signal: Int32, code: Int32)] = [(SIGTERM, 143), (SIGINT, 130)]

  @Test("says where it listens, and ends with the signal's code", arguments: endings)
  func life(_ row: (signal: Int32, code: Int32)) throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(fanfare)
      #expect(emulator.ready["pid"]?.int == Int(emulator.program.id))
      #expect(emulator.url.hasPrefix("https://127.0.0.1:"))
      emulator.program.send(row.signal)
      let result = try emulator.program.finish()
      #expect(result.exitCode == row.code)
      #expect(result.output + result.errors == "")
      #expect(try fanfare.folder.names().filter { $0.hasPrefix("fanfare-ca") } == [])
    }
  }

  @Test("outlives its terminal with nohup")
  func nohup() throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(
        Program(
          path: "/bin/sh", ["-c", "trap '' HUP; exec \"$0\" emulator", Fanfare.path],
          in: fanfare.folder))
      emulator.program.send(SIGHUP)
      #expect(try fanfare.run(emulator.send + ["--to", device("0a1b")]).exitCode == 0)
      #expect(try emulator.end() == 143)
    }
  }

  @Test(
    "has a certificate that passes strict checks, as Python makes them since 3.13",
    .needs("openssl"))
  func strictChecks() throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(fanfare)
      let words = [
        "s_client", "-connect", String(emulator.url.dropFirst("https://".count)), "-alpn", "h2",
        "-CAfile", emulator.ready["ca"]?.string ?? "", "-x509_strict", "-verify_return_error",
      ]
      let result = try run("openssl", words, in: fanfare.folder)
      #expect(result.exitCode == 0 && result.output.contains("Verify return code: 0 (ok)"))
      #expect(try emulator.end() == 143)
    }
  }

  @Test("has each push of a long list in its journal once, under the apns-id of the results")
  func journal() throws {
    try withFanfare { fanfare in
      let count = 10_000
      try fanfare.folder.write("list.txt", tokenList(count))
      let emulator = try RunningCommand(fanfare, "--journal", "journal.jsonl")
      let result = try fanfare.run(
        emulator.send + ["--tokens", "list.txt", "--results", "results.jsonl", "--json"])
      #expect(try emulator.end() == 143)
      #expect(result.exitCode == 0)
      let summary = try JSON(text: result.output)
      #expect(summary["accepted"]?.int == count)
      let sent = try pushes(in: fanfare.folder, "results.jsonl")
      let journaled = try pushes(in: fanfare.folder, "journal.jsonl")
      #expect(sent.count == count && Set(sent).count == count)
      // A machine too busy to answer a PING in time has what was in flight sent again.
      let again = try #require(summary["resentInDoubt"]?.int)
      #expect((count...count + again).contains(journaled.count))
      #expect(Set(sent) == Set(journaled))
    }
  }

  @Test("takes the provider tokens of a trusted key, and of no other")
  func trust() throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(
        fanfare, "--trust", keyFile, "--team-id", "DEF123GHIJ", "--journal", "journal.jsonl")
      let trusted = try fanfare.run(emulator.send + ["--to", device("0a1b")])
      #expect(trusted.exitCode == 0)
      try fanfare.folder.write(keyFile, try freshKey())
      let other = try fanfare.run(emulator.send + ["--to", device("0a1b")])
      #expect(other.exitCode == 3)
      #expect(other.output.hasPrefix("rejected  403 InvalidProviderToken  \(deviceTail("0a1b"))\n"))
      try fanfare.folder.write("list.txt", tokenList(1000))
      let many = try fanfare.run(emulator.send + ["--tokens", "list.txt", "--json"])
      #expect(many.exitCode == 3)
      #expect(many.errors.contains("the last with InvalidProviderToken."))
      let summary = try JSON(text: many.output)
      expectSum(of: summary)
      #expect(summary["accepted"] == 0 && (summary["notAttempted"]?.int ?? 0) > 900)
      #expect(try emulator.end() == 143)
      let rows = try fanfare.folder.lines("journal.jsonl").map { try JSON(text: $0) }
      #expect(rows.filter { $0["processed"] == true }.count == 1)
    }
  }

  @Test("says which port it cannot have")
  func portInUse() throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(fanfare)
      let port = emulator.url.split(separator: ":").last.map(String.init) ?? ""
      let second = try fanfare.run(["emulator", "--port", port])
      #expect(second.exitCode == 3)
      #expect(second.errors.contains("port \(port)") && second.errors.contains("0 for any"))
      #expect(try emulator.end() == 143)
    }
  }

  @Test("wants a key for an id, by the name of its own option", arguments: ["key-id", "team-id"])
  func idAlone(_ name: String) throws {
    let result = try withFanfare { try $0.run(["emulator", "--\(name)", "ABC123DEFG"]) }
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("--\(name) needs a key: give --trust too."))
  }

  @Test(
    "says which journal it cannot have",
    arguments: [
      ("none/journal.jsonl", "journal"), (".", "journal"),
    ])
  func badJournal(_ row: (path: String, says: String)) throws {
    let result = try withFanfare { try $0.run(["emulator", "--journal", row.path]) }
    #expect(result.exitCode == 3)
    #expect(result.errors.contains(row.says))
  }

  @Test("says at once that its journal's disk is full, and leaves whole lines in it")
  func fullDisk() throws {
    try withFanfare { fanfare in
      // Files may have 4 KiB: what a full disk does, for one process.
      let program = try Program(
        path: "/bin/sh",
        ["-c", "ulimit -f 8; exec \"$0\" emulator --journal journal.jsonl", Fanfare.path],
        in: fanfare.folder)
      let ready = try JSON(text: try #require(program.readLine()))
      try fanfare.folder.write("list.txt", tokenList(500))
      let sent = try fanfare.run(
        ["send", "--server", ready["url"]?.string ?? "", "--ca", ready["ca"]?.string ?? ""]
          + ["--bundle-id", "a.b", "--title", "Hi", "--tokens", "list.txt", "--no-history"]
          + credentials)
      #expect(sent.exitCode == 0)
      let journal = try fanfare.folder.text("journal.jsonl")
      #expect(!journal.isEmpty && journal.utf8.count <= 4096 && journal.hasSuffix("}\n"))
      for line in journal.split(separator: "\n") { #expect(try JSON(text: line)["token"] != nil) }
      let told = try fanfare.folder.names().filter { $0.hasPrefix(".errors-") }.contains {
        try fanfare.folder.text($0).contains("journal.jsonl")
      }
      #expect(told, "nothing was said while the emulator ran")
      program.send(SIGTERM)
      #expect(try program.finish().exitCode == 143)
    }
  }

  /// What identifies each push in a file of JSON lines.
  private func pushes(in folder: TemporaryFolder, _ name: String) throws -> [String] {
    try folder.lines(name).map { line in
      // Foundation's reader: this one is for speed, the strict one has tests of its own.
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let (token, id) = (row?["token"] as? String, row?["apnsID"] as? String)
      return try #require(token) + " " + #require(id)
    }
  }
}

/// `fanfare emulator` as a process that is ready.
struct RunningCommand {
  let program: Program
  let ready: JSON

  init(_ fanfare: Fanfare, _ words: String...) throws { try self.init(fanfare, words: words) }

  init(_ fanfare: Fanfare, words: [String]) throws {
    try self.init(fanfare.start(["emulator"] + words))
  }

  init(_ program: Program) throws {
    self.program = program
    let line = try #require(program.readLine(), "the emulator did not start")
    ready = try JSON(text: line)
  }

  var url: String { ready["url"]?.string ?? "" }

  /// `fanfare send` to it, signed in.
  var send: [String] {
    ["send", "--server", url, "--ca", ready["ca"]?.string ?? "", "--bundle-id", "com.example.app"]
      + ["--title", "Hello"] + credentials
  }

  /// Ends it.
  ///
  /// - Returns: its exit code.
  func end() throws -> Int32? {
    program.send(SIGTERM)
    return try program.finish().exitCode
  }
}
