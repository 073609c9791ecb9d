public import APNS

/// Where recipients come from.
public enum RecipientSource: Sendable, Hashable {
  /// Device tokens that were given one by one, and what they are called in results.
  case tokens([DeviceToken], name: String = "--to")
  /// A list in a file, a token a line.
  case file(String)
  /// A list on standard input.
  case standardInput

  /// The name shown for it: the path, `-`, or what was given.
  public var name: String {
    switch self {
    case .tokens(_, let name): name
    case .file(let path): path
    case .standardInput: "-"
    }
  }
}

/// Why a list cannot be used.
public struct ListError: Error, Sendable, Hashable {
  /// What is wrong with the list.
  public enum Fault: Sendable, Hashable {
    case missing
    case isFolder
    /// The system's `errno`.
    case unreadable(Int32)
    /// There is nothing in it but blank lines and comments.
    case empty
    /// The extension names a format that is not read; only `.txt` and unknown extensions are.
    case format(String)
    /// It is UTF-16.
    case utf16
  }

  /// The path, or `-`.
  public var list: String

  /// What is wrong.
  public var fault: Fault
}

/// A line that is no device token. It is skipped and never stops the rest.
public struct BadLine: Sendable, Hashable {
  /// The list.
  public var list: String

  /// The line, from 1.
  public var line: Int

  /// What stands there, at most 400 bytes of it. It may be a secret that landed in the wrong place.
  public var text: String

  /// What is wrong with it.
  public var error: DeviceTokenError
}
