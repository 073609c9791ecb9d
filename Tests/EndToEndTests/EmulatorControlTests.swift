import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare emulator --control")
struct EmulatorControlTests {
  @Test("takes a new script and another time while clients send")
  func changes() throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(fanfare, "--control", "0")
      let port = try #require(emulator.ready["control"]?.int.flatMap { UInt16(exactly: $0) })
      let control = try LineClient(port: port)
      func send() throws -> (code: Int32?, output: String) {
        let result = try fanfare.run(emulator.send + ["--to", "0a1b"])
        return (result.exitCode, result.output)
      }
      #expect(try send().code == 0)
      let gone = #"{"script": {"rules": [{"answer": {"reason": "Unregistered", "timestamp": 1}}]}}"#
      #expect(control.ask(gone) == #"{"ok":true}"#)
      #expect(try send().output.hasPrefix("rejected  410 Unregistered"))
      #expect(control.ask(#"{"script": null, "clock": "+2h"}"#) == #"{"ok":true}"#)
      #expect(try send().output.hasPrefix("rejected  403 ExpiredProviderToken"))
      let second = try LineClient(port: port)
      #expect(second.ask(#"{"clock": "0s"}"#) == #"{"ok":true}"#)
      #expect(try send().code == 0)
      let counts = try JSON(text: try #require(control.ask(#"{"counts": true}"#)))
      #expect(counts["processed"] == 2 && counts["ok"] == true)
      #expect(try emulator.end() == 143)
      #expect(control.readLine() == nil)
    }
  }

  @Test("says which port it cannot have, and has none unless it is asked for")
  func port() throws {
    try withFanfare { fanfare in
      let emulator = try RunningCommand(fanfare)
      #expect(emulator.ready["control"] == nil)
      let port = emulator.url.split(separator: ":").last.map(String.init) ?? ""
      let second = try fanfare.run(["emulator", "--control", port])
      #expect(second.exitCode == 3 && second.errors.contains("port \(port)"))
      #expect(try emulator.end() == 143)
    }
  }
}
