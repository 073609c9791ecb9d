/// A tool as data: its commands, and what its help and manual say besides.
public struct ToolDescription: Sendable, Equatable {
  /// The tool seen as a command whose subcommands are the tool's commands.
  public var root: CommandDescription
  /// The version's number.
  public var version: String
  /// The exit codes.
  public var exitCodes: [Definition]
  /// The environment variables.
  public var environment: [Definition]
  /// The files that are read and written.
  public var files: [Definition]
  /// The options that every command takes.
  public var common: [ParameterDescription]

  /// The tool's name.
  public var name: String { root.name }

  /// Every command at every depth, parents first, without the tool itself.
  public var commands: [CommandDescription] { Array(root.family.dropFirst()) }

  /// The root with `help` and everything that can follow it: what shells complete.
  var completable: CommandDescription {
    var help = root.mirrored(at: root.path + ["help"])
    help.summary = "Show help for a command."
    var whole = root
    whole.subcommands.append(help)
    return whole
  }
}

/// A term and what it means: a row of the exit codes, the environment or the files.
public struct Definition: Sendable, Equatable {
  /// The code, the variable or the path.
  public let term: String
  /// One or more sentences.
  public let meaning: String

  /// A term and what it means.
  public init(_ term: String, _ meaning: String) {
    self.term = term
    self.meaning = meaning
  }
}

extension CommandDescription {
  /// The names and summaries of this family elsewhere in the tree, without parameters.
  fileprivate func mirrored(at path: [String]) -> CommandDescription {
    var mirror = CommandDescription(path: path, summary: summary)
    mirror.subcommands = subcommands.map { $0.mirrored(at: path + [$0.name]) }
    return mirror
  }
}
