import APNS
import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("A run that was stopped because its notification is refused")
struct LastingRefusalTests {
  static let reasons: [(reason: Reason, again: String?)] = [
    (.badTopic, "'fanfare send --again=1' takes corrected options."),
    (.payloadTooLarge, "'fanfare send --again=1' takes corrected options."),
    (.internalServerError, nil),
  ]

  @Test("is not resumed as it was, if that would be refused again", arguments: reasons)
  func send(_ row: (reason: Reason, again: String?)) throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in .reject(row.reason) }
      let server = try Server(fanfare, configuration)
      try fanfare.folder.write("list.txt", tokenList(3000))
      let usual = try server.send("--tokens", "list.txt", "--no-history")
      #expect(!usual.output.contains("send --again"), "\(usual.output)")
      for words in [[], ["--quiet"]] {
        let result = try server.send(words: ["--tokens", "list.txt"] + words)
        let told = result.output + result.errors
        let text = told.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let run = words.isEmpty ? 1 : 2
        let again = row.again?.replacing("=1'", with: "=\(run)'")
        #expect(result.exitCode == 4 || result.exitCode == 1)
        #expect(text.contains("go on with") == (row.again == nil), "\(text)")
        if let again {
          #expect(text.contains("'fanfare resume \(run)' would send the rest as it was: \(again)"))
        }
      }
    }
  }

  @Test("is a scenario to correct")
  func scenario() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in .reject(.badTopic) }
      let server = try Server(fanfare, configuration)
      try fanfare.folder.write("list.txt", tokenList(3000))
      try fanfare.folder.write(
        "s.json5",
        """
        {bundleID: "a.b", recipients: ["list.txt"],
          notification: {payload: {aps: {alert: "Hi"}}}, expect: {status: 200}}
        """)
      let result = try fanfare.run(["run", "s.json5"] + server.place + credentials)
      let told = result.output + result.errors
      #expect(told.contains("correct the scenario, and run it again."), "\(told)")
      #expect(!told.contains("go on with"), "\(told)")
      let cause = "The run was stopped. Push after push was refused, the last with BadTopic."
      #expect(told.components(separatedBy: cause).count == 2, "\(told)")
      #expect(!told.contains("not all accepted"), "\(told)")
    }
  }
}
