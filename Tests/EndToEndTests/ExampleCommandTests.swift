import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare example")
struct ExampleCommandTests {
  @Test("lists every payload by push type, with a line each")
  func list() throws {
    let result = try withFanfare { try $0.run(["example"]) }
    #expect(result.exitCode == 0 && result.errors == "")
    #expect(result.output.hasPrefix("alert\n"))
    for word in ["alert/plain", "liveactivity/start", "voip/group-call", "--example NAME"] {
      #expect(result.output.contains(word))
    }
  }

  @Test("with --json prints an array of them, and with a name that one with its payload")
  func json() throws {
    try withFanfare { fanfare in
      let all = try JSON(text: fanfare.run(["example", "--json"]).output)
      let first = try #require(all.array?.first)
      #expect(all.array?.count ?? 0 > 40)
      #expect(first["name"] == "alert/plain" && first["pushType"] == "alert")
      #expect(first["summary"]?.string?.hasSuffix(".") ?? false)
      let one = try JSON(text: fanfare.run(["example", "voip/group-call", "--json"]).output)
      #expect(one["pushType"] == "voip" && one["payload"]?.object != nil)
    }
  }

  @Test("prints one as a file of its own, which is sent the same way")
  func one() throws {
    try withFanfare { fanfare in
      let printed = try fanfare.run(["example", "order"])
      try fanfare.folder.write("order.json", printed.output)
      let words = [
        "send", "--env", "emulator", "--bundle-id", "a.b", "--to", device("0a1b"), "--json",
      ]
      let requests = try [["--payload", "order.json"], ["--example", "alert/order"]].map {
        try JSON(text: fanfare.run(words + $0 + ["--dry-run"]).output)["payload"]
      }
      #expect(requests[0] == requests[1] && requests[0]?.object != nil)
      #expect(try fanfare.run(words + ["--example", "order"]).exitCode == 0)
    }
  }

  @Test("of no example ends with 2 and what was meant")
  func missing() throws {
    try withFanfare { fanfare in
      for words in [["example", "ordre"], ["simulate", "--example", "ordre"]] {
        let result = try fanfare.run(words)
        #expect(result.exitCode == 2 && result.output == "")
        #expect(result.errors.contains("Did you mean 'alert/order'?"), "\(result.errors)")
      }
    }
  }

  static let lines: [(words: [String], code: Int32, says: String)] = [
    (["--data", "aps.badge=3"], 2, "--set aps.badge:="),
    (["--set", "aps.badge:=three"], 2, "what aps.badge is set to is not JSON"),
    (["--set", "aps.badge"], 2, "PATH=TEXT"), (["--critical=9"], 2, "0 to 1"),
    (["--content-state", "[]"], 2, "a JSON object"),
    (["--stale-date", "soon"], 2, "1h"), (["--event", "stop"], 2, "start, update, end"),
    (["--payload", "{}", "--example", "plain"], 2, "cannot be used together"),
    (["--payload", "{\"aps\": {alert}}", "--type", "alert"], 2, "--payload:1:"),
    (["--payload", "@missing.json"], 2, "missing.json"),
    ([], 2, "There is nothing to send."), (["--payload", ""], 2, "a file, or JSON"),
    (["--payload", "[1]"], 2, "in braces"),
    (["--title", "Hi", "--template", ""], 2, "--template is empty."),
    (["--title", "Hi", "--columns", "user_id"], 2, "'--columns' names columns of a list"),
    (["--title", "Hi", "--critical"], 0, ""), (["--event", "end"], 0, ""),
  ]

  @Test("Options of a payload are told by name when they are wrong", arguments: lines)
  func options(_ row: (words: [String], code: Int32, says: String)) throws {
    let words = [
      "send", "--env", "emulator", "--bundle-id", "com.example.app", "--to", device("0a1b2c3d"),
    ]
    let result = try withFanfare { try $0.run(words + row.words) }
    #expect(result.exitCode == row.code, "\(result.errors)")
    #expect(result.errors.contains(row.says) || row.says.isEmpty, "\(result.errors)")
  }

  @Test("A payload comes from a pipe under both of its names", arguments: ["-", "@-"])
  func piped(_ name: String) throws {
    try withFanfare { fanfare in
      let file = try fanfare.folder.write("p.json", #"{"aps": {"alert": "Hi"}}"#)
      let words = ["send", "--env", "emulator", "--bundle-id", "a.b", "--to", device("0a1b2c3d")]
      let result = try fanfare.run(words + ["--payload", name], input: .file(file))
      #expect(result.exitCode == 0, "\(result.errors)")
    }
  }
}
