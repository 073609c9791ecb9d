import APNS
import CommandLineKit
import JSONText
import SendingSupport
import Testing

@testable import FanfareCLI
@testable import HistoryCommands
@testable import Reporting
@testable import Runs
@testable import Settings
@testable import Tools

@Suite("What the documents say of outputs")
struct OutputDocumentationTests {
  /// The sections that describe an output: of formats.md, or of checking.md where said so.
  private static let sections: [DescribedFormat: [String]] = [
    .summary: run, .refusal: run + ["checking.md check"],
    .enqueue: run, .work: run, .stop: run, .step: run + ["checking.md check"],
    .results: ["Result line"], .deadTokens: ["Dead tokens"], .report: run, .plan: ["Plan"],
    .dryRun: ["Dry run"],
    .problem: ["checking.md check"], .check: ["checking.md check"], .preview: ["Preview"],
    .example: ["Examples"], .device: ["Devices"], .channel: ["Channels"],
    .channelShow: ["Channels"], .channelDelete: ["Channels"],
    .inspect: ["Check and inspect", "checking.md inspect"], .explain: ["Explain"],
    .doctor: ["Doctor"], .doctorSelf: ["Doctor"], .configShow: ["Profiles"], .historyList: history,
    .historyPushes: history, .historyShow: history, .historyStats: figures, .historyTail: figures,
    .historyPrune: figures, .historyDiff: ["Differences"], .emulator: ["Emulator"],
    .journal: ["Emulator"],
  ]

  private static let run = ["Run summary", "Result line"]
  private static let history = ["The history"] + run
  private static let figures = ["History stats, tail and prune"] + history

  /// The outputs; the others are files that people write.
  static let outputs = DescribedFormat.allCases.filter { $0.output != nil }

  private let formats: DocumentSections
  private let checking: DocumentSections

  init() throws {
    (formats, checking) = (try DocumentSections("formats.md"), try DocumentSections("checking.md"))
  }

  private func text(_ section: String) -> DocumentText? {
    let place = section.split(separator: " ", maxSplits: 1).map(String.init)
    return place[0] == "checking.md" ? checking[place[1]] : formats[section]
  }

  @Test("lists the schemas that there are")
  func schemas() throws {
    let names = Self.outputs.map { "`\($0.rawValue)`" }
    let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    let head = try #require(formats[""]).text.split(separator: "\n").joined(separator: " ")
    #expect(head.contains("prints: \(list)."))
  }

  @Test("names each key where the output is described", arguments: outputs)
  func keys(_ format: DescribedFormat) throws {
    let texts = try #require(Self.sections[format]).map { try #require(text($0), "\($0)") }
    let names = texts.reduce(into: Set<String>()) { $0.formUnion($1.names) }
    let keys = JSONSchema(try JSONReader().read(format.schema)).keys
    let words = Set(keys.compactMap { $0.split(separator: ".").last.map(String.init) })
    #expect(words.subtracting(names).filter { $0 != "*" && !$0.hasSuffix("]") } == [])
  }

  static let described = Set(sections.values.joined()).sorted()

  @Test("has examples that a schema allows", arguments: described)
  func examples(_ section: String) throws {
    let schemas = try Self.sections.filter { $0.value.contains(section) }.keys.map {
      JSONSchema(try JSONReader().read($0.schema))
    }
    for example in try #require(text(section)).examples {
      #expect(
        schemas.contains { $0.faults(in: example).isEmpty }, "\(example.encodedString(.compact))")
    }
  }

  @Test("has the columns of results and exports in their order")
  func columns() throws {
    let names = Outputs.result.map(\.name)
    let header = "\n\(names.joined(separator: ","))\n"
    #expect(try #require(formats["Result line"]).text.contains(header))
    #expect(ExportedPush.columns == ["run"] + names + ["environment", "pushType", "topic"])
    #expect(try #require(formats["Exports"]).text.contains("same fields as columns"))
  }

  @Test("names every environment, wherever it names the emulator")
  func environments() {
    let rows = formats.all.rows("`environment`").filter { $0.contains("emulator") }
    #expect(rows.count >= 4)
    for row in rows {
      for name in ["sandbox", "production", "inbox"] { #expect(row.contains(name), "\(row)") }
    }
  }
}

@Suite("What the documents say of options and files")
struct OptionDocumentationTests {
  private func page(_ name: String) throws -> String { try DocumentSections(name).all.text }

  @Test("has the kinds of files that are checked, and the lists that a folder skips")
  func files() throws {
    let rows = try DocumentSections("checking.md").all.rows("`kind`")
    for kind in FileKind.allCases { #expect(rows.contains { $0.contains("`\(kind.rawValue)`") }) }
    let help = CheckCommand.info.discussion
    for name in ["csv", "tsv"] where FileKind(foundAt: "a.\(name)") == nil {
      #expect(help.contains("not for .csv, .tsv and JSON Lines") && help.contains(".\(name)"))
    }
  }

  @Test("has the limit of names, and the endings of dead tokens")
  func limits() throws {
    let limit = "at most \(Device.longestName) letters"
    #expect(try page("configuration.md").contains(limit))
    #expect(DeviceAddCommand.info.discussion.contains(limit))
    let sentence = try page("sending.md").split(separator: "`--dead-tokens FILE` writes").last?
      .prefix { $0 != ":" }
    for ending in ["txt", "csv", "tsv", "jsonl", "ndjson"] {
      #expect(RecordFormat.of(path: "a.\(ending)") != nil)
      #expect(sentence?.contains("`.\(ending)`") == true)
    }
  }

  @Test("has the ports that APNs listens on")
  func ports() throws {
    let row = try #require(try DocumentSections("formats.md")["Profiles"]?.rows("`port`").first)
    for port in PushEnvironment.servicePorts { #expect(row.contains("\(port)")) }
  }

  @Test("tells of a broken rule what explain does")
  func rules() throws {
    let rows = try DocumentSections("rules.md").all
    for rule in RuleTable.all {
      let json = try Explain(words: [rule.identifier], asJSON: true, context: context()).run().json
      let topic = try #require(json.array?.first { $0["kind"]?.string == "rule" })
      let answer = try #require(topic["apnsSays"]?.string)
      let row = try #require(rows.rows("`\(rule.identifier)`").first)
      #expect(row.contains("| \(answer) |") || row.contains("| `\(answer)` |"), "\(row)")
    }
  }
}
