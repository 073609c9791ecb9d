import APNS
import CommandLineKit
import Foundation
import JSONText
import Reporting
import Runs
import Settings
import TestSupport
import Testing

@testable import FanfareCLI

@Suite("The payloads that come with the program")
struct ExamplePayloadTests {
  private static let folder = projectFolder.appending(path: "payloads")

  @Test("are those of the folder 'payloads'")
  func files() throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
    let names = paths.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    #expect(ExamplePayload.names.sorted() == names.sorted())
  }

  @Test("have the text of their files", arguments: ExamplePayload.names)
  func text(_ name: String) throws {
    let file = Self.folder.appending(path: name + ".json")
    let example = try ExamplePayload.named(name)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(example.text == text)
  }

  @Test("are told in the words of the folder's README")
  func summaries() throws {
    let page = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
    for example in ExamplePayload.all {
      let summary = example.summary.replacing("'", with: "`")
      let plain = page.replacing("'", with: "`")
      #expect(plain.contains("| \(summary) |"))
    }
  }

  @Test(
    "break no rule when they are sent, and those of Live Activities are of now",
    arguments: ExamplePayload.names)
  func sent(_ name: String) throws {
    let words = ["--example", name, "--topic", "com.example.app", "--var", "name=Ada"]
    var assembly = try draftAssembly(SendCommand.parse(words).options, nil, context())
    let rules = RuleContext(now: presentSecond)
    let written = try assembly.draft()
    let draft = try Template(written, in: rules)?.filled() ?? written
    let example = try ExamplePayload.named(name)
    #expect(draft.pushType == example.pushType?.rawValue)
    #expect(written.payload?.json == (try JSONReader().read(example.text)))
    let problems = RuleTable.problems(in: draft, rules)
    #expect(
      problems.filter { $0.severity == .error && !$0.rule.hasPrefix("topic") }.map(\.message) == [])
    if draft.pushType == "liveactivity" {
      #expect(draft.payload?.aps?["timestamp"]?.number?.int == Int(presentSecond))
    }
  }

  @Test(
    "are found by name, by a name that is clear without its type, and by path",
    arguments: [
      ("alert/plain", "alert/plain"), ("plain", "alert/plain"), ("plain.json", "alert/plain"),
      ("payloads/alert/plain.json", "alert/plain"),
      ("./payloads/voip/group-call.json", "voip/group-call"),
      ("controls/reload", "controls/reload"),
    ])
  func found(_ row: (word: String, name: String)) throws {
    #expect(try ExamplePayload.named(row.word).name == row.name)
  }

  @Test(
    "that are not there are an error that tells what was meant",
    arguments: [
      ("alert/plian", "alert/plain"), ("plian", "alert/plain"), ("reload", "controls/reload"),
      ("", "fanfare example"), ("voip/plain", "alert/plain"), ("zzzzzzzz", "fanfare example"),
    ])
  func missing(_ row: (word: String, fix: String)) {
    let failure = #expect(throws: Failure.self) { try ExamplePayload.named(row.word) }
    #expect(failure?.exitCode == .usage)
    #expect(failure?.fix.contains(row.fix) ?? false, "\(failure?.fix ?? "")")
  }
}
