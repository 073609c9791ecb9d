public import APNS
public import JSONText

/// A line that is no recipient. It is skipped and never stops the rest.
public struct BadLine: Sendable, Hashable {
  /// The list.
  public var list: String

  /// The line, from 1; of a row that runs over several lines the first.
  public var line: Int

  /// What stands there, at most 400 bytes of it. It may be a secret that landed in the wrong place.
  public var text: String

  /// What is wrong with it.
  public var error: LineFault
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
  /// It is no JSON.
  case syntax(JSONSyntaxError)
  /// It is another value than an object: a noun for it.
  case notObject(String)
  /// The object has neither `token` nor `device_token`.
  case noToken
  /// The member is no text: a noun for what it is.
  case notText(key: String, String)
}

extension String {
  /// What an error may carry of a text in a list: 40 characters, and of what looks like a device
  /// token only the end.
  var excerptWithoutToken: String {
    if utf8.count >= 16, let token = try? DeviceToken(tidying: self) { return token.tail }
    return count > 40 ? prefix(40) + "…" : self
  }
}
