import PlainText

/// A program: a name and a list of commands.
public struct Tool: Sendable {
  /// The word that starts the program.
  public let name: String
  /// One line that ends in a full stop.
  public let summary: String
  /// The version number.
  public let version: String
  /// The commands under their titles, in the order of help.
  public let groups: [CommandGroup]
  /// Paragraphs for help and manual, separated by empty lines.
  public var discussion = ""
  /// The text shown when no words follow the name; nil shows the help.
  public var start: String?
  /// Example command lines, for help and manual.
  public var examples: [Example] = []
  /// The options that short help shows, by the command's path without the tool's name. A command
  /// that is not in it shows all.
  public var firstOptions: [String: [String]] = [:]
  /// The exit codes, for help and manual.
  public var exitCodes: [Definition] = []
  /// The environment variables, for help and manual.
  public var environment: [Definition] = []
  /// The files, for help and manual.
  public var files: [Definition] = []
  /// The options that every command takes. The program itself removes them from the words with
  /// ``CommonOption/take(from:)``.
  public var common: [ParameterDescription] = []
  /// The expansion of a `~` that the shell left at the start of a path; nil leaves it too.
  public var home: String?
  /// Synonyms for commands and options, requested only when a word is unknown.
  public var synonyms: @Sendable () -> Synonyms = { Synonyms() }

  /// Creates a program with its commands; the rest can be set afterwards.
  public init(_ name: String, _ summary: String, version: String, groups: [CommandGroup]) {
    self.name = name
    self.summary = summary
    self.version = version
    self.groups = groups
  }

  /// Creates a program with a few commands, which need no titles.
  public init(_ name: String, _ summary: String, version: String, commands: [any Command.Type]) {
    self.init(name, summary, version: version, groups: [CommandGroup("Commands", commands)])
  }

  /// The commands, in the order of help.
  public var commands: [any Command.Type] { groups.flatMap(\.commands) }

  /// The tool as data.
  public var description: ToolDescription {
    var root = CommandDescription(path: [name], summary: summary)
    root.discussion = discussion
    root.examples = examples
    root.groups = [GroupDescription(title: "Options", parameters: [.help, .version])]
    root.subcommands = groups.flatMap { group in
      group.commands.map { command in
        var description = command.describe(at: [name, command.info.name])
        description.heading = group.title
        return description
      }
    }
    return ToolDescription(
      root: root.adding(common), version: version, exitCodes: exitCodes, environment: environment,
      files: files, common: common)
  }

  /// Parses the words after the program's name.
  ///
  /// - Parameters:
  ///   - words: The words, without the program's name.
  ///   - width: The maximum line width of help in columns.
  /// - Returns: The command to run, or the text to show instead.
  /// - Throws: `UsageError` at the first word that is not understood, or if something required is
  ///   missing.
  public func parse(_ words: [String], width: Int = 80) throws(UsageError) -> ParsedLine {
    if words.isEmpty { return .help(start ?? help(for: nil, [name], width), isWhole: false) }
    if words.first == "--version" {
      guard words.count > 1 else { return .version }
      throw UsageError(.unexpectedArgument(words[1]), path: [name])
    }
    if words.first == "help" { return try helpCommand(words.dropFirst(), width) }
    let (command, path, rest) = try route(words[...])
    let options = rest.prefix { $0 != "--" }
    if options.contains("--help") { return .help(help(for: command, path, width), isWhole: true) }
    if options.contains("-h") { return .help(brief(for: command, path, width), isWhole: false) }
    guard let command, command.info.subcommands.isEmpty else {
      return try noCommand(command, path, rest, width)
    }
    do {
      return .run(try command.parse(Array(rest), beside: common, home: home), path: path)
    } catch {
      throw UsageError(suggesting(error, in: command.describe(at: path)), path: path)
    }
  }

  /// Follows the words that name commands. A nil command is the tool itself.
  private func route(
    _ words: ArraySlice<String>
  ) throws(UsageError) -> (command: (any Command.Type)?, path: [String], rest: ArraySlice<String>) {
    var (rest, path, level) = (words, [name], commands)
    var command: (any Command.Type)?
    while !level.isEmpty, let word = rest.first, !word.isOption {
      guard let next = level.first(where: { $0.info.name == word }) else {
        let names = level.map { $0.info.name } + (command == nil ? ["help"] : [])
        throw UsageError(
          .unknownCommand(word, near: commands(meantBy: word, at: path, among: names)), path: path)
      }
      (command, level, rest) = (next, next.info.subcommands, rest.dropFirst())
      path.append(word)
    }
    return (command, path, rest)
  }

  private func helpCommand(
    _ words: ArraySlice<String>, _ width: Int
  ) throws(UsageError) -> ParsedLine {
    let (command, path, rest) = try route(words.filter { $0 != "-h" && $0 != "--help" }[...])
    if let extra = rest.first { throw UsageError(.unexpectedArgument(extra), path: path) }
    return .help(help(for: command, path, width), isWhole: true)
  }

  /// Handles a command line that ends, or reaches an option, before a command that can be run.
  private func noCommand(
    _ command: (any Command.Type)?, _ path: [String], _ rest: ArraySlice<String>, _ width: Int
  ) throws(UsageError) -> ParsedLine {
    guard let option = rest.first else {
      return .help(help(for: command, path, width), isWhole: true)
    }
    let description = command?.describe(at: path) ?? description.root
    let names = description.options.map(\.label)
    let problem = UsageProblem.unknownOption(option, near: Suggestion.near(option, among: names))
    throw UsageError(suggesting(problem, in: description), path: path)
  }

  private func help(for command: (any Command.Type)?, _ path: [String], _ width: Int) -> String {
    guard let command else { return HelpText.text(of: description, width: width) }
    return HelpText.text(of: command.describe(at: path).adding(common), width: width)
  }

  private func brief(for command: (any Command.Type)?, _ path: [String], _ width: Int) -> String {
    HelpText.brief(
      of: command?.describe(at: path) ?? description.root,
      showing: firstOptions[path.dropFirst().joined(separator: " ")], width: width)
  }
}

/// Commands under one title in help.
public struct CommandGroup: Sendable {
  /// The title, without a colon.
  public let title: String
  /// The commands, in order.
  public let commands: [any Command.Type]

  /// Creates a group.
  public init(_ title: String, _ commands: [any Command.Type]) {
    self.title = title
    self.commands = commands
  }
}

/// The action that a command line requests.
public enum ParsedLine: Sendable {
  /// Run the command. `path` leads to it, the tool's name first.
  case run(any Command, path: [String])
  /// Show the text, which ends in a line feed. Whole help may be longer than a screen.
  case help(String, isWhole: Bool)
  /// Show the tool's version.
  case version
}

/// A tool as data: its commands and the other contents of its help and manual.
public struct ToolDescription: Sendable, Equatable {
  /// The tool as a command whose subcommands are the tool's commands.
  public var root: CommandDescription
  /// The version number.
  public var version: String
  /// The exit codes.
  public var exitCodes: [Definition]
  /// The environment variables.
  public var environment: [Definition]
  /// The files read and written.
  public var files: [Definition]
  /// The options that every command takes.
  public var common: [ParameterDescription]

  /// The tool's name.
  public var name: String { root.name }

  /// All commands at every depth, parents first, without the tool itself.
  public var commands: [CommandDescription] { Array(root.family.dropFirst()) }

  /// The root including `help` and everything that can follow it, for shell completion.
  var completable: CommandDescription {
    var help = root.mirrored(at: root.path + ["help"])
    help.summary = "Show help for a command."
    var whole = root
    whole.subcommands.append(help)
    return whole
  }
}

/// A term and its meaning: a row of the exit codes, the environment or the files.
public struct Definition: Sendable, Equatable {
  /// The code, the variable or the path.
  public let term: String
  /// One or more sentences.
  public let meaning: String

  /// Creates a row.
  public init(_ term: String, _ meaning: String) {
    self.term = term
    self.meaning = meaning
  }
}

extension CommandDescription {
  /// A copy of this command and its descendants at another path, without parameters.
  fileprivate func mirrored(at path: [String]) -> CommandDescription {
    var mirror = CommandDescription(path: path, summary: summary)
    mirror.subcommands = subcommands.map { $0.mirrored(at: path + [$0.name]) }
    return mirror
  }
}
