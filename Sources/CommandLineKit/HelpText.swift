/// Help for a terminal, generated from a description.
public enum HelpText {
  /// The help of a tool: its commands, exit codes, environment and files.
  ///
  /// - Parameters:
  ///   - tool: The tool to describe.
  ///   - width: The maximum line width in columns.
  /// - Returns: Lines, each ending in a line feed.
  public static func text(of tool: ToolDescription, width: Int = 80) -> String {
    var page = HelpPage(width: width, terms: tool.root.terms)
    page.add(tool.root)
    page.add("Exit codes", tool.exitCodes)
    page.add("Environment", tool.environment)
    page.add("Files", tool.files)
    page.add(["See '\(tool.name) help COMMAND' for details."])
    return page.text
  }

  /// The help of one command.
  ///
  /// - Parameters:
  ///   - command: The command to describe.
  ///   - width: The maximum line width in columns.
  /// - Returns: Lines, each ending in a line feed.
  public static func text(of command: CommandDescription, width: Int = 80) -> String {
    var page = HelpPage(width: width, terms: command.terms)
    page.add(command)
    return page.text
  }
}

/// Blocks of lines; the terms of all tables share one column width.
private struct HelpPage {
  private let width: Int
  private let column: Int
  private var blocks: [[String]] = []

  init(width: Int, terms: [String]) {
    self.width = width
    column = min(terms.map(\.count).max() ?? 0, min(28, width / 3)) + 4
  }

  var text: String {
    blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  mutating func add(_ block: [String]) { blocks.append(block) }

  mutating func add(_ title: String, _ rows: [Definition]) {
    if !rows.isEmpty { blocks.append([title + ":"] + rows.flatMap(lines)) }
  }

  mutating func add(_ command: CommandDescription) {
    add(command.summary.wrapped(to: width))
    add(["Usage: " + command.usage])
    for paragraph in command.discussion.paragraphs { add(paragraph.wrapped(to: width)) }
    add("Commands", command.subcommands.map { Definition($0.name, $0.summary) })
    for group in command.groups { add(group.title, group.parameters.map(\.definition)) }
    if !command.examples.isEmpty { add(["Examples:"] + command.examples.flatMap(lines)) }
  }

  private func lines(_ example: Example) -> [String] {
    let meaning = example.meaning.wrapped(to: width - 6).map { $0.indented(by: 6) }
    return [example.line.indented(by: 2)] + meaning
  }

  /// A table row: the meaning stands beside its term, or below a term that is too long.
  private func lines(_ row: Definition) -> [String] {
    let term = row.term.indented(by: 2)
    var lines = row.meaning.wrapped(to: width - column).map { $0.indented(by: column) }
    if term.count + 2 <= column, let first = lines.first {
      lines[0] = term.padded(to: column) + first.dropFirst(column)
      return lines
    }
    return [term] + lines
  }
}

extension CommandDescription {
  fileprivate var terms: [String] {
    subcommands.map(\.name) + groups.flatMap(\.parameters).map(\.definition.term)
  }
}

extension ParameterDescription {
  /// The table row `-n, --name VALUE`, padded if there is no short name.
  fileprivate var definition: Definition {
    let meaning = ([help] + facts).joined(separator: " ")
    guard kind != .argument else { return Definition(label, meaning) }
    let names = [short.map { "-\($0)" }, labelWithValue, negation].compactMap(\.self)
    return Definition((short == nil ? "    " : "") + names.joined(separator: ", "), meaning)
  }

  /// The facts to show after the help text, one sentence each.
  var facts: [String] {
    var facts: [String] = []
    if !choices.isEmpty { facts.append("One of: \(choices.joined(separator: ", ")).") }
    if let defaultText { facts.append("Default: \(defaultText).") }
    if isRequired { facts.append("Required.") }
    if isRepeatable && kind == .option { facts.append("Can be repeated.") }
    if let environment { facts.append("Environment: \(environment).") }
    return facts
  }
}

extension String {
  /// Wraps the text into lines of at most `width` columns; a longer word gets its own line.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The paragraphs, which are separated by empty lines.
  var paragraphs: [String] {
    var parts: [[Substring]] = [[]]
    for line in split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy(\.isWhitespace) {
        parts.append([])
      } else {
        parts[parts.count - 1] += [line]
      }
    }
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
  }

  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  func indented(by columns: Int) -> String { String(repeating: " ", count: columns) + self }
}
