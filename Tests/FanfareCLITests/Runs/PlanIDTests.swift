import CommandLineKit
import HTTP2
import JSONText
import POSIX
import Reporting
import SendingSupport
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Runs
@testable import Settings

@Suite("The ID of a plan")
struct PlanIDTests {
  private static let base = [
    "--env", "sandbox", "--bundle-id", "a.b", "--title", "Hi", "--to", tokenText(1),
    "--key", "AuthKey_ABC123DEFG.p8", "--team-id", "DEF123GHIJ", "--no-history",
  ]

  private func plan(_ words: [String], at second: Int64 = presentSecond) throws -> JSON {
    let options = try SendCommand.parse(words + ["--plan"]).options
    let nowhere = Output(
      descriptor: open("/dev/null", O_WRONLY | O_CLOEXEC), environment: [:], closesDescriptor: true)
    let clock = RunClock(
      monotonic: { 0 }, epochMilliseconds: { second * 1000 }, random: { UInt64(second) })
    let context = Context(environment: [:], output: nowhere, errors: nowhere, clock: clock)
    return try Send(options: options, context: context.telling(options)).run().json
  }

  private func id(_ words: [String], at second: Int64 = presentSecond) throws -> String {
    try #require(try plan(words, at: second)["id"]?.string)
  }

  @Test("is the same at any time, though the push is not")
  func time() throws {
    for words in [
      ["--expiration", "1h"], ["--event", "update", "--content-state", "{}", "--stale-date", "1h"],
    ] {
      let words = Self.base + words
      let (now, later) = (try plan(words), try plan(words, at: presentSecond + 7777))
      #expect(now["id"] != nil && now["id"] == later["id"])
      #expect(now["runs"]?.array?.first?["sample"] != later["runs"]?.array?.first?["sample"])
      #expect(try id(words.map { $0 == "1h" ? "2h" : $0 }) != now["id"]?.string)
    }
  }

  /// Words that change what is shown.
  static let changes = [
    [], ["--title", "Ho"], ["--to", tokenText(2)], ["--to", tokenText(1) + "," + tokenText(2)],
    ["--env", "production"], ["--env", "auto"], ["--env", "emulator"],
    ["--bundle-id", "a.c"], ["--priority", "5"], ["--expiration", "0"], ["--collapse-id", "x"],
    ["--key", "AuthKey_ABC123DEFH.p8"], ["--team-id", "DEF123GHIK"], ["--at-most-once"],
    ["--port", "2197"], ["--set", "k=1"],
    ["--apns-id", "123e4567-e89b-12d3-a456-426655440000"],
  ]

  @Test("is another one for whatever is shown")
  func shown() throws {
    var ids: Set<String> = []
    for change in Self.changes {
      var words = Self.base
      if let option = change.first, let index = words.firstIndex(of: option) {
        words.removeSubrange(index...(index + 1))
      }
      #expect(ids.insert(try id(words + change)).inserted, "\(change)")
    }
    for id in ids { #expect(PlanID(text: id) != nil) }
  }

  @Test("is the same whatever only decides how it is told and sent")
  func told() throws {
    let id = try id(Self.base)
    for words in [
      ["--json"], ["--show-tokens"], ["--verbose"], ["--quiet"], ["--results", "none/r.jsonl"],
      ["--dead-tokens", "none/d.txt"], ["--connections", "2"], ["--rate", "5/s"], ["--yes"],
      ["--yes=0123456789abcdef"], ["--template", "{{status}}"],
    ] { #expect(try self.id(Self.base + words) == id, "\(words)") }
  }

  @Test("is taken by --yes, which takes nothing else")
  func option() throws {
    func yes(_ words: String...) throws -> Consent? {
      try SendCommand.parse(words).options.yes?.value
    }
    #expect(try yes("--yes") == .always && yes("-y") == .always && yes() == nil)
    let id = try #require(PlanID(text: "0123456789abcdef"))
    #expect(try yes("--yes=0123456789abcdef") == .plan(id))
    for text in ["", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF", "yes"] {
      #expect(throws: UsageProblem.self) { try SendCommand.parse(["--yes=" + text]) }
    }
  }
}
