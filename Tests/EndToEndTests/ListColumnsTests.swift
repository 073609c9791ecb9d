import APNS
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("The columns of a list", .timeLimit(.minutes(15)))
struct ListColumnsTests {
  private static let what = ["--bundle-id", "a.b", "--title", "Hi {{name}}"]

  private func server(_ fanfare: Fanfare) throws -> Server {
    var configuration = EmulatorConfiguration()
    configuration.answer = { push in
      push.token.hex == tokenText(2)
        ? .reject(.unregistered, timestamp: 1_700_000_000_000) : .accept
    }
    return try Server(fanfare, configuration)
  }

  private func lines(_ text: String) throws -> [JSON] {
    try text.split(separator: "\n").map { try JSON(text: String($0)) }
  }

  private func writeList(_ fanfare: Fanfare) throws {
    let rows = (1...3).map { "\(tokenText($0)),u\($0),Ada" }
    try fanfare.folder.write(
      "list.csv", (["token,user_id,name"] + rows).joined(separator: "\n") + "\n")
  }

  @Test("that are wanted are in results, dead tokens, lists and exports, and go along in a resend")
  func everywhere() throws {
    try withFanfare { fanfare in
      let server = try server(fanfare)
      try writeList(fanfare)
      let sent = try fanfare.run(
        ["send", "--tokens", "list.csv", "--columns", "user_id", "--results", "r.jsonl"]
          + ["--dead-tokens", "dead.csv"] + Self.what + server.place + credentials)
      #expect(sent.exitCode == 1, "\(sent.errors)")
      let results = try lines(try fanfare.folder.text("r.jsonl"))
      #expect(Set(results.compactMap { $0["user_id"]?.string }) == ["u1", "u2", "u3"])
      let dead = try fanfare.folder.text("dead.csv").split(whereSeparator: \.isNewline)
      #expect(dead[0].hasSuffix(",line,user_id") && dead[1].hasSuffix(",u2"))
      let listed = try lines(try fanfare.run(["history", "list", "1", "--json"]).output)
      #expect(listed.map { $0["user_id"]?.string } == ["u3", "u2", "u1"])
      let table = try fanfare.run(["history", "list", "1"]).output
      #expect(table.contains("apns-id") && table.contains("user_id") && table.contains("u2"))
      let export = try fanfare.run(["history", "export", "1", "--format", "csv"]).output
      let rows = export.split(whereSeparator: \.isNewline)
      #expect(rows[0].hasSuffix(",topic,user_id") && rows[1].hasSuffix(",u1"))
      let again = try fanfare.run(
        ["history", "resend", "1", "--only", "rejected", "--results", "again.jsonl"])
      #expect(again.exitCode == 1, "\(again.errors)")
      let resent = try lines(try fanfare.folder.text("again.jsonl"))
      #expect(resent.map { $0["user_id"]?.string } == ["u2"])
      // Nothing is left of the resend, and its list is gone.
      let later = try fanfare.run(["history", "list", "2", "--json"])
      #expect(try lines(later.output).map { $0["user_id"]?.string } == [nil])
      #expect(later.errors.contains("own columns of run 2 are left out"))
    }
  }

  @Test("are in CSV as the list has them, but for line ends and formulas")
  func control() throws {
    try withFanfare { fanfare in
      let server = try server(fanfare)
      let row =
        #"{"token":"\#(tokenText(1))","name":"Ada","id":"\u001b[1m\u200bé","note":"=a\nb"}"#
      try fanfare.folder.write("list.jsonl", row + "\n")
      _ = try fanfare.run(
        ["send", "--tokens", "list.jsonl", "--columns", "id,note", "--results", "r.csv"]
          + Self.what + server.place + credentials)
      let rows = try fanfare.folder.text("r.csv").split(whereSeparator: \.isNewline)
      #expect(rows.count == 2)
      #expect(rows.last?.hasSuffix(",\u{1b}[1m\u{200b}é,'=a\\u{a}b") == true, "\(rows)")
    }
  }

  @Test("with quotes in quotes are the same when their rows are read again")
  func quotes() throws {
    try withFanfare { fanfare in
      let server = try server(fanfare)
      try fanfare.folder.write(
        "list.csv", "token,\"user \"\"id\"\"\",name\n\(tokenText(1)),\"a \"\"b\"\", c\",Ada\n")
      _ = try fanfare.run(
        ["send", "--tokens", "list.csv", "--columns", #"user "id""#] + Self.what + server.place
          + credentials)
      let listed = try lines(try fanfare.run(["history", "list", "1", "--json"]).output)
      #expect(listed.map { $0[#"user "id""#]?.string } == [#"a "b", c"#])
    }
  }

  @Test("are left out of the history, which says so, once the list has changed")
  func changed() throws {
    try withFanfare { fanfare in
      let server = try server(fanfare)
      try writeList(fanfare)
      _ = try fanfare.run(
        ["send", "--tokens", "list.csv", "--columns", "user_id"] + Self.what + server.place
          + credentials)
      try fanfare.folder.write("list.csv", "token,user_id,name\n\(device("0a1b")),x,y\n")
      let result = try fanfare.run(["history", "list", "1", "--json"])
      #expect(result.exitCode == 0 && result.errors.contains("columns of run 1 are left out"))
      #expect(try lines(result.output).allSatisfy { $0["user_id"] == JSON(.null) })
    }
  }

  @Test("are fields of --json and --template, of one push and of many")
  func fields() throws {
    try withFanfare { fanfare in
      try writeList(fanfare)
      let common =
        ["--tokens", "list.csv", "--columns", "user_id", "--env", "emulator"] + Self.what
      let one = try fanfare.run(["send", "--limit", "1", "--json=user_id,outcome"] + common)
      #expect(one.output == #"{"user_id":"u1","outcome":"accepted"}"# + "\n", "\(one.errors)")
      let lines = try fanfare.run(["send", "--template", "{{user_id}} {{status}}"] + common)
      #expect(
        lines.output.split(separator: "\n").sorted() == ["u1 200", "u2 200", "u3 200"],
        "\(lines.errors)")
      let listed = try fanfare.run(["history", "list", "2", "--json=sequence,user_id"])
      #expect(
        listed.output.split(separator: "\n").first == #"{"sequence":3,"user_id":"u3"}"#,
        "\(listed.errors)")
      let unknown = try fanfare.run(["history", "list", "2", "--json=userid"])
      #expect(unknown.exitCode == 2 && unknown.errors.contains("Did you mean 'user_id'?"))
      let again = try fanfare.run(["send", "--again=1", "--template", "{{user_id}}"])
      #expect(again.output == "u1\n", "\(again.errors)")
    }
  }

  static let refused: [(words: [String], text: String)] = [
    (["--title", "Hi {{nmae}}"], "no column 'nmae', which the payload needs"),
    (["--title", "Hi", "--columns", "userid"], "Did you mean 'user_id'?"),
    (["--title", "Hi", "--columns", "token"], "'token' is a key of the results already"),
    (["--title", "Hi", "--columns", "name,,"], "names of columns"),
    (["--title", "Hi {{nmae}}", "--force"], "Its columns: 'token', 'user_id', 'name'."),
    (["--title", "Hi {{nmae}}", "--dry-run"], "Did you mean 'name'?"),
  ]

  @Test("that are not there are told before anything is sent", arguments: refused, [false, true])
  func missing(_ row: (words: [String], text: String), isPiped: Bool) throws {
    try withFanfare { fanfare in
      let server = try server(fanfare)
      try writeList(fanfare)
      let list = isPiped ? ["--tokens", "-", "--tokens-format", "csv"] : ["--tokens", "list.csv"]
      let result = try fanfare.run(
        ["send", "--bundle-id", "a.b"] + list + row.words + server.place + credentials,
        input: isPiped ? .file(fanfare.folder.file("list.csv")) : .nothing)
      #expect(result.exitCode == 2 && result.errors.contains(row.text), "\(result.errors)")
      #expect(server.emulator.requestCount == 0)
      #expect(try fanfare.run(["history", "list"]).exitCode == 2, "there is no run")
    }
  }

  @Test("that a default or --var fills may be missing, and a row may be skipped for its value")
  func filled() throws {
    try withFanfare { fanfare in
      let server = try server(fanfare)
      try fanfare.folder.write("list.csv", "token,n\n\(tokenText(1)),1\n\(tokenText(3)),x\n")
      let result = try fanfare.run(
        ["send", "--bundle-id", "a.b", "--tokens", "list.csv", "--results", "r.csv"]
          + [
            "--title", "{{a|default('Hi')}} {{b}}", "--var", "b=B", "--data", #"n="{{n|number}}""#,
          ]
          + server.place + credentials)
      #expect(result.exitCode == 1 && server.emulator.requestCount == 1, "\(result.errors)")
      let rows = try fanfare.folder.text("r.csv").split(whereSeparator: \.isNewline)
      #expect(rows.contains { $0.contains("skipped") && $0.contains("[placeholder-value]") })
      for words in [
        ["list", "1", "--json"], ["list", "1"], ["export", "1"],
        ["export", "1", "--format", "csv"], ["show", "1"], ["export", "1", "--html", "-"],
      ] {
        let told = try fanfare.run(["history"] + words).output
        #expect(told.contains("[placeholder-value]"), "\(words): \(told)")
      }
    }
  }
}
