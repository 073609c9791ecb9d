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

  init(path: [String], summary: String) {
    self.path = path
    self.summary = summary
  }

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
