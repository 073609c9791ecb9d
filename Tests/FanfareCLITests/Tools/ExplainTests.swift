import JSONText
import Testing

@testable import Reporting
@testable import Tools

@Suite("What can be explained")
struct ExplainTests {
  static let rows: [(word: String, name: String)] = [
    ("loc-key", "aps.alert.loc-key"), ("title", "aps.alert.title"), ("body", "aps.alert.body"),
    ("volume", "aps.sound.volume"), ("critical", "aps.sound.critical"),
    ("critical", "aps.interruption-level"), ("time-sensitive", "aps.interruption-level"),
    ("timeSensitive", "aps.interruption-level"), ("alert.title", "aps.alert.title"),
    ("Simulator Target Bundle", "Simulator Target Bundle"),
    ("simulator target bundle", "Simulator Target Bundle"), ("sandbox", "sandbox"),
    ("development", "sandbox"), ("prod", "production"), ("auto", "auto"), ("2197", "2197"),
    ("443", "443"), ("EmulatorPayloadNotJSON", "EmulatorPayloadNotJSON"),
    ("EmulatorHeadersTooLong", "EmulatorHeadersTooLong"),
    ("EmulatorPayloadNotObject", "EmulatorPayloadNotObject"), ("start", "aps.event"),
    ("baddevicetoken", "BadDeviceToken"), ("content_available", "aps.content-available"),
    ("topic", "apns-topic"), ("passwordFile", "credentials.passwordFile"),
  ]

  @Test("is found by the word that people know", arguments: rows)
  func found(_ row: (word: String, name: String)) {
    let names = ExplainedTopic.all.filter { $0.answers(to: row.word) }.map(\.name)
    #expect(names.contains(row.name), "\(names)")
  }

  /// Words, the first topic, and how many there are.
  static let phrases: [(words: [String], first: String, count: Int)] = [
    (["exit"], "0", ExitCode.allCases.count), (["exit codes"], "0", ExitCode.allCases.count),
    (["exit", "code"], "0", ExitCode.allCases.count), (["exit", "code", "4"], "4", 1),
    (["exit", "4"], "4", 1), (["exit 4"], "4", 1), (["exit codes 4"], "4", 1),
    (["push", "voip"], "voip", 1), (["payload", "aps.alert"], "aps.alert", 1),
    (["exit code 4"], "4", 1), (["4"], "4", 1), (["4", "3"], "4", 2),
    (["push", "type"], "apns-push-type", 1),
  ]

  @Test("is found by several words, and by its kind", arguments: phrases)
  func together(_ row: (words: [String], first: String, count: Int)) throws {
    let report = try Explain(words: row.words, asJSON: true, context: context()).run()
    let json = try JSONReader().read(ReportJSON.bytes(report))
    #expect(json.array?.count == row.count && json.array?.first?["name"]?.string == row.first)
  }

  @Test("is an overview that fits on a screen, if nothing is named")
  func overview() throws {
    let report = try Explain(words: [], asJSON: false, context: context()).run()
    let text = ReportText().text(of: report)
    #expect(text.split(separator: "\n").count < 20, "\(text)")
    #expect(text.contains("reasons") && text.contains(" more\n"), "\(text)")
    let all = try Explain(words: [], asJSON: true, context: context()).run()
    let json = try JSONReader().read(ReportJSON.bytes(all))
    #expect(json.array?.count == ExplainedTopic.all.count)
  }

  static let mistakes: [(word: String, near: String)] = [
    ("BadDevicToken", "'BadDeviceToken'"), ("loc-kee", "'loc-key'"), ("volum", "'volume'"),
    ("sandbx", "'sandbox'"), ("HeadersTooLong", "'EmulatorHeadersTooLong'"),
    ("BadToken", "'BadDeviceToken'"), ("collaps-id", "'collapse-id'"),
    ("tmesensitive", "'time-sensitive'"),
  ]

  @Test("is suggested where a word is near, or a part of its name", arguments: mistakes)
  func near(_ row: (word: String, near: String)) {
    do throws(Failure) {
      _ = try Explain(words: [row.word], asJSON: false, context: context()).run()
      Issue.record("\(row.word) was explained")
    } catch {
      #expect(error.fix.contains(row.near), "\(error.fix)")
    }
  }
}
