import PlainText

/// A program: a name and a list of commands.
public struct Tool: Sendable {
  /// The word that starts the program.
  public let name: String
  /// One line that ends in a full stop.
  public let summary: String
  /// The version's number.
  public let version: String
  /// The commands, in the order in which help shows them.
  public let commands: [any Command.Type]
  /// Paragraphs for help and manual, separated by empty lines.
  public var discussion = ""
  /// What the name alone shows; nil shows the help.
  public var start: String?
  /// Command lines worth copying, for help and manual.
  public var examples: [Example] = []
  /// The exit codes, for help and manual.
  public var exitCodes: [Definition] = []
  /// The environment variables, for help and manual.
  public var environment: [Definition] = []
  /// The files, for help and manual.
  public var files: [Definition] = []
  /// The options that every command takes. The program takes them out of the words itself, each by
  /// ``CommonOption/take(from:)``.
  public var common: [ParameterDescription] = []
  /// What `~` stands for at the start of a path that the shell left as it is; nil leaves it, too.
  public var home: String?
  /// What people may type for what is called otherwise. Only asked for when a word is not known.
  public var synonyms: @Sendable () -> Synonyms = { Synonyms() }

  /// A program with its commands; the rest can be set afterwards.
  public init(_ name: String, _ summary: String, version: String, commands: [any Command.Type]) {
    self.name = name
    self.summary = summary
    self.version = version
    self.commands = commands
  }

  /// The tool as data.
  public var description: ToolDescription {
    var root = CommandDescription(path: [name], summary: summary)
    root.discussion = discussion
    root.examples = examples
    root.groups = [GroupDescription(title: "Options", parameters: [.help, .version])]
    root.subcommands = commands.map { $0.describe(at: [name, $0.info.name]) }
    return ToolDescription(
      root: root.adding(common), version: version, exitCodes: exitCodes, environment: environment,
      files: files, common: common)
  }

  /// Reads the words after the program's name.
  ///
  /// - Parameters:
  ///   - words: The words, without the program's name.
  ///   - width: The columns that help may use.
  /// - Returns: The command to run, or the text to show instead.
  /// - Throws: `UsageError`, at the first word that cannot be understood, or when something
  ///   required is missing.
  public func parse(_ words: [String], width: Int = 80) throws(UsageError) -> ParsedLine {
    if words.isEmpty { return .help(start ?? help(for: nil, [name], width)) }
    if words.first == "--version" {
      guard words.count > 1 else { return .version }
      throw UsageError(.unexpectedArgument(words[1]), path: [name])
    }
    if words.first == "help" { return try helpCommand(words.dropFirst(), width) }
    let (command, path, rest) = try route(words[...])
    let options = rest.prefix { $0 != "--" }
    if options.contains("-h") || options.contains("--help") {
      return .help(help(for: command, path, width))
    }
    guard let command, command.info.subcommands.isEmpty else {
      return try noCommand(command, path, rest, width)
    }
    do {
      return .run(try command.parse(Array(rest), beside: common, home: home), path: path)
    } catch {
      throw UsageError(suggesting(error, in: command.describe(at: path)), path: path)
    }
  }

  /// Follows the words that name commands. Nil is the tool itself.
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
    return .help(help(for: command, path, width))
  }

  /// The words ended, or an option came, before a command that can be run.
  private func noCommand(
    _ command: (any Command.Type)?, _ path: [String], _ rest: ArraySlice<String>, _ width: Int
  ) throws(UsageError) -> ParsedLine {
    guard let option = rest.first else { return .help(help(for: command, path, width)) }
    let description = command?.describe(at: path) ?? description.root
    let names = description.options.map(\.label)
    let problem = UsageProblem.unknownOption(option, near: Suggestion.near(option, among: names))
    throw UsageError(suggesting(problem, in: description), path: path)
  }

  private func help(for command: (any Command.Type)?, _ path: [String], _ width: Int) -> String {
    guard let command else { return HelpText.text(of: description, width: width) }
    return HelpText.text(of: command.describe(at: path).adding(common), width: width)
  }
}

/// What a command line asks for.
public enum ParsedLine: Sendable {
  /// Run this command. `path` leads to it, the tool's name first.
  case run(any Command, path: [String])
  /// Show this text, which ends in a line feed.
  case help(String)
  /// Show the tool's version.
  case version
}
