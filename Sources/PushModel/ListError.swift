public import APNS
public import JSONText

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
    /// Columns that the rows have to have are not there.
    case missingColumns(MissingColumns)
  }

  /// The path, or `-`.
  public var list: String

  /// What is wrong.
  public var fault: Fault

  /// What is wrong with other lists, where all were looked at.
  public var others: [ListError] = []

  /// What is wrong with a list.
  public init(list: String, fault: Fault) {
    self.list = list
    self.fault = fault
  }
}

/// Columns that a list should have, and those that it has. None of the names is safe to print yet.
public struct MissingColumns: Sendable, Hashable {
  /// The variables of a template that nothing else gives.
  public var variables: [String]

  /// The columns that are wanted in results.
  public var listed: [String]

  /// The columns that are there; empty for a list of bare device tokens.
  public var found: [String]

  /// What is missing in a list.
  public init(variables: [String], listed: [String] = [], found: [String]) {
    (self.variables, self.listed, self.found) = (variables, listed, found)
  }
}

/// A line that is not a recipient. It is skipped and never stops the rest.
public struct BadLine: Sendable, Hashable {
  /// The list.
  public var list: String

  /// The line, from 1; of a row that runs over several lines the first.
  public var line: Int

  /// The text there, at most 400 bytes of it. It may be a secret that landed in the wrong place.
  public var text: String

  /// What is wrong with it.
  public var error: LineFault

  /// A line and what is wrong with it.
  public init(list: String, line: Int, text: String, error: LineFault) {
    self.list = list
    self.line = line
    self.text = text
    self.error = error
  }
}

/// What is wrong with a line of a list.
public enum LineFault: Error, Sendable, Hashable {
  /// The text that should be a device token is none.
  case token(DeviceTokenError)
  /// The row of a table cannot be read.
  case csv(CSVFault)
  /// The line of JSON Lines cannot be read.
  case json(JSONLineFault)
  /// It is not UTF-8, or the UTF-16 it was is broken.
  case encoding
  /// It is longer than 1 MiB.
  case tooLong
  /// The time in `registered`, at most 40 characters of it, is neither epoch seconds nor ISO 8601.
  case registered(String)
}

/// What is wrong with a row of a table (RFC 4180).
public enum CSVFault: Error, Sendable, Hashable {
  /// A quoted cell does not end, within 1 MiB. Reading goes on at the next line.
  case openQuote
  /// Text follows the quote that ends a cell. Reading goes on at the next line.
  case textAfterQuote
  /// The row has more cells, or fewer, than the header has columns.
  case cells(Int, columns: Int)
}

/// What is wrong with a line of JSON Lines.
public enum JSONLineFault: Error, Sendable, Hashable {
  /// It is not JSON.
  case syntax(JSONSyntaxError)
  /// It is another value than an object: a noun for it.
  case notObject(String)
  /// The object has neither `token` nor `device_token`.
  case noToken
  /// The member is not text: a noun for what it is.
  case notText(key: String, String)
}
