internal import APNS
internal import JSONText
internal import PlainText
internal import PushModel

extension LineFault {
  /// What the line is not.
  var start: String {
    if case .token = self { "This is no device token" } else { "This is no recipient" }
  }

  /// What is wrong with the line, as a clause.
  var clause: String {
    switch self {
    case .token(let error): error.clause
    case .csv(let fault): fault.clause
    case .json(let fault): fault.clause
    case .encoding: "it is not UTF-8"
    case .tooLong: "it is longer than 1 MiB"
    case .registered(let text):
      "'\(text.printable)' in registered is neither epoch seconds nor ISO 8601"
    }
  }

  /// Where the line goes wrong, from 1.
  var column: Int {
    if case .json(.syntax(let error)) = self { error.position.column } else { 1 }
  }
}

extension CSVFault {
  var clause: String {
    switch self {
    case .openQuote: "a cell begins with a quote and does not end with one"
    case .textAfterQuote: "text follows the quote that ends a cell"
    case .cells(let count, let columns):
      "it has \(counted(count, "cell")), and the header \(counted(columns, "column"))"
    }
  }
}

extension JSONLineFault {
  var clause: String {
    switch self {
    case .syntax(let error): "it is no JSON at column \(error.position.column): \(error.clause)"
    case .notObject(let kind): "it is \(kind), not an object"
    case .noToken: "it has no member token"
    case .notText(let key, let kind): "\(key) is \(kind)"
    }
  }
}

extension JSONSyntaxError {
  /// What is wrong, without words of the line, which may be a device token.
  fileprivate var clause: String {
    switch kind {
    case .unknownWord, .badNumber, .leadingZero, .unquotedKey, .hexadecimalTooLarge, .notFinite:
      "what stands there is no number, and has no quotes"
    default: message.hasSuffix(".") ? String(message.dropLast()) : message
    }
  }
}
