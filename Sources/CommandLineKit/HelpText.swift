/// Help for a terminal, generated from a description.
public enum HelpText {
  /// The maximum width of command lines in columns, however wide the terminal is.
  static let commandWidth = 80

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

  /// The short help of a command: its usage, its subcommands or first options, and where the rest
  /// is.
  ///
  /// - Parameters:
  ///   - command: The command to describe.
  ///   - names: The long names of the options to show; nil shows all.
  ///   - width: The maximum line width in columns.
  /// - Returns: Lines, each ending in a line feed.
  public static func brief(
    of command: CommandDescription, showing names: [String]? = nil, width: Int = 80
  ) -> String {
    let own = command.groups.filter { $0.parameters.last != .help }.flatMap(\.parameters)
    let shown = own.filter { $0.kind == .argument || names?.contains($0.name) ?? true }
      .map(\.briefDefinition)
    let terms = command.subcommands.map(\.name) + shown.map(\.term)
    var page = HelpPage(width: width, terms: terms)
    page.add(command.summary.wrapped(to: width))
    page.add(["Usage: " + command.usage])
    page.add(command.subcommands)
    page.add("Options", shown)
    page.add(command.ways.flatMap { $0.wrapped(to: width) })
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

  /// The commands, a table for each heading.
  mutating func add(_ commands: [CommandDescription]) {
    var rest = commands[...]
    while let heading = rest.first?.heading {
      let rows = rest.prefix { $0.heading == heading }
      add(heading, rows.map { Definition($0.name, $0.summary) })
      rest = rest.dropFirst(rows.count)
    }
  }

  mutating func add(_ command: CommandDescription) {
    add(command.summary.wrapped(to: width))
    add(["Usage: " + command.usage])
    if !command.examples.isEmpty { add(["Examples:"] + command.examples.flatMap(lines)) }
    for paragraph in command.discussion.paragraphs { add(paragraph.wrapped(to: width)) }
    add(command.subcommands)
    for group in command.groups { add(group.title, group.parameters.map(\.definition)) }
  }

  private func lines(_ example: Example) -> [String] {
    let meaning = example.meaning.wrapped(to: width - 6).map { $0.indented(by: 6) }
    let line = example.lines(to: min(width, HelpText.commandWidth) - 2)
    return line.map { $0.indented(by: 2) } + meaning
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

  /// Sentences that tell where the rest is.
  fileprivate var ways: [String] {
    let rest = "'\(line) --help' shows everything"
    return subcommands.isEmpty
      ? [rest + ", with examples."]
      : ["'\(line) COMMAND -h' shows the options of a command.", rest + "."]
  }
}

extension ParameterDescription {
  /// The table row `-n, --name VALUE`, padded if there is no short name.
  fileprivate var definition: Definition {
    definition(([help] + facts).joined(separator: " "))
  }

  /// The same row without default and environment.
  fileprivate var briefDefinition: Definition {
    definition(([help] + facts.prefix(choices.isEmpty ? 0 : 1)).joined(separator: " "))
  }

  private func definition(_ meaning: String) -> Definition {
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

extension Example {
  /// The command line, broken before options so that no line exceeds `width` columns, if possible.
  /// All lines but the last end in ` \`, so that a shell takes them as one.
  public func lines(to width: Int) -> [String] {
    var lines: [String] = []
    for part in parts {
      if let last = lines.last, last.count + 1 + part.count + 2 <= width {
        lines[lines.count - 1] = last + " " + part
      } else {
        lines.append(lines.isEmpty ? part : part.indented(by: 2))
      }
    }
    return lines.dropLast().map { $0 + " \\" } + lines.suffix(1)
  }

  /// The command, and each option with what follows it; a long word, such as a device token, is a
  /// part of its own. Text in quotes is one word.
  private var parts: [String] {
    var parts: [String] = []
    for word in line.split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
      if let last = parts.last, last.hasOpenQuote || last.isBareOption || !word.startsPart {
        parts[parts.count - 1] = last + " " + word
      } else {
        parts.append(word)
      }
    }
    return parts
  }
}

extension String {
  /// True if the line may be broken before this word.
  fileprivate var startsPart: Bool { isOption || count > 30 }

  /// True for an option whose value may follow.
  fileprivate var isBareOption: Bool { isOption && !contains(" ") }

  /// True if a quotation mark has no second one.
  fileprivate var hasOpenQuote: Bool {
    ["'", "\""].contains { mark in count { $0 == mark } % 2 == 1 }
  }

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
