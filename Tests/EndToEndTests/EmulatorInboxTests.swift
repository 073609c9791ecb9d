import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

/// A running emulator with an inbox.
private struct RunningInbox {
  let emulator: RunningCommand

  init(_ fanfare: Fanfare, _ words: String...) throws {
    emulator = try RunningCommand(fanfare, words: ["--inbox", "0"] + words)
  }

  var url: String { emulator.ready["inbox"]?.string ?? "" }
  var key: String { url.components(separatedBy: "#key=").last ?? "" }
  var port: UInt16 { URL(string: url)?.port.flatMap { UInt16(exactly: $0) } ?? 0 }

  /// Asks the API.
  func call(_ method: String, _ path: String, _ body: String = "") throws -> JSON {
    let line = try LineClient(port: port)
    line.send(
      """
      \(method) /api/v1/\(path) HTTP/1.0\r
      host: 127.0.0.1:\(port)\r
      authorization: Bearer \(key)\r
      content-type: application/json\r
      content-length: \(body.utf8.count)\r
      \r
      \(body)
      """)
    while let header = line.readLine(), header != "\r" {}
    return try JSON(text: String(decoding: line.read(1 << 20), as: UTF8.self))
  }
}

private let toInbox = [
  "send", "--env", "inbox", "--bundle-id", "com.example.app", "--title", "Hello",
]

@Suite("fanfare emulator --inbox")
struct EmulatorInboxTests {
  @Test("takes a new script and another time while clients send")
  func changes() throws {
    try withFanfare { fanfare in
      let inbox = try RunningInbox(fanfare)
      func send() throws -> (code: Int32?, output: String) {
        let result = try fanfare.run(inbox.emulator.send + ["--to", tokenText(1)])
        return (result.exitCode, result.output)
      }
      #expect(try send().code == 0)
      let gone = #"{"rules": [{"answer": {"reason": "Unregistered", "timestamp": 1}}]}"#
      #expect(try inbox.call("PUT", "script", gone)["rules"] != nil)
      #expect(try send().output.hasPrefix("rejected  410 Unregistered"))
      _ = try inbox.call("PUT", "script", "{}")
      _ = try inbox.call("PUT", "clock", #"{"offset": "+2h"}"#)
      #expect(try send().output.hasPrefix("rejected  403 ExpiredProviderToken"))
      _ = try inbox.call("PUT", "clock", #"{"offset": "0s"}"#)
      #expect(try send().code == 0)
      let wait = try inbox.call("GET", "wait?count=2&status=200")
      #expect(wait["complete"] == true && wait["pushes"]?.array?.count == 2)
      #expect(try inbox.call("GET", "health")["processed"] == 2)
      #expect(try inbox.emulator.end() == 143)
    }
  }

  @Test("says which port it cannot have, and has none unless it is asked for")
  func port() throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(fanfare)
      #expect(emulator.ready["inbox"] == nil)
      let port = emulator.url.split(separator: ":").last.map(String.init) ?? ""
      let second = try fanfare.run(["emulator", "--inbox", port])
      #expect(second.exitCode == 3 && second.errors.contains("port \(port)"))
      #expect(try emulator.end() == 143)
      for words in [
        ["--keep", "5"], ["--inbox-key", "key.txt"], ["--keep", "5", "--journal", "-"],
      ] {
        let idle = try fanfare.run(["emulator"] + words)
        #expect(idle.exitCode == 2 && idle.errors.contains("'--inbox PORT' is required."))
      }
      #expect(try fanfare.run(["emulator", "--inbox", "0", "--keep", "0"]).exitCode == 2)
    }
  }

  @Test("is found by --env inbox, without credentials")
  func found() throws {
    try withFanfare { fanfare in
      let none = try fanfare.run(toInbox + ["--to", tokenText(1)])
      #expect(none.exitCode == 3 && none.errors.contains("No emulator with an inbox is running."))
      let first = try RunningInbox(fanfare)
      let sent = try fanfare.run(toInbox + ["--to", tokenText(1)])
      #expect(sent.exitCode == 0 && sent.errors == "", "\(sent.errors)")
      let roots = try #require(first.emulator.ready["ca"]?.string)
      let export = try fanfare.run(["history", "export", "1", "--format", "curl"]).output
      #expect(export.contains("--cacert \(roots) "), "\(export)")
      let second = try RunningInbox(fanfare)
      // A variable names an authority for other servers.
      let other = ["FANFARE_CA": roots]
      let newest = try fanfare.run(toInbox + ["--to", tokenText(2)], environment: other)
      #expect(newest.exitCode == 0 && newest.errors.contains("the newest of 2"))
      #expect(try first.call("GET", "health")["pushes"] == 1)
      #expect(try second.call("GET", "health")["pushes"] == 1)
      #expect(try second.emulator.end() == 143)
      #expect(try fanfare.run(toInbox + ["--to", tokenText(3)]).exitCode == 0)
      #expect(try first.call("GET", "health")["pushes"] == 2)
      // What a process that was killed leaves behind is not believed, and removed.
      first.emulator.program.send(SIGKILL)
      _ = try first.emulator.program.finish()
      #expect(try fanfare.run(toInbox + ["--to", tokenText(1)]).exitCode == 3)
      #expect(try notices(fanfare) == [])
    }
  }

  @Test(
    "leaves nothing behind when its terminal is closed, or a second signal ends it at once",
    arguments: [[SIGHUP], [SIGINT, SIGTERM]])
  func endings(_ signals: [Int32]) throws {
    // Whoever starts the tests with nohup has them and their programs ignore it.
    let before = signal(SIGHUP, SIG_DFL)
    defer { signal(SIGHUP, before) }
    try withFanfare { fanfare in
      let inbox = try RunningInbox(fanfare)
      #expect(try notices(fanfare).count == 1)
      for signal in signals { inbox.emulator.program.send(signal) }
      let code = try inbox.emulator.program.finish().exitCode
      // It may have ended by the first before the second came.
      #expect(signals.map { 128 + $0 }.contains(code), "\(String(describing: code))")
      #expect(try notices(fanfare) == [])
      #expect(try fanfare.folder.names().filter { $0.hasPrefix("fanfare-ca") } == [])
    }
  }

  @Test("is not believed when its file names another machine, or the folder is open to others")
  func forged() throws {
    try withFanfare { fanfare in
      let inbox = try RunningInbox(fanfare)
      let folder = fanfare.folder.folder(".cache").folder("fanfare")
      let name = try #require(try notices(fanfare).first)
      let notice = try folder.text(name)
      let forged = notice.replacing(inbox.emulator.url, with: "https://apns.example:443")
      try folder.write(name, forged)
      #expect(try fanfare.run(toInbox + ["--to", tokenText(1)]).exitCode == 3)
      try folder.write(name, notice)
      chmod(folder.file(name), 0o600)
      #expect(try fanfare.run(toInbox + ["--to", tokenText(1)]).exitCode == 0)
      chmod(folder.path, 0o755)
      #expect(try fanfare.run(toInbox + ["--to", tokenText(1)]).exitCode == 3)
      chmod(folder.path, 0o700)
      #expect(try inbox.emulator.end() == 143)
    }
  }

  @Test("is what a profile and a run that is resumed mean by inbox")
  func settings() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "fanfare.json",
        #"{"default": "local", "profiles": {"local": {"environment": "inbox"}}}"#)
      let shown = try fanfare.run(["config", "show", "--json"])
      #expect(shown.exitCode == 0 && shown.output.contains(#""inbox""#))
      let inbox = try RunningInbox(fanfare)
      let late = #"{"rules": [{"times": 1, "answer": {"reason": "ServiceUnavailable"}}]}"#
      _ = try inbox.call("PUT", "script", late)
      let words = ["send", "--bundle-id", "com.example.app", "--title", "Hello", "--retries", "0"]
      let sent = try fanfare.run(words + ["--to", tokenText(1)])
      #expect(sent.exitCode != 0)
      #expect(try inbox.emulator.end() == 143)
      let other = try RunningInbox(fanfare)
      let resumed = try fanfare.run(["resume", "--now"])
      #expect(resumed.exitCode == 0, "\(resumed.output)\(resumed.errors)")
      #expect(try other.call("GET", "health")["pushes"] == 1)
      #expect(try other.emulator.end() == 143)
    }
  }

  @Test("is not given a scenario's script, which is told")
  func idleScript() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("a.json5", ScenarioText.scripted)
      try fanfare.folder.write("dead.json5", ScenarioText.script)
      let inbox = try RunningInbox(fanfare)
      let result = try fanfare.run(["run", "a.json5", "--env", "inbox"])
      #expect(result.exitCode == 0)
      #expect(result.errors.contains("which is not used: its pushes go to inbox."))
      #expect(result.errors.contains("PUT the script to the inbox's API"))
      #expect(try inbox.emulator.end() == 143)
    }
  }

  @Test("keeps its key in a file, and writes one if there is none")
  func keyFile() throws {
    try withFanfare { fanfare in
      let first = try RunningInbox(fanfare, "--inbox-key", "key.txt")
      #expect(try fanfare.folder.text("key.txt") == first.key + "\n")
      #expect(try first.emulator.end() == 143)
      let second = try RunningInbox(fanfare, "--inbox-key", "key.txt")
      #expect(second.key == first.key)
      #expect(try second.emulator.end() == 143)
      try fanfare.folder.write("short.txt", "short\n")
      let short = try fanfare.run(["emulator", "--inbox", "0", "--inbox-key", "short.txt"])
      #expect(short.exitCode == 2 && !short.errors.contains("'short'"))
      _ = try TestSupport.run("chmod", ["644", "short.txt"], in: fanfare.folder)
      let seen = try fanfare.run(["emulator", "--inbox", "0", "--inbox-key", "short.txt"])
      #expect(seen.errors.contains("inbox key file short.txt is readable by other users"))
      _ = try TestSupport.run("chmod", ["622", "key.txt"], in: fanfare.folder)
      let planted = try fanfare.run(["emulator", "--inbox", "0", "--inbox-key", "key.txt"])
      #expect(planted.exitCode == 2 && planted.errors.contains("is writable by other users"))
      try fanfare.folder.write("empty.txt", "\n")
      let empty = try fanfare.run(["emulator", "--inbox", "0", "--inbox-key", "empty.txt"])
      #expect(empty.exitCode == 2 && empty.errors.contains("empty.txt is empty"))
      #expect(empty.errors.contains("Remove it"))
    }
  }

  private func notices(_ fanfare: Fanfare) throws -> [String] {
    try fanfare.folder.folder(".cache").folder("fanfare").names().filter { $0.hasPrefix("inbox-") }
  }
}

@Suite("Where fanfare emulator listens and what it says")
struct EmulatorServingTests {
  @Test("keeps its authority in a folder of its own")
  func authority() throws {
    try withFanfare { fanfare in
      func start() throws -> (emulator: RunningCommand, pem: String) {
        let emulator = try RunningCommand(fanfare, "--ca-folder", "ca")
        #expect(emulator.ready["ca"] == "ca/ca.pem")
        return (emulator, try fanfare.folder.text("ca/ca.pem"))
      }
      let first = try start()
      #expect(try fanfare.run(first.emulator.send + ["--to", tokenText(1)]).exitCode == 0)
      #expect(try first.emulator.end() == 143)
      let second = try start()
      #expect(second.pem == first.pem)
      #expect(try fanfare.run(second.emulator.send + ["--to", tokenText(1)]).exitCode == 0)
      #expect(try second.emulator.end() == 143)
      let folder = fanfare.folder.folder("ca")
      try folder.write("ca-key.der", "damaged")
      chmod(folder.file("ca-key.der"), 0o600)
      let third = try start()
      #expect(third.pem != first.pem)
      #expect(try third.emulator.end() == 143)
      for name in [".", "ca.pem", "ca-key.der"] {
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file(name))[
          .posixPermissions]
        #expect(mode as? Int == (name == "." ? 0o700 : 0o600))
      }
      chmod(folder.path, 0o755)
      let open = try fanfare.run(["emulator", "--ca-folder", "ca"])
      #expect(open.exitCode == 2 && open.errors.contains("0700"))
      chmod(folder.path, 0o700)
    }
  }

  @Test(
    "says what is wrong with the folder of its authority",
    arguments: [
      ("file", "file is not a folder."), ("file/ca", "The folder file/ca cannot be made."),
    ])
  func badAuthority(_ row: (path: String, says: String)) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("file", "")
      let result = try fanfare.run(["emulator", "--ca-folder", row.path])
      #expect(result.exitCode == 2 && result.errors.contains(row.says), "\(result.errors)")
    }
  }

  @Test("listens on an address, with a warning")
  func address() throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(fanfare, "--bind", "0.0.0.0")
      #expect(emulator.url.hasPrefix("https://127.0.0.1:"))
      #expect(try fanfare.run(emulator.send + ["--to", tokenText(1)]).exitCode == 0)
      emulator.program.send(SIGTERM)
      #expect(try emulator.program.finish().errors.contains("listens on 0.0.0.0"))
      let name = try fanfare.run(["emulator", "--bind", "localhost"])
      #expect(name.exitCode == 2 && name.errors.contains("is not an IP address"))
    }
  }

  @Test("writes its journal to standard output behind the first line")
  func journal() throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(fanfare, "--journal", "-")
      #expect(try fanfare.run(emulator.send + ["--to", tokenText(1)]).exitCode == 0)
      let line = try JSON(text: try #require(emulator.program.readLine()))
      #expect(line["id"] == 1 && line["token"]?.string == tokenText(1))
      #expect(try emulator.end() == 143)
    }
  }

  @Test("tells people where it is, how to send to it, and each request")
  func screen() throws {
    try withFanfare { fanfare in
      let terminal = try TerminalProgram(
        path: Fanfare.path, ["emulator", "--inbox", "0", "--hyperlink", "never"],
        in: fanfare.folder, environment: ["TERM": "xterm"])
      #expect(terminal.wait(for: "Ctrl-C ends it."))
      #expect(terminal.screen.contains("inbox     http://127.0.0.1:"))
      #expect(terminal.screen.contains("fanfare send --env inbox --bundle-id com.example.shop"))
      #expect(try fanfare.run(toInbox + ["--to", tokenText(1)]).exitCode == 0)
      #expect(terminal.wait(for: "  200  alert  …\(tokenText(1).suffix(8))  com.example.app"))
      #expect(!terminal.screen.contains(tokenText(1)))
      terminal.type("\u{3}")
      #expect(terminal.finish() == 130)
    }
  }
}
