/// A command: a plain struct whose stored properties are its options, with their defaults.
///
/// What running means is the program's business: it refines this protocol with a `run` of its own.
/// A command whose `info` lists subcommands only leads to them and has no parameters itself.
public protocol Command: Sendable {
  /// What the command is called and what it is for.
  static var info: CommandInfo { get }

  /// The table of parameters, in the groups in which help shows them. Default: none.
  static var groups: [OptionGroup<Self>] { get }

  /// The command as it is when no word follows its name.
  init()
}

extension Command {
  /// No parameters.
  public static var groups: [OptionGroup<Self>] { [] }

  /// Reads the words that follow the command's name.
  ///
  /// - Parameters:
  ///   - common: Options that were taken out of the words, for "did you mean".
  ///   - home: What `~` stands for at the start of a path; nil leaves it as it is.
  /// - Throws: `UsageProblem`, at the first word that cannot be understood, or when something
  ///   required is missing.
  public static func parse(
    _ words: [String], beside common: [ParameterDescription] = [], home: String? = nil
  ) throws(UsageProblem) -> Self {
    var parser = CommandParser<Self>(words, beside: common, home: home)
    return try parser.parse()
  }

  /// The command as data.
  ///
  /// - Parameter path: The words that lead to it, the tool's name first.
  /// - Returns: The command's info, its parameters with their defaults, and its subcommands.
  public static func describe(at path: [String]) -> CommandDescription {
    let initial = Self()
    var description = CommandDescription(path: path, summary: info.summary)
    description.discussion = info.discussion
    description.examples = info.examples
    description.groups = groups.map { $0.described(in: initial) }
    description.groups.append(GroupDescription(title: "Help", parameters: [.help]))
    description.subcommands = info.subcommands.map { $0.describe(at: path + [$0.info.name]) }
    return description
  }
}

/// What a command is called and what it is for.
public struct CommandInfo: Sendable {
  /// The word that selects the command.
  public let name: String
  /// One line that ends in a full stop.
  public let summary: String
  /// Paragraphs, separated by empty lines; they are wrapped wherever they are shown.
  public let discussion: String
  /// Command lines worth copying.
  public let examples: [Example]
  /// The commands one level down. A command with subcommands cannot be run itself.
  public let subcommands: [any Command.Type]

  /// What a command is called and what it is for.
  public init(
    _ name: String, _ summary: String, discussion: String = "", examples: [Example] = [],
    subcommands: [any Command.Type] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.subcommands = subcommands
  }
}

/// A command line with a sentence on what it does.
public struct Example: Sendable, Equatable {
  /// The line, the tool's name first.
  public let line: String
  /// One sentence.
  public let meaning: String

  /// A command line with a sentence on what it does.
  public init(_ line: String, _ meaning: String) {
    self.line = line
    self.meaning = meaning
  }
}
