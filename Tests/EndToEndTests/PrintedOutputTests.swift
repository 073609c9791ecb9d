import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("What is printed in JSON")
struct PrintedOutputTests {
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

  @Test("is null where only a single push has it, and a warning says so")
  func fieldsOfPush() throws {
    try withFanfare { fanfare in
      let words = ["--to", device("0a1b"), "--to", device("0c1d")]
      let result = try fanfare.send(
        words[0], words[1], words[2], words[3], "--json=outcome,apnsID,run")
      #expect(result.exitCode == 0)
      #expect(result.output == #"{"outcome":null,"apnsID":null,"run":1}"# + "\n")
      #expect(
        result.errors.contains(
          "warning: outcome, apnsID are null: a run of 2 pushes has no single one."))
      #expect(result.errors.contains("--results FILE writes a line for each push."))
      let one = try fanfare.send("--to", device("0a1b"), "--json=outcome,apnsID")
      #expect(one.errors == "" && !one.output.contains("null"), "\(one.errors)")
      let own = try fanfare.send(words[0], words[1], words[2], words[3], "--json=accepted,unread")
      #expect(own.errors == "" && own.output == #"{"accepted":2,"unread":null}"# + "\n")
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
