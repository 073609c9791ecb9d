internal import APNS
internal import JSONText
internal import PlainText
internal import PushModel

extension LineFault {
  /// A phrase that says what the line is not.
  package var start: String {
    if case .token = self { "Not a device token" } else { "Not a recipient" }
  }

  package var clause: String {
    switch self {
    case .token(let error): error.clause
    case .csv(let fault): fault.clause
    case .json(let fault): fault.clause
    case .encoding: "it is not UTF-8"
    case .tooLong: "it is longer than 1 MiB"
    case .registered(let text, let fault):
      "'\(text.printable)' in registered cannot be read: \(fault.clause)"
    }
  }

  /// The column of the error, from 1.
  package var column: Int {
    if case .json(.syntax(let error)) = self { error.position.column } else { 1 }
  }
}

extension CSVFault {
  var clause: String {
    switch self {
    case .openQuote: "a cell has an opening quote and no closing one"
    case .textAfterQuote: "there is text after a cell's closing quote"
    case .cells(let count, let columns):
      "it has \(counted(count, "cell")), but the header has \(counted(columns, "column"))"
    }
  }
}

extension JSONLineFault {
  var clause: String {
    switch self {
    case .syntax(let error):
      "it is not valid JSON at column \(error.position.column): \(error.clause)"
    case .notObject(let kind): "it is \(kind), not an object"
    case .noToken: "it has no 'token'"
    case .notText(let key, let kind): "\(key) is \(kind)"
    }
  }
}

extension JSONSyntaxError {
  /// The error in words, without quoting the line, which may hold a device token.
  fileprivate var clause: String {
    switch kind {
    case .unknownWord, .badNumber, .leadingZero, .unquotedKey, .hexadecimalTooLarge, .notFinite:
      "there is a value that is neither a number nor in quotes"
    default: message.hasSuffix(".") ? String(message.dropLast()) : message
    }
  }
}
