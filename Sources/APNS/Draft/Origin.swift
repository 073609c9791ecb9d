public import JSONText

/// Where a part of a draft was written: in a file, by an option or variable, or in the history.
public struct Origin: Sendable, Hashable {
  /// The file's name as the user gave it, `-` for standard input; nil when not from a file.
  public var file: String?
  /// The place in that text; nil when it is not known.
  public var position: JSONPosition?
  /// The option or environment variable that said it, such as `--priority`, or the run; nil when from a
  /// file.
  public var setting: String?
  /// Where the run is written down, when others can write there; nil for anything else.
  public var sharedHistory: String?

  /// A place in a file.
  public static func file(_ name: String?, at position: JSONPosition? = nil) -> Origin {
    Origin(file: name, position: position)
  }

  /// An option or an environment variable.
  public static func setting(_ name: String) -> Origin { Origin(setting: name) }
}
