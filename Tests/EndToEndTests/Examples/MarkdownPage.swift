import Foundation
import TestSupport

/// The shell examples of a Markdown page: its blocks `sh`, `bash` and `console`.
///
/// The line `<!-- exit N -->` before a block, which readers do not see, says that its last command
/// ends with that code. `<!-- file: NAME -->` before a block says that the page's examples find it as
/// a file of that name.
struct MarkdownPage {
  private static let languages = ["sh", "bash", "console"]

  let name: String
  let lines: [Substring]

  /// - Parameter name: its path in the project.
  init(_ name: String) throws {
    self.name = name
    let file = projectFolder.appending(path: name)
    lines = try String(decoding: Data(contentsOf: file), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Its examples, in order.
  var examples: [ShellExample] {
    let files = files
    return blocks.filter { Self.languages.contains($0.language) }.enumerated().map {
      number, block in
      let commands =
        block.language == "console" ? session(block.lines) : scriptCommands(block.lines)
      return ShellExample(
        source: "\(name) \(number + 1)", commands: commands, exitCode: block.exitCode, files: files)
    }
  }

  /// The files that it shows, by name.
  var files: [String: String] {
    let named = blocks.compactMap { block in
      block.fileName.map { ($0, block.lines.joined(separator: "\n") + "\n") }
    }
    return Dictionary(named) { first, _ in first }
  }

  /// The commands of the program that stand in running text.
  var mentions: [String] {
    let text = lines.joined(separator: "\n")
    return text.matches(of: /`(fanfare [^`]+)`/).map { String($0.1).replacing("\n", with: " ") }
  }

  /// The commands that stand in the last column of its tables.
  var examplesOfTables: [ShellExample] {
    lines.compactMap { $0.firstMatch(of: /\| `(fanfare [^`]+)` \|$/)?.1 }.map {
      ShellExample(source: name, commands: [ShellExample.Command(text: String($0))])
    }
  }

  /// The lines of its blocks in some languages, in order.
  func blocks(in languages: [String]) -> [ArraySlice<Substring>] {
    blocks.filter { languages.contains($0.language) }.map(\.lines)
  }

  private struct Block {
    var language: String
    var exitCode: Int32
    var fileName: String?
    var lines: ArraySlice<Substring>
  }

  private var blocks: [Block] {
    var blocks: [Block] = []
    var next = 0
    while let start = lines[next...].firstIndex(where: { $0.hasPrefix("```") }),
      let end = lines[(start + 1)...].firstIndex(of: "```")
    {
      let language = String(lines[start].dropFirst(3))
      let note = start > 0 ? lines[start - 1] : ""
      let code = note.wholeMatch(of: /<!-- exit (\d+) -->/)?.1
      let file = note.wholeMatch(of: /<!-- file: (\S+) -->/)?.1
      blocks.append(
        Block(
          language: language, exitCode: code.flatMap { Int32($0) } ?? 0,
          fileName: file.map(String.init), lines: lines[(start + 1)..<end]))
      next = end + 1
    }
    return blocks
  }

  /// What follows `$ ` is typed, and what follows a backslash; the rest is output.
  private func session(_ lines: ArraySlice<Substring>) -> [ShellExample.Command] {
    var commands: [ShellExample.Command] = []
    var isContinued = false
    for line in lines {
      let isStart = line.hasPrefix("$ ")
      if isStart {
        commands.append(ShellExample.Command(text: String(line.dropFirst(2))))
      } else if isContinued {
        commands[commands.count - 1].text += "\n" + line
      } else if !commands.isEmpty {
        commands[commands.count - 1].output.append(String(line))
      }
      isContinued = (isStart || isContinued) && line.hasSuffix("\\")
    }
    return commands
  }

  /// A line is a command, unless it is a comment or goes on with the one before.
  private func scriptCommands(_ lines: ArraySlice<Substring>) -> [ShellExample.Command] {
    var texts: [String] = []
    for line in lines where !line.hasPrefix("#") && !line.isEmpty {
      if let last = texts.last, last.hasSuffix("\\") {
        texts[texts.count - 1] = last + "\n" + line
      } else {
        texts.append(String(line))
      }
    }
    return texts.map { ShellExample.Command(text: $0) }
  }
}
