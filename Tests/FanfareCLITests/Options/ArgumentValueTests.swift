import APNS
import CommandLineKit
import PushModel
import Recipients
import Reporting
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Settings

@Suite("A word of the command line")
struct ArgumentValueTests {
  static let good: [(type: any ArgumentValue.Type, word: String, text: String)] = [
    (TimeLength.self, "500ms", "500ms"), (TimeLength.self, "30s", "30s"),
    (TimeLength.self, "30", "30s"), (TimeLength.self, "2m", "2m"),
    (TimeLength.self, "1h", "1h"), (TimeLength.self, "24h", "24h"),
    (TimeLength.self, "1500ms", "1500ms"),
    (TimeLength.self, "1h30m", "90m"), (TimeLength.self, "PT1H", "1h"),
    (TimeLength.self, "1d", "24h"), (TimeLength.self, "90s", "90s"),
    (TimeLength.self, "900", "15m"),
    (WrittenRate.self, "500", "500"), (WrittenRate.self, "500/s", "500/s"),
    (WrittenRate.self, "1/m", "1/m"), (WrittenRate.self, "1000000/s", "1000000/s"),
    (ConnectionCount.self, "auto", "auto"), (ConnectionCount.self, "1", "1"),
    (ConnectionCount.self, "64", "64"),
    (PortArgument.self, "0", "0"), (PortArgument.self, "65535", "65535"),
    (NumberArgument.self, "0.50", "0.50"), (NumberArgument.self, "-1e3", "-1e3"),
    (DataArgument.self, "id=7", "id=7"), (DataArgument.self, #"a="b=c""#, #"a="b=c""#),
    (DataArgument.self, "list=[1, 2]", "list=[1,2]"),
    (PayloadArgument.self, "p.json", "p.json"), (PayloadArgument.self, "@p.json", "p.json"),
    (PayloadArgument.self, "@-", "-"), (PayloadArgument.self, " {}", " {}"),
    (PayloadChange.self, "aps.badge:=3", "aps.badge:=3"),
    (TextsArgument.self, "Ada", "Ada"), (TextsArgument.self, #"["a", "b"]"#, #"["a", "b"]"#),
    (VolumeArgument.self, "0.50", "0.50"), (VolumeArgument.self, "1", "1"),
    (ObjectArgument.self, #"{"a": 1}"#, #"{"a":1}"#),
    (MomentArgument.self, "1h", "1h"), (MomentArgument.self, "{{now+15m}}", "{{now+15m}}"),
    (MomentArgument.self, "2026-11-22T10:00Z", "2026-11-22T10:00Z"),
    (MomentArgument.self, "2026-11-22 10:00", "2026-11-22 10:00"),
    (HeaderArgument.self, "apns-new:x", "apns-new:x"),
    (HeaderArgument.self, "apns-new: a:b", "apns-new:a:b"),
    (HeaderArgument.self, "Apns-New:", "apns-new:"),
    (RecipientsArgument.self, "ABCDEF0123456789", "…23456789"),
    (RecipientsArgument.self, "<abcd ef01>", "abcdef01"),
    (RecipientsArgument.self, "0xabcdef01", "abcdef01"),
    (RecipientsArgument.self, "my-phone", "my-phone"), (RecipientsArgument.self, "@ada", "@ada"),
    (RecipientsArgument.self, "xyz0", "xyz0"),
    (RecipientsArgument.self, "0a1b,my-phone", "0a1b,my-phone"),
    (RecipientsArgument.self, "my-phone ipad\nwatch", "my-phone,ipad,watch"),
    (RecipientsArgument.self, "-", "-"), (RecipientsArgument.self, "@l/a.txt", "@l/a.txt"),
    (ResultsArgument.self, "/dev/stdout", "-"), (ResultsArgument.self, "r.csv", "r.csv"),
    (RecordFormat.self, "tsv", "tsv"),
    (ClockArgument.self, "-90m", "-5400s"), (ClockArgument.self, "+2h", "+7200s"),
    (ClockArgument.self, "+0s", "+0s"), (ClockArgument.self, "-3650d", "-315360000s"),
    (HostNames.self, "api.push.apple.com,*.example.com", "api.push.apple.com,*.example.com"),
    (HostNames.self, "::1", "::1"), (ProtocolName.self, "http/1.1", "http/1.1"),
    (EmulatorCertificate.self, "not-yet-valid", "not-yet-valid"),
    (ListFormat.self, "csv", "csv"),
    (ShardArgument.self, "1/1", "1/1"), (ShardArgument.self, "3/16", "3/16"),
    (EnvironmentName.self, "sandbox", "sandbox"),
    (RecipientReader.Duplicates.self, "send", "send"),
  ]

  @Test("is read", arguments: good)
  func reads(_ row: (type: any ArgumentValue.Type, word: String, text: String)) throws {
    #expect(try row.type.init(argument: row.word).argumentText == row.text)
  }

  @Test("that is a file is no recipient, but a list behind @")
  func file() throws {
    try withTemporaryFolder { folder in
      let path = try folder.write("1.txt", "0a1b")
      let clause = "it is a file: '--to @\(path)' sends to the device tokens in it"
      #expect(throws: BadValue.because(clause)) { try RecipientsArgument(argument: path) }
    }
  }

  static let bad: [(type: any ArgumentValue.Type, words: [String])] = [
    (
      TimeLength.self,
      ["", "0", "-1s", "1.5s", "s", "2d", "1 s", "99999999999h", "25h", "86400001ms"]
    ),
    (WrittenRate.self, ["", "0", "-1", "5/h", "5/", "/s", "x/s", "1000001", "1.5"]),
    (ConnectionCount.self, ["", "0", "65", "-1", "two", "Auto", "auto ", "4.0", "1...4"]),
    (PortArgument.self, ["", "-1", "65536", "https"]),
    (NumberArgument.self, ["", "one", "1,5", "01", "NaN", "0x1"]),
    (DataArgument.self, ["", "id", "=1", "id=", "id=Ada", "aps={}", "id=1 2", "id={'a':1}"]),
    (DataArgument.self, ["aps.badge=3", "aps.=1"]), (PayloadArgument.self, ["@", "", "[1]"]),
    (PayloadChange.self, ["", "aps.badge", "aps.badge:=x", "a..b=1"]),
    (TextsArgument.self, ["[", "[1]", "[Ada]"]), (VolumeArgument.self, ["", "2", "-0.1", "loud"]),
    (ObjectArgument.self, ["", "5", "[]", "{", "{a:1}"]),
    (MomentArgument.self, ["", "soon", "-1h", "2026-13-01"]),
    (
      HeaderArgument.self,
      [
        "", "name", ":value", "apns-topic:x", "apns-push-type:x", "APNS-ID:x", "apns-priority:1",
        "apns-expiration:0", "apns-collapse-id:x", "a b:c",
      ]
    ),
    (
      RecipientsArgument.self,
      ["", "abc", "0xyz", "0x0", "1c2d3e4f-0000-1111-2222-333344445555"]
    ),
    (
      ClockArgument.self,
      ["", "2h", "+", "-h", "+2", "++2h", "+2y", "-3651d", "+99999999999999999999s"]
    ),
    (HostNames.self, ["", ",", "a,", "a b", "a,DNS=b", "a/b", "ä.example"]),
    (ProtocolName.self, ["", "h3", "H2"]), (EmulatorCertificate.self, ["", "bad"]),
    (ListFormat.self, ["", "CSV", "tsv"]),
    (ShardArgument.self, ["", "1", "0/3", "4/3", "1/0", "1/2/3", "a/b", "/", "-1/3"]),
    (EnvironmentName.self, ["", "prod", "Sandbox"]), (RecipientReader.Duplicates.self, ["last"]),
  ]

  @Test(
    "is a number within bounds",
    arguments: [
      ("retries", [0, 100], ["", "-1", "101", "many"]),
      ("limit", [1, 1_000_000_000], ["", "0", "-1", "1.5"]),
    ])
  func number(_ row: (option: String, good: [Int], bad: [String])) throws {
    for number in row.good {
      let settings = try SendCommand.parse(["--\(row.option)=\(number)"]).options
      #expect(
        [settings.retries, settings.limit].contains { $0?.value == number })
    }
    for word in row.bad {
      #expect(throws: UsageProblem.self, "\(word)") {
        try SendCommand.parse(["--\(row.option)=\(word)"])
      }
    }
  }

  @Test("is a number of scenarios to run at once")
  func parallel() throws {
    #expect(try ["1", "64"].map { try ParallelCount(argument: $0).count } == [1, 64])
    for word in ["0", "65", "-1", "many"] {
      #expect(throws: BadValue.expected("a number from 1 to 64"), "\(word)") {
        try ParallelCount(argument: word)
      }
    }
  }

  @Test("is refused with a sentence, as recorded")
  func sentences() throws {
    let lines = Self.bad.flatMap { row in row.words.map { Self.sentence(row.type, $0) } }
    try expectSnapshot(lines.joined(separator: "\n") + "\n", "argument-values.txt")
  }

  private static func sentence(_ type: any ArgumentValue.Type, _ word: String) -> String {
    do throws(BadValue) {
      return "\(type) takes '\(try type.init(argument: word).argumentText)'"
    } catch {
      let problem = UsageProblem.badValue(
        "\(type)", text: word, why: error, choices: type.choices, near: [])
      let lines = UsageError(problem, path: ["fanfare"]).message.split(separator: "\n")
      return lines.first.map(String.init) ?? ""
    }
  }

  @Test("is refused", arguments: bad)
  func refuses(_ row: (type: any ArgumentValue.Type, words: [String])) {
    for word in row.words {
      #expect(throws: BadValue.self, "\(word)") { try row.type.init(argument: word) }
    }
  }
}
