public import JSONText

/// The source of a part of a draft: a file, an option or variable, or the history.
public struct Origin: Sendable, Hashable {
  /// The file's name as the user gave it, `-` for standard input; nil if not from a file.
  public var file: String?
  /// The position in the file; nil if unknown.
  public var position: JSONPosition?
  /// The option or environment variable, such as `--priority`, or the run; nil if from a file.
  public var setting: String?
  /// The history that holds the run, if others can write to it; otherwise nil.
  public var sharedHistory: String?

  /// A position in a file.
  public static func file(_ name: String?, at position: JSONPosition? = nil) -> Origin {
    Origin(file: name, position: position)
  }

  /// An option or an environment variable.
  public static func setting(_ name: String) -> Origin { Origin(setting: name) }
}
