import JSONText
import SendingSupport
import Testing

@testable import PushEmulator
@testable import PushInbox
@testable import WebServer

@Suite("The calls that change the emulator")
struct ChangeTests {
  private let inbox: TestInbox

  init() throws { inbox = try TestInbox { $0.script = ["seed": 7] } }

  @Test("play another script, which can be read again")
  func script() throws {
    #expect(try inbox.call("script").json == ["seed": 7])
    let script = "{rules: [{answer: {reason: 'BadTopic'}}]}"
    #expect(try inbox.call("PUT", "script", script).status == 200)
    #expect(try inbox.call("script").json == ["rules": [["answer": ["reason": "BadTopic"]]]])
    #expect(try inbox.call("PUT", "script", "{}").json == [:])
  }

  @Test("tell all that is wrong with a script, and change nothing then")
  func badScript() throws {
    let reply = try inbox.call("PUT", "script", "{rules: [{when: {nht: 1}, reset: 'OOPS'}]}")
    #expect(reply.status == 400)
    let problems = try #require(try reply.json["problems"]?.array)
    #expect(problems.map { $0["path"] } == ["rules[0].when.nht", "rules[0].reset"])
    #expect(problems.first?["fix"] == "Did you mean 'nth'?" && problems.first?["column"] == 18)
    #expect(try inbox.call("script").json == ["seed": 7])
  }

  static let clocks: [(body: String, status: Int)] = [
    (#"{"offset": "+1h"}"#, 200), (#"{"offset": "0s"}"#, 200), (#"{"offset": "1h"}"#, 400),
    (#"{"offset": 5}"#, 400), (#"{"offset": "-9999d"}"#, 400), ("{}", 400), ("", 400), ("[]", 400),
    (#"{"offset": "0s", "x": 1}"#, 400), ("{", 400), ("\u{0}", 400),
  ]

  @Test("shift the clock", arguments: clocks)
  func clock(_ row: (body: String, status: Int)) throws {
    let reply = try inbox.call("PUT", "clock", row.body)
    #expect(reply.status == row.status, "\(reply.text)")
    if row.status != 200 { #expect(inbox.emulator.clockOffset == 0) }
  }

  @Test("say which clock offsets are allowed, with an example")
  func badClock() throws {
    let reply = try inbox.call("PUT", "clock", #"{"offset": "1h"}"#).json
    #expect(reply["message"] == "'offset' must be a duration with a sign, of at most 10 years.")
    #expect(reply["fix"]?.string?.contains(#""+2h" or "-90m""#) == true)
  }

  @Test("register devices, and forget them")
  func devices() throws {
    #expect(try inbox.call("devices").json == ["devices": []])
    let token = TestInbox.token
    let device = #"{"token": "\#(token)", "topic": "com.example.shop", "unregisteredAt": 17}"#
    let json: JSON = [
      "devices": [
        ["token": JSON(.string(token)), "topic": "com.example.shop", "unregisteredAt": 17]
      ]
    ]
    #expect(try inbox.call("PUT", "devices", #"{"devices": [\#(device)]}"#).json == json)
    #expect(try inbox.call("devices").json == json && inbox.emulator.devices.count == 1)
    #expect(try inbox.call("PUT", "devices", #"{"devices": [{"token": "xyz"}]}"#).status == 400)
    #expect(try inbox.call("PUT", "devices", "{}").status == 400)
    let long = String(repeating: "a", count: 100_000)
    for topic in ["", " ", "com.example shop", #"com.example\u0000"#, "com..shop", long] {
      let body = #"{"devices": [{"token": "\#(token)", "topic": "\#(topic)"}]}"#
      let reply = try inbox.call("PUT", "devices", body)
      #expect(reply.status == 400 && reply.text.utf8.count < 1000, "\(topic.prefix(20))")
    }
    let twice = try inbox.call("PUT", "devices", #"{"devices": [\#(device), \#(device)]}"#)
    #expect(
      try twice.status == 400 && twice.json["problems"]?.array?.first?["path"] == "devices[1]")
    #expect(try inbox.call("devices").json == json)
    #expect(try inbox.call("DELETE", "devices").json == ["devices": []])
    #expect(inbox.emulator.devices.isEmpty)
  }

  static let orders: [(path: String, body: String, status: Int)] = [
    ("goaway", "", 200), ("goaway", #"{"reason": "Shutdown", "code": "NO_ERROR"}"#, 200),
    ("goaway", #"{"raeson": "Shutdown"}"#, 400), ("close", "", 200),
    ("close", #"{"drop": "rst"}"#, 200), ("close", #"{"drop": "off"}"#, 400),
  ]

  @Test("tell connections to end", arguments: orders)
  func order(_ row: (path: String, body: String, status: Int)) throws {
    let reply = try inbox.call("POST", "connections/\(row.path)", row.body)
    #expect(reply.status == row.status)
    if row.status == 200 { #expect(try reply.json == ["connections": 0]) }
  }

  @Test("refuse a script whose bodies take too much memory")
  func largeBodies() throws {
    let inbox = try TestInbox()
    let rule = "{answer: {status: 200, bodySize: 16777216}}"
    func put(_ count: Int) throws -> HTTPReply {
      let rules = Array(repeating: rule, count: count).joined(separator: ",")
      return try inbox.call("PUT", "script", "{rules: [\(rules)]}")
    }
    #expect(try put(4).status == 200)
    let refused = try put(5)
    #expect(refused.status == 400 && refused.text.contains("64 MiB"), "\(refused.text)")
  }
}
