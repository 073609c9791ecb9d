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
