import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare send")
struct SendTests {
  @Test("prints broken rules for programs, too")
  func brokenRulesInJSON() throws {
    try withFanfare { fanfare in
      let words = ["send", "--to", device("0a1b"), "--env", "emulator", "--bundle-id", "a.b"]
      let broken = words + ["--title", "Hi", "--priority", "7"]
      for dryRun in [[], ["--dry-run"]] {
        let result = try fanfare.run(broken + dryRun + ["--json"])
        #expect(result.exitCode == 2 && result.errors.contains("priority"), "\(result)")
        let problem = try JSON(text: result.output)["problems"]?.array?.first
        #expect(problem?["severity"] == "error" && problem?["path"] == "header apns-priority")
      }
      let text = try fanfare.run(broken)
      #expect(text.exitCode == 2 && text.output.isEmpty)
    }
  }

  @Test("to one device token says that it was accepted, and its apns-id")
  func one() throws {
    let result = try withFanfare { try $0.send("--to", device("0a1b2c3d4e5f")) }
    #expect(result.exitCode == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.first == "accepted  200  …2c3d4e5f")
    let id = lines.first { $0.hasPrefix("  apns-id ") }?.split(separator: " ").last
    #expect(id?.count == 36 && id?.hasSuffix("000000000001") == true)
    #expect(result.errors.isEmpty)
  }

  @Test("tells which push type it inferred to those who ask, and beside a warning")
  func inferredType() throws {
    try withFanfare { fanfare in
      let inferred = "push type: alert, inferred from the payload\n"
      #expect(try fanfare.send("--to", device("0a1b"), "--verbose").errors.contains(inferred))
      let doubtful = try fanfare.send("--to", device("0a1b"), "--data", "badge=1")
      #expect(doubtful.errors.contains("warning:") && doubtful.errors.contains(inferred))
    }
  }

  @Test("shows the device token whole only when asked to")
  func showTokens() throws {
    let result = try withFanfare { try $0.send("--to", device("0a1b2c3d4e5f"), "--show-tokens") }
    #expect(result.output.hasPrefix("accepted  200  \(device("0a1b2c3d4e5f"))\n"))
  }

  @Test("sends under the apns-id that was given")
  func apnsID() throws {
    let id = "1f0e2d3c-4b5a-4978-8695-a4b3c2d1e0f0"
    let result = try withFanfare {
      try $0.send("--to", device("0a1b2c3d4e5f"), "--apns-id", id.uppercased(), "--json")
    }
    #expect(try JSON(text: result.output)["push"]?["apnsID"]?.string == id)
  }

  @Test("with --json prints one object, which accounts for every line")
  func json() throws {
    let result = try withFanfare { try $0.send("--to", device("0a1b2c3d4e5f"), "--json") }
    #expect(result.exitCode == 0)
    let summary = try JSON(text: result.output)
    expectSum(of: summary)
    #expect(summary["accepted"] == 1 && summary["environment"] == "emulator")
    #expect(summary["push"]?["token"]?.string == device("0a1b2c3d4e5f"))
    #expect(summary["push"]?["status"] == 200)
  }

  @Test("with --quiet prints nothing")
  func quiet() throws {
    let result = try withFanfare { try $0.send("--to", device("0a1b2c3d4e5f"), "--quiet") }
    #expect(result.output + result.errors == "" && result.exitCode == 0)
  }

  @Test("sends a list from a file, and the same from standard input")
  func lists() throws {
    try withFanfare { fanfare in
      let list = try fanfare.folder.write("list.txt", tokenList(1000))
      let fromFile = try fanfare.send("--tokens", "list.txt", "--json")
      let fromInput = try fanfare.send("--tokens", "-", "--json", input: .file(list))
      for result in [fromFile, fromInput] {
        #expect(result.exitCode == 0)
        let summary = try JSON(text: result.output)
        expectSum(of: summary)
        #expect(summary["accepted"] == 1000 && summary["push"] == nil)
      }
    }
  }

  @Test("takes lists with --to as with --tokens")
  func listsTo() throws {
    try withFanfare { fanfare in
      let list = try fanfare.folder.write("list.txt", tokenList(5))
      for (words, input) in [
        (["--to", "-"], Program.Input.file(list)), (["--to", "@list.txt"], .nothing),
      ] {
        let result = try fanfare.run(
          ["send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi", "--json"] + words,
          input: input)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(try JSON(text: result.output)["accepted"] == 5)
      }
      let twice = try fanfare.send("--to", "-", "--payload", "-")
      #expect(twice.exitCode == 2 && twice.errors.contains("'--payload -' and '--to -' cannot"))
      let pair = try fanfare.send("--to", "\(tokenText(1)) \(tokenText(2))", "--json")
      #expect(try JSON(text: pair.output)["accepted"] == 2)
      try fanfare.folder.write("pair.txt", "\(tokenText(1)) \(tokenText(2))\n")
      let bad = try fanfare.send("--tokens", "pair.txt")
      #expect(bad.exitCode == 1 && bad.errors.contains("more than one device token"))
    }
  }

  /// A shell's line after `fanfare send`, and the file that has the results in the end.
  static let places: [(line: String, file: String, isTable: Bool)] = [
    ("--results /dev/stdout > out; cat out > r", "r", false),
    ("--results /dev/fd/1 --results-format csv > r", "r", true),
    ("--results /dev/fd/3 --quiet 3>> r", "r", false),
    ("--results >(cat > r; echo > pipe) --results-format tsv > /dev/null; read < pipe", "r", true),
    ("--results r --results-format csv", "r", true),
    ("--results pipe > /dev/null & cat pipe > r; wait", "r", false),
  ]

  @Test("writes results to descriptors and pipes, in a format that is given", arguments: places)
  func resultPlaces(_ row: (line: String, file: String, isTable: Bool)) throws {
    try withFanfare { fanfare in
      let isDescriptor = row.line.contains("3>>")
      if isDescriptor { try fanfare.folder.write("r", "earlier\n") }
      try #require(mkfifo(fanfare.folder.file("pipe"), 0o600) == 0)
      let send = "send --env emulator --bundle-id a.b --title Hi --to \(tokenText(1))"
      let script = "\"$0\" \(send) \(row.line)"
      let result = try Program(
        path: "/bin/bash", ["-c", script, Fanfare.path], in: fanfare.folder
      ).finish()
      let text = try fanfare.folder.text(row.file)
      let lines = text.split(whereSeparator: \.isNewline)
      #expect(lines.count == (row.isTable || isDescriptor ? 2 : 1), "\(text) \(result.errors)")
      #expect(lines.last?.hasPrefix(row.isTable ? "1" : "{\"sequence\":1,") == true, "\(text)")
    }
  }

  @Test("tells of a list in a table")
  func table() throws {
    let result = try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(1000))
      return try fanfare.send("--tokens", "list.txt", "--results", "out.csv")
    }
    #expect(result.output.contains("accepted     1,000\n"))
    #expect(result.output.contains("results      out.csv\n"))
  }

  @Test("writes a line of JSON for each push")
  func jsonLines() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(1000))
      #expect(
        try fanfare.send("--tokens", "list.txt", "--results", "out.jsonl").exitCode == 0)
      let rows = try fanfare.folder.lines("out.jsonl").map { try JSON(text: $0) }
      #expect(rows.compactMap { $0["sequence"]?.int }.sorted() == Array(1...1000))
      #expect(Set(rows.compactMap { $0["apnsID"]?.string }).count == 1000)
      #expect(rows.allSatisfy { $0["line"] == $0["sequence"] && $0["list"] == "list.txt" })
      let tokens = rows.compactMap { $0["token"]?.string }.sorted().map { $0 + "\n" }
      #expect(tokens.joined() == tokenList(1000))
    }
  }

  @Test("writes the same as CSV, with a row of names")
  func csv() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(3))
      #expect(try fanfare.send("--tokens", "list.txt", "--results", "out.csv").exitCode == 0)
      let text = try fanfare.folder.text("out.csv")
      let rows = text.split(separator: "\r\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false)
      }
      #expect(rows.count == 4 && rows.allSatisfy { $0.count == 15 })
      #expect(
        rows[0].prefix(4) == ["sequence", "list", "line", "token"] && rows[0].last == "channel")
      #expect(rows.dropFirst().map { $0[5] } == ["accepted", "accepted", "accepted"])
    }
  }

  @Test("writes the results, and nothing but them, to standard output")
  func resultsToOutput() throws {
    let result = try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(10))
      return try fanfare.send("--tokens", "list.txt", "--results", "-")
    }
    let rows = try result.output.split(separator: "\n").map { try JSON(text: $0) }
    #expect(rows.count == 10 && rows.allSatisfy { $0["outcome"] == "accepted" })
  }

  @Test("writes results that only their owner can read", arguments: [false, true])
  func resultsMode(isThere: Bool) throws {
    let mode = try withFanfare { fanfare in
      if isThere {
        try fanfare.folder.write("out.jsonl", "")
        _ = try TestSupport.run("chmod", ["644", "out.jsonl"], in: fanfare.folder)
      }
      _ = try fanfare.send("--to", device("0a1b"), "--results", "out.jsonl")
      return try TestSupport.run("ls", ["-l", "out.jsonl"], in: fanfare.folder).output.prefix(10)
    }
    #expect(mode == "-rw-------")
  }

  @Test("skips, counts and names bad lines, and sends the rest")
  func badLines() throws {
    let result = try withFanfare { fanfare in
      try fanfare.folder.write(
        "list.txt",
        "# beta\n\(device("0a1b"))\n\nxyz0\n  <\(device("0a1C").replacing("0a1C", with: "0a 1C"))>  \r\n0a1\nDeviceToken\n\(device("0a1d"))"
      )
      return try fanfare.send("--tokens", "list.txt", "--json")
    }
    #expect(result.exitCode == 1)
    let summary = try JSON(text: result.output)
    expectSum(of: summary)
    #expect(summary["lines"] == 6 && summary["accepted"] == 3 && summary["badLines"] == 3)
    for line in [
      "list.txt:4: skipped: 'x' at position 1",
      "list.txt:6: skipped: it has an odd number of digits (3)",
    ] {
      #expect(result.errors.contains(line))
    }
    #expect(result.errors.contains("list.txt:7: skipped: "))
  }

  @Test("sends to the first of equal device tokens, and counts the others")
  func duplicates() throws {
    let result = try withFanfare { fanfare in
      try fanfare.folder.write(
        "list.txt", "\(device("0a1b"))\n\(device("0A1B"))\n\(device("0a1c"))\n")
      return try fanfare.send("--tokens", "list.txt", "--to", device("0a1c"), "--json")
    }
    #expect(result.exitCode == 0)
    let summary = try JSON(text: result.output)
    expectSum(of: summary)
    #expect(summary["accepted"] == 2 && summary["duplicates"] == 2)
  }

  @Test("sends to each of equal device tokens when told so")
  func allDuplicates() throws {
    let result = try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", "\(device("0a1b"))\n\(device("0A1B"))\n")
      return try fanfare.send("--tokens", "list.txt", "--duplicates", "send", "--json")
    }
    #expect(try JSON(text: result.output)["accepted"] == 2)
  }

  @Test("with --dry-run prints the requests and sends none")
  func dryRun() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let result = try server.send(
        "--to", device("0a1b2c3d4e5f"), "--dry-run", "--priority", "5", "--data", #"id={"a":[1,2]}"#
      )
      #expect(result.exitCode == 0 && server.emulator.connectionCount == 0)
      let lines = result.output.split(separator: "\n")
      #expect(lines.first == "POST /3/device/…2c3d4e5f HTTP/2")
      #expect(lines.contains("authorization: bearer (not shown)"))
      #expect(lines.contains("apns-priority: 5"))
      #expect(lines.contains(#"{"id":{"a":[1,2]},"aps":{"alert":{"title":"Hello"}}}"#))
    }
  }
}
