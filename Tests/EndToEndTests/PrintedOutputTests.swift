import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("What is printed in JSON")
struct PrintedOutputTests {
  /// Commands after a run of three pushes, of which the emulator refuses one, and the schema of what
  /// each prints: a text, or a line.
  static let outputs: [(schema: String, words: [String])] = [
    ("history-list", ["history", "list", "--json"]),
    ("history-pushes", ["history", "list", "1", "--json"]),
    ("history-pushes", ["history", "export"]), ("history-show", ["history", "show", "--json"]),
    ("history-stats", ["history", "stats", "--json"]),
    ("history-stats", ["history", "stats", "--by", "day", "--json"]),
    ("history-diff", ["history", "diff", "1", "2", "--json"]),
    ("history-prune", ["history", "prune", "--keep", "9", "--dry-run", "--json"]),
    ("history-prune", ["history", "prune", "--keep", "1", "--json"]),
    ("report", ["report", "results.jsonl", "--json"]),
    ("config-show", ["config", "show", "--json"]),
    ("explain", ["explain", "410", "aps.badge", "--json"]),
    ("preview", ["preview", "--title", "Hi", "--data", "id=7", "--json"]),
    ("preview", ["preview", "--example", "liveactivity/start", "--json"]),
    ("example", ["example", "--json"]), ("example", ["example", "voip/incoming-call", "--json"]),
    ("device", ["device", "add", "my-phone", tokenText(1), "--env", "sandbox", "--json"]),
    ("device", ["device", "add", "my-all", "my-phone", "--json"]),
    ("device", ["device", "list", "--json"]),
    ("check", ["check", "list.txt", "--json"]), ("inspect", ["inspect", "list.txt", "--json"]),
  ]

  @Test("fits the schema that 'config schema' prints, and has no other key")
  func fits() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(3))
      let first = try fanfare.send("--tokens", "list.txt", "--json", "--results", "results.jsonl")
      try expect(first.output, fits: "summary", fanfare)
      try expect(try fanfare.folder.text("results.jsonl"), fits: "results", fanfare)
      try expect(
        try fanfare.send("--to", device("0a1b"), "--json").output, fits: "summary", fanfare)
      let rehearsal = try fanfare.send("--to", device("0a1b"), "--dry-run", "--json").output
      try expect(rehearsal, fits: "dry-run", fanfare)
      for output in Self.outputs {
        let printed = try fanfare.run(output.words).output
        try expect(printed, fits: output.schema, fanfare, "\(output.words)")
      }
    }
  }

  private func expect(
    _ text: String, fits name: String, _ fanfare: Fanfare, _ words: String = ""
  ) throws {
    let schema = JSONSchema(try JSON(text: try fanfare.run(["config", "schema", name]).output))
    let whole = try? JSON(text: text)
    let values = try whole.map { [$0] } ?? text.split(separator: "\n").map { try JSON(text: $0) }
    #expect(!values.isEmpty, "\(name) \(words)")
    for value in values { #expect(schema.faults(in: value) == [], "\(name) \(words)") }
  }

  @Test("is what was chosen, and an unknown field sends nothing")
  func fields() throws {
    try withFanfare { fanfare in
      let result = try fanfare.send("--to", device("0a1b2c"), "--json=outcome,token,unread")
      #expect(
        result.output == #"{"outcome":"accepted","token":"\#(device("0a1b2c"))","unread":null}"#
          + "\n")
      let list = try fanfare.run(["history", "list", "--json=run,accepted"])
      #expect(list.output == #"{"run":1,"accepted":1}"# + "\n")
      for option in ["--json=outcom", "--template={{outcom}}"] {
        let refused = try fanfare.send("--to", device("0a1b2c"), option)
        #expect(refused.exitCode == 2 && refused.output.isEmpty)
        #expect(refused.errors.contains("Did you mean 'outcome'?"), "\(refused.errors)")
      }
      #expect(try fanfare.run(["history", "list", "--json"]).output.contains("\"run\":1,"))
    }
  }

  @Test("follows the lines of a template, which take the summary's place")
  func template() throws {
    try withFanfare { fanfare in
      let words = [
        "--to", device("0a1b"), "--to", device("0c1d"), "--template", #"{{line}} {{status}}\n"#,
      ]
      let common = [
        "send", "--env", "emulator", "--bundle-id", "com.example.app", "--title", "Hello",
      ]
      let alone = try fanfare.run(common + words)
      #expect(
        alone.exitCode == 0 && alone.output.split(separator: "\n").sorted() == ["1 200", "2 200"])
      let both = try fanfare.run(common + words + ["--json=accepted"])
      #expect(both.output.split(separator: "\n").last == #"{"accepted":2}"#)
    }
  }

  @Test("of a report is the same from standard input, whose page needs no file")
  func report() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(50))
      _ = try fanfare.send("--tokens", "list.txt", "--results", "results.jsonl")
      let path = fanfare.folder.file("results.jsonl")
      let figures = ["--json=total,accepted,reasons"]
      let file = try fanfare.run(["report", "results.jsonl"] + figures)
      let input = try fanfare.run(["report", "-"] + figures, input: .file(path))
      #expect(file.output == #"{"total":50,"accepted":50,"reasons":{}}"# + "\n")
      #expect(input.output == file.output && input.exitCode == 0)
      let page = try fanfare.run(["report", "-", "--html", "-"], input: .file(path))
      #expect(page.output.hasPrefix("<!doctype html>") && page.exitCode == 0)
      let over = try fanfare.run(["report", "results.jsonl", "--html", "results.jsonl"])
      #expect(over.exitCode == 2 && over.output.isEmpty)
    }
  }
}
