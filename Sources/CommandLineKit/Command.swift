/// A command: a plain struct whose stored properties are its options, with their defaults.
///
/// This protocol does not define how to run a command: a program refines it with a `run` of its
/// own. A command whose `info` lists subcommands only groups them and has no parameters itself.
public protocol Command: Sendable {
  /// The command's name and purpose.
  static var info: CommandInfo { get }

  /// The table of parameters, grouped as in help; empty by default.
  static var groups: [OptionGroup<Self>] { get }

  /// Creates the command with every parameter at its default.
  init()
}

extension Command {
  /// No parameters.
  public static var groups: [OptionGroup<Self>] { [] }

  /// Parses the words after the command's name.
  ///
  /// - Parameters:
  ///   - common: Options already removed from the words, for "did you mean".
  ///   - home: The expansion of `~` at the start of a path; nil leaves `~` as it is.
  /// - Throws: `UsageProblem` at the first word that is not understood, or if something required is
  ///   missing.
  public static func parse(
    _ words: [String], beside common: [ParameterDescription] = [], home: String? = nil
  ) throws(UsageProblem) -> Self {
    var parser = CommandParser<Self>(words, beside: common, home: home)
    return try parser.parse()
  }

  /// The command as data.
  ///
  /// - Parameter path: The words that lead to the command, the tool's name first.
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

/// A command's name and purpose.
public struct CommandInfo: Sendable {
  /// The word that selects the command.
  public let name: String
  /// One line that ends in a full stop.
  public let summary: String
  /// Paragraphs, separated by empty lines; wrapped wherever they are shown.
  public let discussion: String
  /// Example command lines.
  public let examples: [Example]
  /// The subcommands. A command that has any cannot be run itself.
  public let subcommands: [any Command.Type]

  /// Creates a command's info.
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
  /// The command line, the tool's name first.
  public let line: String
  /// One sentence on what it does.
  public let meaning: String

  /// Creates an example.
  public init(_ line: String, _ meaning: String) {
    self.line = line
    self.meaning = meaning
  }
}

/// A command as data: everything that help, completions and the manual need.
public struct CommandDescription: Sendable, Equatable {
  /// The words that lead to the command, the tool's name first; never empty.
  public var path: [String]
  /// One line that ends in a full stop.
  public var summary: String
  /// Paragraphs, separated by empty lines; may be empty.
  public var discussion = ""
  /// Example command lines.
  public var examples: [Example] = []
  /// The parameters, grouped as in help.
  public var groups: [GroupDescription] = []
  /// The subcommands.
  public var subcommands: [CommandDescription] = []
  /// The title above the command in help.
  public var heading = "Commands"

  /// The word that selects the command.
  public var name: String { path.last ?? "" }

  /// The path joined with spaces, such as `tool list show`.
  public var line: String { path.joined(separator: " ") }

  /// The flags and options, in order.
  public var options: [ParameterDescription] {
    groups.flatMap(\.parameters).filter { $0.kind != .argument }
  }

  /// The positional arguments, in order.
  public var arguments: [ParameterDescription] {
    groups.flatMap(\.parameters).filter { $0.kind == .argument }
  }

  /// This command and all its descendants, parents first.
  public var family: [CommandDescription] { [self] + subcommands.flatMap(\.family) }

  /// The usage line: `tool send --to TOKEN [OPTIONS] [FILE...]`.
  public var usage: String {
    var words = path
    words += options.filter(\.isRequired).map(\.labelWithValue)
    words.append(subcommands.isEmpty ? "[OPTIONS]" : "COMMAND [OPTIONS]")
    words += arguments.map { argument in
      let word = argument.label + (argument.isRepeatable ? "..." : "")
      return argument.isRequired ? word : "[\(word)]"
    }
    return words.joined(separator: " ")
  }
}

/// Parameters under one title, as data.
public struct GroupDescription: Sendable, Equatable {
  /// The title, without a colon.
  public var title: String
  /// The parameters, in order.
  public var parameters: [ParameterDescription]
}
