import JSONText
import TestSupport
import Testing

@testable import PushEmulator

@Suite("The control channel")
struct ControlTests {
  private let server: FaultyServer
  private let control: LineClient

  init() throws {
    let server = try FaultyServer { $0.controlPort = 0 }
    self.server = server
    let port = try #require(server.emulator.controlPort)
    control = try LineClient(port: port)
  }

  private func ask(_ line: String) throws -> JSON {
    try JSONReader().read(try #require(control.ask(line)))
  }

  @Test("changes the script for connections that are open, and back")
  func script() throws {
    let client = try server.client()
    #expect(try client.send(server.sample).status == 200)
    let gone = #"{"script": {rules: [{answer: {reason: "Unregistered", timestamp: 1}}]}}"#
    #expect(try ask(gone) == ["ok": true])
    let answer = try client.send(server.sample)
    #expect(answer.status == 410 && answer.body == #"{"reason":"Unregistered","timestamp":1}"#)
    #expect(try server.answer().status == 410)
    #expect(try ask(#"{"script": null}"#) == ["ok": true])
    #expect(try client.send(server.sample).status == 200)
  }

  @Test("begins a script's counters anew with each script, and keeps them with a new clock")
  func counters() throws {
    let client = try server.client()
    func statuses() throws -> [Int] {
      try (1...3).map { _ in try client.send(server.sample).status }
    }
    let second = "{script: {rules: [{when: {nth: 2}, answer: {reason: 'BadTopic'}}]}}"
    for _ in 1...2 {
      #expect(try ask(second) == ["ok": true])
      #expect(try statuses() == [200, 400, 200])
    }
    let rate = "{script: {tokenRate: {count: 2, per: '1h'}}}"
    #expect(try ask(rate) == ["ok": true])
    #expect(try statuses() == [200, 200, 429])
    #expect(try ask(#"{"clock": "+1m"}"#) == ["ok": true])
    #expect(try statuses() == [429, 429, 429])
    #expect(try ask(rate) == ["ok": true])
    #expect(try statuses() == [200, 200, 429])
  }

  @Test("changes what open connections do on their own account, and how many there may be")
  func connections() throws {
    let client = try server.client()
    #expect(try client.send(server.sample).status == 200 && client.concurrency == 1000)
    let script = """
      {script: {settings: [{at: {requests: 2}, maxConcurrentStreams: 7}], connections: {limit: 1}}}
      """
    #expect(try ask(script) == ["ok": true])
    #expect(try client.send(server.sample).status == 200 && client.concurrency == 1000)
    #expect(try client.send(server.sample).status == 200 && client.concurrency == 7)
    #expect(throws: (any Error).self) { try server.client() }
    #expect(try ask("{script: null}") == ["ok": true])
    #expect(try server.answer().status == 200)
  }

  @Test("tells all that is wrong with a script, and changes nothing then")
  func badScript() throws {
    #expect(try ask("{script: {rules: [{answer: {reason: 'BadTopic'}}]}}") == ["ok": true])
    let answer = try ask("{script: {rules: [{when: {nht: 1}, reset: 'OOPS'}]}, clock: '+2h'}")
    #expect(answer["ok"] == false && answer["message"] == nil)
    let problems = try #require(answer["problems"]?.array)
    #expect(problems.map { $0["path"] } == ["rules[0].when.nht", "rules[0].reset"])
    #expect(problems.first?["message"] == "'nht' is not a known key here.")
    #expect(problems.first?["fix"] == "Did you mean 'nth'?")
    #expect(problems.first?["column"] == 27)
    #expect(try server.answer().body == #"{"reason":"BadTopic"}"#)
  }

  static let times: [(clock: String, status: Int, reason: String)] = [
    ("+1h", 403, "ExpiredProviderToken"), ("-30m", 403, "InvalidProviderToken"),
    ("+59m", 200, ""), ("0s", 200, ""),
  ]

  @Test("moves the clock, by which provider tokens expire, and back", arguments: times)
  func clock(_ row: (clock: String, status: Int, reason: String)) throws {
    let client = try server.client()
    #expect(try client.send(server.sample).fields["date"] == nil)
    #expect(try ask(#"{"clock": "\#(row.clock)"}"#) == ["ok": true])
    let answer = try client.send(server.sample)
    #expect(answer.status == row.status && answer.body.contains(row.reason))
    #expect(try ask(#"{"clock": "0s"}"#) == ["ok": true])
    let back = try client.send(server.sample)
    #expect(back.status == 200 && back.fields["date"] == "Mon, 12 Jan 1970 13:46:50 GMT")
  }

  @Test("counts")
  func counts() throws {
    #expect(
      try ask(#"{"counts": true}"#)
        == ["ok": true, "requests": 0, "processed": 0, "connections": 0])
    let client = try server.client()
    _ = try client.send([server.sample, server.sample, server.sample.with("apns-priority", "11")])
    let script = "{rules: [{processed: true, answer: {reason: 'Shutdown'}}]}"
    #expect(try ask("{script: \(script), counts: true}")["requests"] == 3)
    #expect(try server.answer().status == 503)
    let counts = try ask(#"{"counts": true}"#)
    #expect(counts == ["ok": true, "requests": 4, "processed": 3, "connections": 2])
    #expect(try ask(#"{"clock": "0s", "counts": false}"#) == ["ok": true])
  }

  static let misunderstandings: [(line: String, says: String)] = [
    ("", "The text is empty."), ("hello", "\"hello\""), ("{", ""), ("[]", "an array"),
    ("{}", "Use one of: script, clock, counts."), (#"{"clok": "+1h"}"#, "Did you mean 'clock'?"),
    (#"{"clock": "1h"}"#, "not a time offset"), (#"{"clock": 5}"#, "not a time offset"),
    (#"{"clock": "-9999d"}"#, "not a time offset"), (#"{"counts": 1}"#, "true or false"),
    (#"{"counts": true, "goAway": {}}"#, "'goAway' is not a known key here."),
  ]

  @Test("refuses what it does not understand, and goes on", arguments: misunderstandings)
  func garbage(_ row: (line: String, says: String)) throws {
    let answer = try ask(row.line)
    #expect(answer["ok"] == false && answer["problems"] == nil)
    #expect(try #require(answer["message"]?.string).contains(row.says), "\(answer)")
    #expect(try ask(#"{"counts": true}"#)["ok"] == true)
  }

  @Test("takes lines of 64 KiB, and refuses longer ones at once")
  func length() throws {
    let line = #"{"counts": true}"#
    let longest = line + String(repeating: " ", count: ControlLines.limit - line.utf8.count)
    #expect(try ask(longest)["ok"] == true)
    control.send(longest + " ")
    let answer = try JSONReader().read(try #require(control.readLine()))
    #expect(answer == ["ok": false, "message": "A line has at most 65536 bytes."])
    control.send(longest + "\n")
    #expect(try ask(line)["ok"] == true)
  }

  @Test("answers lines that come together each, and a last one without a line feed")
  func together() throws {
    control.send("{counts: true}\nx\r\n{clock: '0s'}\n{script: nu")
    let answers = (1...3).compactMap { _ in control.readLine() }
    #expect(try answers.map { try JSONReader().read($0)["ok"] } == [true, false, true])
    control.send("ll}")
    control.endSending()
    #expect(control.readLine() == #"{"ok":true}"# && control.readLine() == nil)
  }

  @Test("has several clients, and none is ended with another")
  func clients() throws {
    let port = try #require(server.emulator.controlPort)
    let others = try (2...ControlService.limit).map { _ in try LineClient(port: port) }
    for other in others { #expect(other.ask("{clock: '0s'}") == #"{"ok":true}"#) }
    let tooMany = try? LineClient(port: port)
    #expect(tooMany?.ask("{clock: '0s'}") == nil)
    others[0].endSending()
    #expect(others[0].readLine() == nil)
    #expect(others[1].ask("{clock: '+1h'}") == #"{"ok":true}"#)
    #expect(try server.answer().status == 403)
    #expect(try ask(#"{"clock": "0s"}"#) == ["ok": true])
    #expect(try server.answer().status == 200)
  }

  @Test("hears no command in the body of a browser's request")
  func browser() throws {
    control.send("POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n{clock: '+1h'}\n")
    #expect(control.readLine() == nil)
    #expect(try server.answer().status == 200)
  }

  @Test("ends with the emulator")
  func ends() throws {
    #expect(control.ask("{clock: '0s'}") == #"{"ok":true}"#)
    server.emulator.stop()
    #expect(control.readLine() == nil)
    let port = try #require(server.emulator.controlPort)
    #expect(throws: (any Error).self) { try LineClient(port: port) }
  }

  @Test("is there for who wants it only, and has to have its port")
  func ports() throws {
    #expect(try Emulator().controlPort == nil)
    var taken = EmulatorConfiguration()
    taken.controlPort = server.emulator.port
    #expect(throws: EmulatorError.self) { try Emulator(taken) }
  }
}
