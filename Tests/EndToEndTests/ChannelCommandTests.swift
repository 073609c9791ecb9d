import APNS
import Foundation
import HTTP2
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare channel")
struct ChannelCommandTests {
  private static let app = ["--bundle-id", "com.example.app"]

  private func run(_ server: Server, _ words: String...) throws -> Program.Result {
    try server.fanfare.run(["channel"] + words + server.place + credentials + Self.app)
  }

  private func created(_ server: Server, _ words: String...) throws -> String {
    let result = try server.fanfare.run(
      ["channel", "create"] + words + server.place + credentials + Self.app)
    #expect(result.exitCode == 0 && result.errors == "", "\(result.errors)")
    return result.output.trimmingCharacters(in: .newlines)
  }

  @Test("creates, lists, shows and deletes, and the history knows of it")
  func life() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let (plain, storing) = (try created(server), try created(server, "--store"))
      #expect(server.emulator.channels.map(\.id.text) == [plain, storing])
      #expect(try run(server, "list", "--ids").output == "\(plain)\n\(storing)\n")
      let lines = try run(server, "list", "--json").output.split(separator: "\n").map {
        try JSON(text: $0)
      }
      #expect(lines.map { $0["channel"]?.string } == [plain, storing])
      #expect(lines.map { $0["storagePolicy"]?.int } == [0, 1])
      #expect(lines.allSatisfy { $0["createdAt"]?.int != nil && $0["requestID"]?.string != nil })
      let shown = try run(server, "show", storing)
      #expect(shown.exitCode == 0 && shown.output.contains("the latest push (policy 1)"))
      let deleted = try run(server, "delete", plain, "--yes")
      #expect(deleted.exitCode == 0 && deleted.errors == "Deleted channel \(plain).\n")
      #expect(deleted.output == "")
      let known = try fanfare.run(["channel", "list", "--known", "--ids"])
      #expect(known.output == "\(storing)\n" && known.exitCode == 0)
      #expect(server.emulator.channels.map(\.id.text) == [storing])
    }
  }

  @Test("waits for an answer as long as it is told")
  func timeout() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("s.json5", "{rules: [{when: {request: 'channel'}, swallow: true}]}")
      let emulator = try RunningCommand(fanfare, "--script", "s.json5")
      let place = ["--server", emulator.url, "--ca", emulator.ready["ca"]?.string ?? ""]
      let result = try fanfare.run(
        ["channel", "create", "--timeout", "200ms"] + place + credentials + Self.app)
      #expect(result.exitCode == 4, "\(result.errors)")
      #expect(result.errors.contains("The server sent nothing within 200"), "\(result.errors)")
      #expect(try emulator.end() == 143)
    }
  }

  @Test("deletes nothing where that could not be written down")
  func unusableHistory() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let id = try created(server)
      try fanfare.folder.write("other.txt", "not a history")
      let result = try run(server, "delete", id, "--yes", "--history", "other.txt")
      #expect(result.exitCode == 2 && result.errors.contains("not a fanfare history"))
      #expect(server.emulator.channels.map(\.id.text) == [id])
    }
  }

  @Test("asks nothing of a server where the history cannot be read")
  func unreadableHistory() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let id = try created(server)
      let before = server.emulator.requestCount
      try fanfare.folder.write("other.txt", "not a history")
      let result = try run(server, "show", id, "--history", "other.txt")
      #expect(result.exitCode == 2 && result.errors.contains("not a fanfare history"))
      #expect(server.emulator.requestCount == before)
    }
  }

  @Test("prints JSON that fits its schemas")
  func schemas() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let first = try run(server, "create", "--json").output
      let id = try #require(try JSON(text: first)["channel"]?.string)
      let outputs = [
        ("channel", first), ("channel", try run(server, "list", "--json").output),
        ("channel-show", try run(server, "show", id, "--json").output),
        ("dry-run", try run(server, "show", id, "--dry-run", "--json").output),
        ("channel-delete", try run(server, "delete", id, "--yes", "--json").output),
      ]
      for (name, output) in outputs {
        let schema = JSONSchema(
          try JSON(text: try fanfare.run(["config", "schema", name]).output))
        #expect(schema.faults(in: try JSON(text: output)) == [], "\(name): \(output)")
      }
    }
  }

  @Test("tells why APNs refused, and what to do")
  func refusal() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let result = try run(server, "delete", "dHN0LXNyY2gtY2hubA==", "--yes")
      #expect(result.exitCode == 1 && result.output == "")
      #expect(result.errors.contains("was not deleted: 400 ChannelNotRegistered."))
      #expect(result.errors.contains("List the channels; each belongs to one environment."))
    }
  }

  @Test("does not create a channel again when there was no answer, and lists what may be it")
  func doubt() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { request in
        request.headers[":method"] == "POST" && request.kind == .channel
          ? .processed(then: .drop(.fin)) : nil
      }
      let server = try Server(fanfare, configuration)
      let result = try run(server, "create")
      let id = try #require(server.emulator.channels.first?.id.text)
      #expect(server.emulator.channels.count == 1)
      #expect(result.exitCode == 4 && result.output == "")
      #expect(result.errors.contains("It is not known whether the channel was created."))
      #expect(result.errors.contains("\n  \(id)\n"), "\(result.errors)")
    }
  }

  @Test("waits for the answer to a creation after Ctrl-C, says so, and prints the ID")
  func interruption() throws {
    try withFanfare { fanfare in
      let executioner = Executioner()
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in
        executioner.noteRequest()
        return .delay(milliseconds: 500, then: .accept)
      }
      let server = try Server(fanfare, configuration)
      let words = ["channel", "create"] + server.place + credentials + Self.app
      let result = try executioner.start(SIGINT, atRequest: 1) { try fanfare.start(words) }.finish()
      #expect(result.exitCode == 130 && executioner.hasStruck)
      #expect(result.errors.hasPrefix("Waiting for the answer: the channel may exist."))
      #expect(result.output == server.emulator.channels.map { "\($0.id)\n" }.joined())
    }
  }

  #if os(Linux)
  @Test("says which channel was created where its ID cannot be printed")
  func unprinted() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let words = [Fanfare.path, "channel", "create"] + server.place + credentials + Self.app
      let script = "exec \"$0\" \"$@\" > /dev/full"
      let result = try Program(
        path: try requirePath(of: "bash"), ["-c", script] + words, in: fanfare.folder
      ).finish()
      let id = try #require(server.emulator.channels.first?.id)
      #expect(result.exitCode == 1 && result.errors.contains("Channel \(id) was created.\n"))
    }
  }
  #endif

  @Test("deletes again when there was no answer, and takes that it is gone for success")
  func repetition() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { request in
        request.headers[":method"] == "DELETE" ? .processed(then: .drop(.fin)) : nil
      }
      let server = try Server(fanfare, configuration)
      let id = try created(server)
      let result = try run(server, "delete", id, "--yes", "--json")
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(try JSON(text: result.output)["deleted"] == true)
      #expect(server.emulator.channels.isEmpty)
    }
  }

  struct Row: CustomTestStringConvertible {
    let words: [String]
    let errors: String
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String..., errors: String) { (self.words, self.errors) = (words, errors) }
  }

  static let nowhere = "https://127.0.0.1:1"
  static let rows = [
    Row("create", "--env", "emulator", "--bundle-id", "com.example.app", errors: "--env inbox"),
    Row("create", "--server", nowhere, errors: "'--bundle-id ID' is required."),
    Row(
      "create", "--server", nowhere, "--bundle-id", "com.example.app.push-type.liveactivity",
      errors: "Use com.example.app."),
    Row("list", "--bundle-id", "com.example.app", errors: "No environment given"),
    Row("list", "--env", "auto", "--bundle-id", "com.example.app", errors: "one environment"),
    Row("list", "--known", "--dry-run", errors: "cannot be used together"),
    Row("list", "--known", "--no-history", errors: "cannot be used together"),
    Row("show", "abc-", "--server", nowhere, errors: "plain base64"),
    Row("show", "abc", "--server", nowhere, errors: "Copy all of it"),
    Row(
      "delete", "dHN0LXNyY2gtY2hubA==", "--server", nowhere, "--bundle-id", "com.example.app",
      errors: "Give --yes."),
  ]

  @Test("refuses bad input before anything is sent, with a fix", arguments: rows)
  func badInput(_ row: Row) throws {
    try withFanfare { fanfare in
      let result = try fanfare.run(["channel"] + row.words + credentials)
      #expect(result.exitCode == 2 && result.output == "")
      #expect(result.errors.contains(row.errors), "\(result.errors)")
    }
  }

  @Test("prints requests without sending them")
  func dryRun() throws {
    try withFanfare { fanfare in
      let place = ["--env", "sandbox", "--dry-run"] + credentials + Self.app
      let text = try fanfare.run(["channel", "create"] + place)
      #expect(text.exitCode == 0 && text.errors == "")
      #expect(
        text.output.hasPrefix(
          """
          POST /1/apps/com.example.app/channels HTTP/2
          host: api-manage-broadcast.sandbox.push.apple.com:2195
          authorization: bearer (not shown)
          apns-request-id:
          """))
      let json = try fanfare.run(["channel", "delete", "dHN0LXNyY2gtY2hubA==", "--json"] + place)
      #expect(try JSON(text: json.output)["method"] == "DELETE")
    }
  }

  @Test("is what the doctor tests with --channels")
  func doctor() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      _ = try created(server)
      let words = ["doctor", "--channels"] + server.place + credentials
      let good = try fanfare.run(words + Self.app)
      #expect(good.exitCode == 0, "\(good.output)")
      #expect(good.output.contains("200: the credentials are good, and the app has 1 channel."))
      let nameless = try fanfare.run(words)
      #expect(nameless.output.contains("Give --bundle-id: the request tests the credentials."))
      let refused = try fanfare.run(words + ["--port", "2197"] + Self.app)
      #expect(refused.exitCode == 2)
    }
  }
}
