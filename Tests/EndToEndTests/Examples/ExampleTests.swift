import CommandLineKit
import Foundation
import SendingSupport
import TestSupport
import Testing

@testable import FanfareCLI

@Suite("Every example")
struct ExampleTests {
  private static let documents: [String] = {
    let folder = projectFolder.appending(path: "docs").path
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (names ?? []).filter { $0.hasSuffix(".md") }.sorted()
  }()

  static let inPages = (["README.md"] + documents.map { "docs/\($0)" })
    .flatMap { (try? MarkdownPage($0).examples) ?? [] }

  static let inTables = ["payloads/README.md", "scenarios/README.md"]
    .flatMap { (try? MarkdownPage($0).examplesOfTables) ?? [] }

  static let inHelp = fanfareTool().description.root.family.flatMap { command in
    command.examples.map {
      ShellExample(source: "help", commands: [ShellExample.Command(text: $0.line)])
    }
  }

  /// What the name alone shows, one after the other in a new folder; what the tool has of it.
  static let start: ShellExample = {
    let commands = fanfareTool().description.root.subcommands.map(\.name)
    let steps = StartScreen.steps.map(\.line)
      .filter { $0.split(separator: " ").contains { commands.contains(String($0)) } }
    let texts = ["mkdir new"] + steps.map { "(cd new && \($0))" }
    return ShellExample(source: "start", commands: texts.map { ShellExample.Command(text: $0) })
  }()

  @Test("of the documents does what they say", .needs("bash"), arguments: inPages)
  func page(_ example: ShellExample) throws { try check(example) }

  @Test("of the galleries works", .needs("bash"), arguments: inTables)
  func gallery(_ example: ShellExample) throws { try check(example) }

  @Test("of the help works", .needs("bash"), arguments: inHelp)
  func help(_ example: ShellExample) throws { try check(example) }

  @Test("of what the name alone shows works, in a new folder", .needs("bash"))
  func beginning() throws { try check(Self.start) }

  /// Commands in running text. They may leave out what a command needs, and name it in capitals.
  static let mentioned = Set(
    (["README.md", "CONTRIBUTING.md"] + documents.map { "docs/\($0)" })
      .flatMap { (try? MarkdownPage($0).mentions) ?? [] }
  ).sorted()

  @Test("that a text mentions names a command and options that there are", arguments: mentioned)
  func mention(_ line: String) {
    let words = line.split(separator: " ").dropFirst().filter { $0 != $0.uppercased() }
    do {
      _ = try fanfareTool().parse(CommonLine(words.map(String.init)).words)
    } catch {
      switch error.problem {
      case .unknownCommand, .unknownOption, .unexpectedArgument: Issue.record(error)
      default: break
      }
    }
  }

  @Test("is found")
  func some() {
    #expect(Self.inPages.count > 40 && Self.inTables.count > 40 && Self.inHelp.count > 50)
  }

  @Test("that is special is one", arguments: ExampleStaging.all.map(\.words))
  func special(_ words: String) {
    let staging = ExampleStaging.all.filter { $0.words == words }
    #expect((Self.inPages + Self.inHelp).contains { staging[0].fits($0) })
  }

  private func check(_ example: ShellExample) throws {
    let features = ExampleStaging.features(of: example)
    if features.contains(where: \.isLeftOut) { return }
    try withFanfare { fanfare in
      let user = try UserFolder(fanfare)
      for (name, text) in example.files { try user.folder.write(name, text) }
      for feature in features { try user.prepare(feature) }
      let result = try user.perform(example, features)
      let wanted = features.compactMap(\.exitCode).first ?? example.exitCode
      let outputs = user.outputs(of: example)
      #expect(result.exitCode == wanted, "\(outputs)\(result.errors)")
      for (command, output) in zip(example.commands, outputs) {
        let shown = ShownOutput(lines: command.output)
        #expect(shown.missing(in: output) == [], "\(command.text) says:\n\(output)")
        if command.output.isEmpty || features.contains(where: \.isEndless) { continue }
        #expect(shown.omitted(from: output) == [], "\(command.text) says:\n\(output)")
      }
    }
  }
}
