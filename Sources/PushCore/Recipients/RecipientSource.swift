public import APNS

/// Where recipients come from.
public enum RecipientSource: Sendable, Hashable {
  /// Device tokens that were given one by one, and what they are called in results.
  case tokens([DeviceToken], name: String = "--to")
  /// A list in a file or a pipe. Its name tells the ``ListFormat``.
  case file(String)
  /// A list on standard input.
  case standardInput
  /// The copy of a list that could be read only once.
  case copy(ListCopy)
  /// Pushes of an earlier run that are sent again.
  case resent(ResentList)

  /// The name shown for it: the path, `-`, or what was given.
  public var name: String {
    switch self {
    case .tokens(_, let name): name
    case .file(let path): path
    case .standardInput: "-"
    case .copy(let copy): copy.name
    case .resent(let list): list.name
    }
  }
}

/// Why a list cannot be used.
public struct ListError: Error, Sendable, Hashable {
  /// What is wrong with the list.
  public enum Fault: Sendable, Hashable, Error {
    case missing
    case isFolder
    /// The system's `errno`.
    case unreadable(Int32)
    /// There is no row in it.
    case empty
    /// The header row of a table cannot be read.
    case header(LineFault)
    /// No column is called `token` or `device_token`. These are the first 20, each cut to 40
    /// characters, and of what looks like a device token the end only. Not yet safe to print.
    case noTokenColumn([String])
    /// Two columns have this name.
    case duplicateColumn(String)
  }

  /// The path, or `-`.
  public var list: String

  /// What is wrong.
  public var fault: Fault
}
