public import APNS
public import JSONText

/// An error that makes a list unusable.
public struct ListError: Error, Sendable, Hashable {
  /// The fault in a list.
  public enum Fault: Sendable, Hashable, Error {
    case missing
    case isFolder
    /// The system's `errno`.
    case unreadable(Int32)
    /// The file was written to while it was read.
    case changed
    /// The file is a key or a certificate in PEM.
    case isPEM
    /// The file is of another kind: the noun for it, and the way to a list, as a sentence.
    case foreign(String, advice: String)
    /// The list was read as bare device tokens, and its first line is that of a table (`csv`) or
    /// of JSON Lines (`jsonl`).
    case otherFormat(String)
    /// The list has no rows.
    case empty
    /// The header row of a table cannot be read.
    case header(LineFault)
    /// No column is called `token` or `device_token`. The names are the first 20, each cut to 40
    /// characters, with only the end of what looks like a device token. Not yet safe to print.
    case noTokenColumn([String])
    /// Two columns have this name.
    case duplicateColumn(String)
    /// The list lacks columns that the rows must have.
    case missingColumns(MissingColumns)
  }

  /// The path, or `-`.
  public var list: String

  /// The fault in the list.
  public var fault: Fault

  /// The errors of other lists, when all were checked.
  public var others: [ListError] = []

  /// Creates the error for a list.
  public init(list: String, fault: Fault) {
    self.list = list
    self.fault = fault
  }
}

/// Columns that a list should have, and the ones it has. The names are not yet safe to print.
public struct MissingColumns: Sendable, Hashable {
  /// The template variables that have no other source.
  public var variables: [String]

  /// The columns requested for results.
  public var listed: [String]

  /// The columns in the list; empty for a list of bare device tokens.
  public var found: [String]

  /// Creates the findings for a list.
  public init(variables: [String], listed: [String] = [], found: [String]) {
    (self.variables, self.listed, self.found) = (variables, listed, found)
  }
}

/// A line that is not a recipient. It is skipped and never stops the rest.
public struct BadLine: Sendable, Hashable {
  /// The list.
  public var list: String

  /// The line, from 1; the first if the row spans several lines.
  public var line: Int

  /// The text of the line, at most 400 bytes. It may be a misplaced secret.
  public var text: String

  /// The fault in the line.
  public var error: LineFault

  /// Creates a bad line.
  public init(list: String, line: Int, text: String, error: LineFault) {
    self.list = list
    self.line = line
    self.text = text
    self.error = error
  }
}

/// The fault in a line of a list.
public enum LineFault: Error, Sendable, Hashable {
  /// The text is not a valid device token.
  case token(DeviceTokenError)
  /// The row of a table is malformed.
  case csv(CSVFault)
  /// The line of JSON Lines is malformed.
  case json(JSONLineFault)
  /// The text is not valid UTF-8 or UTF-16.
  case encoding
  /// The line is longer than 1 MiB.
  case tooLong
  /// The time in `registered`, at most 40 characters of it, cannot be read.
  case registered(String, TimeFault)
}

/// The fault in a row of a table (RFC 4180).
public enum CSVFault: Error, Sendable, Hashable {
  /// A quoted cell does not end within 1 MiB. Reading continues at the next line.
  case openQuote
  /// Text follows the quote that ends a cell. Reading continues at the next line.
  case textAfterQuote
  /// The row has more or fewer cells than the header has columns.
  case cells(Int, columns: Int)
}

/// The fault in a line of JSON Lines.
public enum JSONLineFault: Error, Sendable, Hashable {
  /// The line is not JSON.
  case syntax(JSONSyntaxError)
  /// The value is not an object: a noun for its kind.
  case notObject(String)
  /// The object has neither `token` nor `device_token`.
  case noToken
  /// The member is not text: a noun for its kind.
  case notText(key: String, String)
}
