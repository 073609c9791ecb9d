import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare history export")
struct HistoryExportTests {
  @Test("writes all pushes, the oldest first, in every form", arguments: ["jsonl", "csv"])
  func rows(format: String) throws {
    try withSentTemplate { fanfare, _ in
      let result = try fanfare.run(["history", "export", "--format", format])
      let lines = result.output.split(whereSeparator: \.isNewline)
      #expect(result.exitCode == 0 && result.errors == "")
      #expect(lines.count == (format == "csv" ? 5 : 4))
      let order = ["\(tokenText(1))", tokenText(2), tokenText(3), tokenText(9)]
      #expect(zip(lines.suffix(4), order).allSatisfy { $0.contains($1) })
      let listed = try fanfare.run(["history", "list", "--pushes", "--json"]).output
      if format == "jsonl" { #expect(Set(lines) == Set(listed.split(separator: "\n"))) }
    }
  }

  @Test("takes the form from the name of the file, unless it is said")
  func names() throws {
    try withSentTemplate { fanfare, _ in
      let heads = [
        ("week.csv", "run,"), ("week.tsv", "run\t"), ("week.har", "{\"log\""),
        ("week.SH", "# curl commands"), ("week.ndjson", "{\"run\""),
        ("week.jsonl", "{\"run\""), ("week", "{\"run\""),
      ]
      for (name, head) in heads {
        let result = try fanfare.run(["history", "export", "--output", name])
        let text = try fanfare.folder.text(name)
        #expect(result.exitCode == 0 && text.hasPrefix(head), "\(name)")
        #expect(result.errors.isEmpty)
      }
      try fanfare.folder.makeFolder("a.b")
      for (name, isTold) in [("week.txt", true), ("a.b/week", false), ("-", false)] {
        let result = try fanfare.run(["history", "export", "--output", name])
        #expect(result.exitCode == 0)
        #expect(result.errors.contains("\(name): writing JSON Lines; use --format") == isTold)
      }
      let words = ["history", "export", "--output", "a.csv", "--format", "jsonl"]
      let said = try fanfare.run(words)
      let text = try fanfare.folder.text("a.csv")
      #expect(said.exitCode == 0 && text.hasPrefix("{"))
      let tabs = try fanfare.run(["history", "export", "--output", "b.csv", "--format", "tsv"])
      #expect(try tabs.exitCode == 0 && fanfare.folder.text("b.csv").hasPrefix("run\t"))
      let commas = try fanfare.run(["history", "export", "--output", "b.tsv", "--format", "csv"])
      #expect(try commas.exitCode == 0 && fanfare.folder.text("b.tsv").hasPrefix("run,"))
    }
  }

  @Test("writes runs, pushes and what fits, each once")
  func places() throws {
    try withSentTemplate { fanfare, ids in
      let rows: [(words: [String], count: Int)] = [
        (["1"], 3), (["2", "1"], 4), ([ids[0]], 1), ([ids[0], "2"], 2), ([ids[0], ids[0]], 1),
        (["--outcome", "rejected"], 1), (["1", "--token", tokenText(9)], 0),
        (["--since", "1h"], 4), (["--until", "1h"], 0),
      ]
      for row in rows {
        let result = try fanfare.run(["history", "export"] + row.words)
        #expect(result.output.split(separator: "\n").count == row.count, "\(row.words)")
      }
    }
  }

  @Test("makes commands of curl that a shell and curl send again", .needs("curl"))
  func curl() throws {
    try withSentTemplate { fanfare, ids in
      let result = try fanfare.run(["history", "export", ids[1], "--format", "curl"])
      #expect(result.exitCode == 0 && result.output.contains(#"O'\''Neil $(id)"#))
      let token = try fanfare.start(["token"] + credentials).finish().output
      try fanfare.folder.write("again.sh", result.output)
      let script = "export FANFARE_PROVIDER_TOKEN=$(cat token); exec bash again.sh"
      try fanfare.folder.writeSecret("token", token)
      let answer = try run("bash", ["-c", script], in: fanfare.folder)
      #expect(answer.output.contains("HTTP/2 200"), "\(answer.output)\(answer.errors)")
      #expect(answer.output.contains("apns-id: \(ids[1])"))
    }
  }

  @Test("makes an archive of requests with the payloads that rows made")
  func har() throws {
    try withSentTemplate { fanfare, _ in
      let result = try fanfare.run(["history", "export", "1", "--format", "har"])
      let entries = try #require(try JSON(text: result.output)["log"]?["entries"]?.array)
      let texts = entries.compactMap { $0["request"]?["postData"]?["text"]?.string }
      #expect(texts.count == 3 && texts[1].contains("Hi O'Neil $(id)"))
      #expect(entries.map { $0["response"]?["status"]?.number?.int } == [200, 200, 410])
    }
  }

  @Test("guards tables from formulas in a list, unless they are to be exact")
  func formulas() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      try fanfare.folder.write("list.csv", "token,sum\n\(tokenText(1)),=1+1\n")
      #expect(try server.send("--tokens", "list.csv", "--columns", "sum").exitCode == 0)
      let rows: [(words: [String], end: String)] = [
        (["rows.csv"], ",'=1+1"), (["rows.csv", "--exact"], ",=1+1"),
        (["rows.tsv"], "\t'=1+1"), (["rows.tsv", "--exact"], "\t=1+1"),
        (["rows", "--format", "csv"], ",'=1+1"), (["rows", "--format", "csv", "--exact"], ",=1+1"),
      ]
      for row in rows {
        let result = try fanfare.run(["history", "export", "--output"] + row.words)
        let text = try fanfare.folder.text(row.words[0])
        let last = text.split(whereSeparator: \.isNewline).last
        #expect(result.exitCode == 0 && last?.hasSuffix(row.end) == true, "\(row.words): \(text)")
      }
    }
  }

  @Test("counts the payloads that are lost, and goes on", arguments: ["har", "curl"])
  func lost(format: String) throws {
    try withSentTemplate { fanfare, ids in
      try fanfare.folder.write("list.csv", "token,name\n\(tokenText(1)),Eve\n")
      let result = try fanfare.run(["history", "export", "--format", format])
      #expect(result.exitCode == 1 && result.errors.contains("3 payloads cannot be rebuilt"))
      #expect(result.errors.split(separator: "\n").count == 2)
      #expect(result.output.contains("list.csv") && !result.output.contains("Eve"))
      #expect(result.output.contains("Hello"))
      let one = try fanfare.run(["history", "export", ids[0], "--format", format])
      #expect(one.exitCode == 1 && one.errors.contains("1 payload cannot be rebuilt"))
      #expect(try fanfare.run(["history", "export", ids[3], "--format", format]).exitCode == 0)
      #expect(try fanfare.run(["history", "export", "--format", "csv"]).exitCode == 0)
    }
  }

  @Test("writes whole files that their owner alone can read", arguments: ["--output", "--html"])
  func files(option: String) throws {
    try withSentTemplate { fanfare, _ in
      try fanfare.folder.write("old", "old")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: fanfare.folder.file("old"))
      for name in ["old", "new"] {
        let result = try fanfare.run(["history", "export", option, name])
        #expect(result.exitCode == 0 && result.output == "" && result.errors == "")
        let attributes = try FileManager.default.attributesOfItem(
          atPath: fanfare.folder.file(name))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try fanfare.folder.text(name).contains("list.csv"))
      }
      #expect(
        try fanfare.folder.names().filter { $0.hasPrefix("old") || $0.hasPrefix("new") }
          .count == 2)
    }
  }

  @Test("makes a page in which a server's words are nothing but words")
  func page() throws {
    try withFanfare { fanfare in
      let reason = try #require(Reason(rawValue: "</script><script>alert(1)"))
      let server = try Server(
        fanfare,
        Witness().configuration(answer: { _ in .reject(status: .badRequest, reason: reason) }))
      _ = try server.send("--to", tokenText(1))
      let result = try fanfare.run(["history", "export", "--html", "-"])
      #expect(result.exitCode == 0 && result.output.hasPrefix("<!doctype html>"))
      #expect(!result.output.contains("<script>") && !result.output.contains(tokenText(1)))
      #expect(result.output.contains(#""\u003c/script>\u003cscript>alert(1)""#))
      for format in ["jsonl", "csv", "har", "curl"] {
        #expect(try fanfare.run(["history", "export", "--format", format]).exitCode == 0)
      }
    }
  }

  static let faults: [(words: [String], code: Int32, says: String)] = [
    (["7"], 2, "The history has no run 7."),
    (["00000000-0000-4000-8000-000000000001"], 2, "The history has no push 00000000-"),
    (["never"], 2, "the number of a run, 'last' for the newest, or the apns-id of a push"),
    (["--format", "hra"], 2, "Did you mean 'har'?"),
    (["--format", "har", "--exact"], 2, "--exact"),
    (["--show-tokens"], 2, "--html"), (["--output", "page.HTML"], 2, "Give --html page.HTML"),
    (["--html", "-", "--format", "csv"], 2, "--output -"),
    (["--output", "none/rows.jsonl"], 2, "none/rows.jsonl cannot be written: No such file"),
    (["--html", "none/page.html"], 2, "none/page.html cannot be written: No such file"),
    (["--output", "."], 2, "is a folder"),
    (["--output", "same", "--html", "same"], 2, "a file of its own"),
    (["--output", ".local/state/fanfare/history.sqlite"], 2, "a file of its own"),
    (["--html", ".local/state/fanfare/./history.sqlite"], 2, "a file of its own"),
    (["--history", "nowhere.sqlite"], 2, "nowhere.sqlite: there is no history yet."),
  ]

  @Test("refuses what cannot be, and leaves everything as it is")
  func refused() throws {
    try withSentTemplate { fanfare, _ in
      let before = try fanfare.folder.names()
      for fault in Self.faults {
        let result = try fanfare.run(["history", "export"] + fault.words)
        #expect(result.exitCode == fault.code, "\(fault.words)")
        #expect(result.errors.contains(fault.says) && result.output == "", "\(result.errors)")
      }
      let after = try fanfare.folder.names().filter { !$0.hasPrefix(".errors") }
      #expect(Set(after) == Set(before.filter { !$0.hasPrefix(".errors") }))
      #expect(try fanfare.run(["history", "list"]).exitCode == 0)
    }
  }

  @Test("replaces no list from which it makes payloads again", arguments: ["har", "curl"])
  func lists(_ format: String) throws {
    try withSentTemplate { fanfare, _ in
      let text = try fanfare.folder.text("list.csv")
      let words = ["history", "export", "--format", format, "--output", "./list.csv"]
      let result = try fanfare.run(words)
      #expect(result.exitCode == 2 && result.errors.contains("a file of its own"))
      #expect(try fanfare.folder.text("list.csv") == text)
      #expect(try !fanfare.folder.names().contains { $0.hasPrefix("list.csv.") })
    }
  }

  @Test("replaces no configuration", arguments: ["--output", "--html"])
  func configuration(_ option: String) throws {
    try withSentTemplate { fanfare, _ in
      let own = ".config/fanfare/config.json"
      try fanfare.folder.makeFolder(".config/fanfare")
      for name in ["fanfare.json", own] { try fanfare.folder.write(name, "{}\n") }
      for name in ["fanfare.json", "./fanfare.json", own] {
        let result = try fanfare.run(["history", "export", option, name])
        #expect(result.exitCode == 2 && result.errors.contains("a file of its own"), "\(name)")
      }
      for name in ["fanfare.json", own] { #expect(try fanfare.folder.text(name) == "{}\n") }
    }
  }

  @Test("that is interrupted leaves nothing of a file that is not whole")
  func interrupted() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      try fanfare.folder.write("list.txt", tokenList(2000))
      #expect(try server.send("--tokens", "list.txt").exitCode == 0)
      // It waits for its reader with more than a pipe holds.
      let words = ["history", "export", "--output", "-", "--html", "page.html"]
      let program = try fanfare.start(words)
      #expect(program.readLine() != nil)
      #expect(try fanfare.folder.names().contains { $0.hasPrefix("page.html.") })
      program.send(SIGINT)
      #expect(try program.finish().exitCode == 130)
      #expect(try fanfare.folder.names().filter { $0.hasPrefix("page") } == [])
    }
  }

  static let fullDisks: [[String]] = [
    ["--output", "/dev/full"], ["--html", "/dev/full"],
    ["--format", "har", "--output", "/dev/full"],
  ]

  #if os(Linux)
  @Test("says that there is no room left", arguments: fullDisks)
  func full(_ words: [String]) throws {
    try withSentTemplate { fanfare, _ in
      let result = try fanfare.run(["history", "export"] + words)
      #expect(result.exitCode == 2 && result.errors.contains("No space left on device"))
      let script = "\(Fanfare.path) history export > /dev/full"
      let other = try run("bash", ["-c", script], in: fanfare.folder)
      #expect(other.exitCode == 1 && other.errors.contains("No space left on device"))
    }
  }
  #endif
}

@Suite("fanfare history diff")
struct HistoryDiffTests {
  @Test("tells what differs between two pushes and between two runs")
  func differences() throws {
    try withSentTemplate { fanfare, ids in
      let pushes = try fanfare.run(["history", "diff", ids[0], ids[2]])
      #expect(pushes.exitCode == 1 && pushes.errors == "")
      let lines = pushes.output.split(separator: "\n")
      for line in [
        "--- run 1, push 1: ", #"- aps.alert.title: "Hi Ada""#, #"+ aps.alert.title: "Hi Eve""#,
        "- status: 200", "+ status: 410", "+ reason: Unregistered",
      ] { #expect(lines.contains { $0.hasPrefix(line) }, "\(line)") }
      let runs = try fanfare.run(["history", "diff", "1", "2"])
      #expect(runs.exitCode == 1 && runs.output.contains("- accepted: 2\n+ accepted: 1\n"))
      #expect(runs.output.contains(#"- aps.alert.title: "Hi {{name}}""#))
    }
  }

  @Test("has exit code 0 when nothing differs but the latency")
  func same() throws {
    try withSentTemplate { fanfare, ids in
      for words in [["1", "1"], [ids[0], ids[0]], ["2", ids[3]]] {
        let result = try fanfare.run(["history", "diff"] + words)
        #expect(result.exitCode == 0 && result.output == "" && result.errors == "", "\(words)")
      }
      let json = try fanfare.run(["history", "diff", "2", ids[3], "--json"])
      #expect(json.exitCode == 0)
      #expect(try JSON(text: json.output)["same"] == true)
    }
  }

  @Test("has exit code 2 when a payload is lost")
  func lost() throws {
    try withSentTemplate { fanfare, ids in
      try fanfare.folder.write("list.csv", "token,name\n\(tokenText(1)),Eve\n")
      let result = try fanfare.run(["history", "diff", ids[0], ids[2]])
      #expect(result.exitCode == 2 && result.errors.contains("list.csv"))
      #expect(result.output.contains("+ status: 410") && !result.output.contains("aps.alert"))
      // Run 2 has its payload still, on whichever side it is.
      for words in [[ids[0], ids[3]], [ids[3], ids[0]]] {
        let mixed = try fanfare.run(["history", "diff"] + words)
        #expect(mixed.exitCode == 2 && mixed.errors.contains("list.csv"), "\(words)")
      }
    }
  }

  static let faults: [(words: [String], says: String)] = [
    (["1"], "RUN-OR-ID"), ([], "RUN-OR-ID"), (["1", "2", "3"], "'3'"),
    (["1", "7"], "The history has no run 7."),
    (["00000000-0000-4000-8000-000000000001", "1"], "has no push 00000000-"),
    (["1", "2", "--history", "nowhere.sqlite"], "there is no history yet"),
  ]

  @Test("wants two places that are there")
  func refused() throws {
    try withSentTemplate { fanfare, _ in
      for fault in Self.faults {
        let result = try fanfare.run(["history", "diff"] + fault.words)
        #expect(result.exitCode == 2 && result.errors.contains(fault.says), "\(result.errors)")
      }
    }
  }
}

/// Gives the program a history: run 1 filled a template for three, of whom the third is gone; run 2
/// is a push to one.
///
/// - Parameter body: gets the ids of the four pushes.
private func withSentTemplate(_ body: (Fanfare, [String]) throws -> Void) throws {
  try withFanfare { fanfare in
    let server = try Server(
      fanfare,
      Witness().configuration(answer: { push in
        push.token.hex == tokenText(3)
          ? .reject(status: .gone, reason: .unregistered, timestamp: 1_700_000_000_000) : nil
      }))
    let names = ["Ada", "O'Neil $(id)", "Eve"]
    try fanfare.folder.write(
      "list.csv",
      "token,name\n"
        + names.enumerated().map { "\(tokenText($0 + 1)),\($1)\n" }.joined())
    let first =
      ["send", "--bundle-id", "com.example.app", "--title", "Hi {{name}}", "--tokens", "list.csv"]
    #expect(try fanfare.run(first + server.place + credentials).exitCode == 1)
    #expect(try server.send("--to", tokenText(9)).exitCode == 0)
    let rows = try fanfare.run(["history", "export"]).output.split(separator: "\n")
    let ids = try rows.map { try #require(try JSON(text: $0)["apnsID"]?.string) }
    try #require(ids.count == 4)
    try body(fanfare, ids)
  }
}
