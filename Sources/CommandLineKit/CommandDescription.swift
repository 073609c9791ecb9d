/// A command as data: all that help, completions and the manual need to know.
public struct CommandDescription: Sendable, Equatable {
  /// The words that lead to it, the tool's name first; never empty.
  public var path: [String]
  /// One line that ends in a full stop.
  public var summary: String
  /// Paragraphs, separated by empty lines; may be empty.
  public var discussion = ""
  /// Command lines worth copying.
  public var examples: [Example] = []
  /// The parameters, as help groups them.
  public var groups: [GroupDescription] = []
  /// The commands one level down.
  public var subcommands: [CommandDescription] = []

  init(path: [String], summary: String) {
    self.path = path
    self.summary = summary
  }

  /// The word that selects the command.
  public var name: String { path.last ?? "" }

  /// The whole path as one text, such as `tool list show`.
  public var line: String { path.joined(separator: " ") }

  /// Flags and options, in order.
  public var options: [ParameterDescription] {
    groups.flatMap(\.parameters).filter { $0.kind != .argument }
  }

  /// Positional words, in order.
  public var arguments: [ParameterDescription] {
    groups.flatMap(\.parameters).filter { $0.kind == .argument }
  }

  /// This command and all below it, parents first.
  public var family: [CommandDescription] { [self] + subcommands.flatMap(\.family) }

  /// How it is written: `tool send --to TOKEN [OPTIONS] [FILE...]`.
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
